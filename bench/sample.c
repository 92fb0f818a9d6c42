// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sample.h"

static bool without_idle;

void busy_only(void)
{
	/* A process among several is idle while another works. */
	without_idle = sysconf(_SC_NPROCESSORS_ONLN) == 1;
}

/* Returns the idle time, which /proc/stat has in ticks only. */
static uint64_t idle_ns(void)
{
	FILE *f = fopen("/proc/timer_list", "r");
	unsigned long long sum = 0, n;
	char line[256];

	if (!f)
		err(1, "/proc/timer_list (root may read it)");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " .idle_sleeptime : %llu", &n) == 1)
			sum += n;
	}
	fclose(f);
	return sum;
}

uint64_t busy_ns(void)
{
	uint64_t idle = without_idle ? idle_ns() : 0;

	return now_ns() - idle;
}

void sample(size_t size, const char *metric, double value)
{
	printf("{\"size\": %zu, \"metric\": \"%s\", \"value\": %.6g}\n", size, metric, value);
	fflush(stdout);
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void sample_percentiles(size_t size, uint32_t *values, size_t count)
{
	static const struct {
		const char *metric;
		double part;
	} wanted[] = {
		{ "latency_p50_us", 0.5 },
		{ "latency_p99_us", 0.99 },
		{ "latency_p999_us", 0.999 },
	};
	size_t i;

	qsort(values, count, sizeof(*values), compare);
	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		sample(size, wanted[i].metric, values[(size_t)(count * wanted[i].part)] / 1000.0);
}

unsigned long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}
