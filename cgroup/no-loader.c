// SPDX-License-Identifier: GPL-2.0-only
/* no-loader.c - in place of loader.c, where strsock is built without BPF */
#include <errno.h>

#include "loader.h"

/**
 * loader_lock - refuse to lock the policies
 * @load: not used
 * @why: set to the reason
 *
 * So none of the other functions is called.
 *
 * Return: -EOPNOTSUPP.
 */
int loader_lock(bool load, const char **why)
{
	*why = "strsock was built without BPF: install clang, bpftool and libbpf-dev, then configure and build it again";
	return -EOPNOTSUPP;
}

void loader_unlock(int lock)
{
}

int loader_set(uint64_t id, const struct redirect_group *group)
{
	return -EOPNOTSUPP;
}

void loader_sweep(bool (*exists)(uint64_t id))
{
}

int loader_remove(uint64_t id)
{
	return -EOPNOTSUPP;
}
