/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program that puts the sockets of a cgroup on STREAMS */
#ifndef STRSOCK_CGROUP_H
#define STRSOCK_CGROUP_H

const char *cgroup_program(void);

#endif /* STRSOCK_CGROUP_H */
