// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "sample.h"

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
