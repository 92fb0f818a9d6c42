/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sock2path.h - the table that says which sockets use STREAMS, see sock2path(5)
 */
#ifndef STRSOCK_SOCK2PATH_H
#define STRSOCK_SOCK2PATH_H

#include "conf.h"
#include "kind.h"

/* Lines of a table; further ones are reported and skipped. */
#define SOCK2PATH_MAX_LINES	128

int sock2path_read(const char *path, conf_report_fn *report, void *arg);
enum inet_kind sock2path_find(int family, int type, int protocol);

#endif /* STRSOCK_SOCK2PATH_H */
