// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-watch.c - strstat --watch without a screen: tables, or lines of JSON */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "strstat-json.h"
#include "strstat-sample.h"
#include "strstat-table.h"
#include "strstat-watch.h"

static void sleep_for(double seconds)
{
	struct timespec ts = { .tv_sec = seconds };

	ts.tv_nsec = (seconds - ts.tv_sec) * 1e9;
	nanosleep(&ts, NULL);
}

static void print_sample(const struct sample *sample, bool json)
{
	if (json)
		json_print_sample(sample);
	else
		table_print(sample, stdout);
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_FAILURE, "standard output");
}

void watch_print(const struct watch *watch)
{
	struct sample before, sample;
	unsigned long n = 0;

	/* The first one tells only what the rates of the next one begin at. */
	sample_take(&before, NULL, &watch->filter, watch->counters);
	do {
		sleep_for(watch->seconds);
		sample_take(&sample, &before, &watch->filter, watch->counters);
		if (n && !watch->json)
			putchar('\n');
		print_sample(&sample, watch->json);
		sample_free(&before);
		before = sample;
	} while (++n != watch->count);
	sample_free(&before);
}
