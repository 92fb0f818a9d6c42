/* SPDX-License-Identifier: GPL-2.0-only */
/* slab.h - objects of the kernel's allocator, from /proc/slabinfo */
#ifndef _SLAB_H
#define _SLAB_H

#include <err.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

static inline void slab_write(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		err(1, "%s", path);
	fputs("1", f);
	fclose(f);
}

/*
 * Takes from each processor the free objects it keeps of a cache: those count
 * as used.
 */
static inline void slab_shrink(const char *cache)
{
	char path[120];

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/shrink", cache);
	slab_write(path);
}

/*
 * Shrinks all caches: their free pages become the machine's again. A cache may
 * be deleted meanwhile.
 */
static inline void slab_shrink_all(void)
{
	glob_t caches;
	size_t i;
	FILE *f;

	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &caches))
		return;
	for (i = 0; i < caches.gl_pathc; i++) {
		f = fopen(caches.gl_pathv[i], "w");
		if (!f && errno != ENOENT)
			err(1, "%s", caches.gl_pathv[i]);
		if (!f)
			continue;
		fputs("1", f);
		fclose(f);
	}
	globfree(&caches);
}

/* Returns the objects of a cache that are in use. */
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
