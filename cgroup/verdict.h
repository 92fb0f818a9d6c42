/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules and variables of strsock, about a pipe or socket of a task */
#ifndef STRSOCK_CGROUP_VERDICT_H
#define STRSOCK_CGROUP_VERDICT_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/rules.h"

struct verdict {
	bool streams;
	bool duplex;		/* of a pipe: as on System V */
	const char *push;	/* the modules to push, or NULL */
};

void verdict_begin(void);
bool verdict_required(void);
void verdict_find(struct verdict *verdict, enum rules_kind kind, int dir);
bool verdict_pushes_on_sockets(void);
bool verdict_is_verbose(void);
void verdict_tell(int dir, pid_t pid, const char *what);

#endif /* STRSOCK_CGROUP_VERDICT_H */
