/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF program that redirects sockets: one for the system, pinned while a cgroup has a
 * policy
 */
#ifndef STRSOCK_CGROUP_LOADER_H
#define STRSOCK_CGROUP_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "redirect.h"

int loader_lock(bool load, const char **why);
void loader_unlock(int lock);
int loader_set(uint64_t id, const struct redirect_group *group);
void loader_sweep(bool (*exists)(uint64_t id));
int loader_remove(uint64_t id);

#endif /* STRSOCK_CGROUP_LOADER_H */
