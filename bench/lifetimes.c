// SPDX-License-Identifier: GPL-2.0-only
/* The cost of making, closing and keeping a channel */
#include <err.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptors.h"
#include "lifetimes.h"
#include "sample.h"

static struct run create_run(void *arg, unsigned long n)
{
	const struct work_options *o = arg;
	unsigned long i, warm = n / 8 + 16;
	struct channel c;
	uint64_t start = 0;

	for (i = 0; i < n + warm; i++) {
		if (i == warm)
			start = now_ns();
		channel_open(&c, o->transport, &o->channel);
		channel_close(&c);
	}
	return (struct run){ .ns = now_ns() - start, .messages = n };
}

void run_create(const struct work_options *o, size_t size)
{
	int i;

	for (i = 0; i < o->repeat; i++)
		measure(o, 0, "ns_per_open", create_run, (void *)o);
}

/*
 * Returns the bytes of free pages, including those that each processor keeps at
 * hand.
 */
static long long free_bytes(void)
{
	FILE *refresh = fopen("/proc/sys/vm/stat_refresh", "w");
	FILE *f = fopen("/proc/zoneinfo", "r");
	long long pages = 0, n;
	char line[256];

	/* A write by root adds up the counts that processors keep apart. */
	if (refresh) {
		fputs("1\n", refresh);
		fclose(refresh);
	}
	if (!f)
		err(1, "/proc/zoneinfo");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " pages free %lld", &n) == 1 ||
		    sscanf(line, " count: %lld", &n) == 1)
			pages += n;
	}
	fclose(f);
	if (!pages)
		errx(1, "/proc/zoneinfo does not report free pages");
	return pages * sysconf(_SC_PAGESIZE);
}

/*
 * Frees objects left in caches, which must not serve the measured operations.
 * Only root can do that.
 */
static void shrink_caches(void)
{
	glob_t paths;
	size_t i;

	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &paths))
		return;
	for (i = 0; i < paths.gl_pathc; i++) {
		FILE *f = fopen(paths.gl_pathv[i], "w");

		if (!f)
			break;
		fputs("1\n", f);
		fclose(f);
	}
	globfree(&paths);
}

void run_memory(const struct work_options *o, size_t size)
{
	struct channel *channels = calloc(o->pairs, sizeof(*channels));
	long long before, after;
	int i, k;

	if (!channels)
		err(1, "%d channels", o->pairs);
	memset(channels, 1, o->pairs * sizeof(*channels));
	room_for(3 * o->pairs + 64);
	for (i = 0; i < o->repeat; i++) {
		/*
		 * First come the one-time cost of a first channel, and the
		 * leftovers of the last round.
		 */
		channel_open(&channels[0], o->transport, &o->channel);
		channel_close(&channels[0]);
		usleep(300000);
		shrink_caches();
		before = free_bytes();
		for (k = 0; k < o->pairs; k++)
			channel_open(&channels[k], o->transport, &o->channel);
		after = free_bytes();
		sample(0, "bytes_per_open", (double)(before - after) / o->pairs);
		for (k = 0; k < o->pairs; k++)
			channel_close(&channels[k]);
	}
	free(channels);
}
