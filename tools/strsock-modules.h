/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strsock-modules.h - are the kernel modules there?
 */
#ifndef STRSOCK_MODULES_H
#define STRSOCK_MODULES_H

#include <stdbool.h>

int modules_pipe(void);
int modules_socket(void);
bool modules_named(const char *name);

#endif /* STRSOCK_MODULES_H */
