/* SPDX-License-Identifier: GPL-2.0-only */
/* dlpi-links.h - links in network namespaces, for tests of data links */
#ifndef _DLPI_LINKS_H
#define _DLPI_LINKS_H

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "waits.h"

static inline int namespace_enter(const char *name)
{
	char path[64];
	int fd, old = open("/proc/self/ns/net", O_RDONLY);

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY);
	TRUE(old >= 0 && fd >= 0 && !setns(fd, CLONE_NEWNET));
	close(fd);
	return old;
}

static inline void namespace_leave(int old)
{
	TRUE(!setns(old, CLONE_NEWNET));
	close(old);
}

static inline void shell(const char *command)
{
	if (system(command)) {
		printf("failed: %s\n", command);
		exit(1);
	}
}

/*
 * Waits until the frames given to a link are sent: a worker enables that after
 * "up".
 */
static inline void await_link(const char *netns, const char *link)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "! ip -n %s link show dev %s | grep -Eq 'qdisc noop |state [A-Z]*DOWN'",
		 netns, link);
	UNTIL(!system(command));
}

/*
 * Runs the test on one processor: frames then arrive in the order in which they
 * were sent.
 */
static inline void one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	TRUE(!sched_setaffinity(0, sizeof(one), &one));
}

#endif /* _DLPI_LINKS_H */
