/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that answers calls for programs without the library */
#ifndef STRSOCK_CGROUP_SUPERVISOR_H
#define STRSOCK_CGROUP_SUPERVISOR_H

#include <stdbool.h>

int supervisor_start(void);
int supervisor_attach(int supervisor, bool pipes, bool sockets);

#endif /* STRSOCK_CGROUP_SUPERVISOR_H */
