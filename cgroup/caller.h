/* SPDX-License-Identifier: GPL-2.0-only */
/* The task that a call was announced of */
#ifndef STRSOCK_CGROUP_CALLER_H
#define STRSOCK_CGROUP_CALLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A task, by its number and by its folder in /proc, which is never that of a later task */
struct caller {
	pid_t pid;
	int dir;
};

int caller_begin(void);
bool caller_open(struct caller *caller, pid_t pid);
void caller_close(const struct caller *caller);
bool caller_has_our_rights(const struct caller *caller);
bool caller_has_our_network(const struct caller *caller);
bool caller_has_room(const struct caller *caller, unsigned int count);
bool caller_peek(const struct caller *caller, uint64_t address, void *to, size_t len);
bool caller_poke(const struct caller *caller, uint64_t address, const void *from, size_t len);

#endif /* STRSOCK_CGROUP_CALLER_H */
