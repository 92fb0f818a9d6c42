/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups of the second version */
#ifndef STRSOCK_CGROUP_GROUP_H
#define STRSOCK_CGROUP_GROUP_H

#include <stdbool.h>
#include <stdint.h>

int group_own(char *path, unsigned int size);
int group_id(const char *path, uint64_t *id);
bool group_exists(uint64_t id);
int group_join(const char *path);
int group_wait_empty(const char *path);

#endif /* STRSOCK_CGROUP_GROUP_H */
