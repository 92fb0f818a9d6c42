/* SPDX-License-Identifier: GPL-2.0-only */
/* slab.h - objects of the kernel's allocator, from /proc/slabinfo */
#ifndef _SLAB_H
#define _SLAB_H

#include <err.h>
#include <stdio.h>
#include <string.h>

/* Objects of a cache that are in use; those that a processor keeps count as well. */
static inline long slab_objects(const char *cache)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	char line[512], name[64];
	long active, found = -1;

	if (!f)
		err(1, "/proc/slabinfo");
	while (found < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %ld", name, &active) == 2 && !strcmp(name, cache))
			found = active;
	fclose(f);
	if (found < 0)
		errx(1, "/proc/slabinfo: no cache %s", cache);
	return found;
}

#endif /* _SLAB_H */
