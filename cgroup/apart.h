/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that are not children of the command */
#ifndef STRSOCK_CGROUP_APART_H
#define STRSOCK_CGROUP_APART_H

#include <stdbool.h>

/* The socket of such a process to the one that has started it */
#define APART_SOCKET	3

int apart_start(void (*run)(const void *arg), const void *arg, bool errors);

#endif /* STRSOCK_CGROUP_APART_H */
