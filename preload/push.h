/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * push.h - modules on a new pipe or socket
 */
#ifndef STRSOCK_PUSH_H
#define STRSOCK_PUSH_H

int push_modules(const char *call, int fd, const char *list);

#endif /* STRSOCK_PUSH_H */
