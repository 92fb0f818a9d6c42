/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls of a command that seccomp(2) announces to its supervisor */
#ifndef STRSOCK_CGROUP_FILTER_H
#define STRSOCK_CGROUP_FILTER_H

#include <stdbool.h>

struct seccomp_data;

enum filter_call { FILTER_OTHER, FILTER_PIPE, FILTER_PIPE2, FILTER_SOCKET };

int filter_install(bool pipes, bool sockets);
enum filter_call filter_call(const struct seccomp_data *data);

#endif /* STRSOCK_CGROUP_FILTER_H */
