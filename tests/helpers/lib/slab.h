/* SPDX-License-Identifier: GPL-2.0-only */
/* slab.h - objects of the kernel's allocator, from /proc/slabinfo */
#ifndef _SLAB_H
#define _SLAB_H

#include <err.h>
#include <stdio.h>
#include <string.h>

/* Takes from processors what they keep of a cache: free objects there count as used. */
static inline void slab_shrink(const char *cache)
{
	char path[120];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/shrink", cache);
	f = fopen(path, "w");
	if (!f)
		err(1, "%s", path);
	fputs("1", f);
	fclose(f);
}

/* Objects of a cache that are in use. */
static inline long slab_objects(const char *cache)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	char line[512], name[64];
	long active, found = -1;

	slab_shrink(cache);
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
