/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that answer calls */
#ifndef STRSOCK_CGROUP_WORKERS_H
#define STRSOCK_CGROUP_WORKERS_H

#include <stdbool.h>

#include <linux/seccomp.h>

#define WORKERS_MOST	32

/* A call that a thread answers; kernels may write more than this program knows of. */
struct workers_slot {
	struct seccomp_notif call;
	char more[128];
};

int workers_check_sizes(void);
bool workers_run(int listener, struct workers_slot *shared);

#endif /* STRSOCK_CGROUP_WORKERS_H */
