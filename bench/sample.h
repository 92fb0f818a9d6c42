/* SPDX-License-Identifier: GPL-2.0-only */
/* sample.h - time, and one measured value printed */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Returns nanoseconds; where the clock counts instructions (icount), instructions. */
static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/*
 * Returns nanoseconds too; after busy_only(), on one processor, without the time
 * it was idle: where instructions are counted, waiting for a timer costs
 * nothing.
 */
uint64_t busy_ns(void);
void busy_only(void);

/* Prints a line of JSON on standard output. */
void sample(size_t size, const char *metric, double value);

/* Prints p50, p99 and p99.9 of values, which it sorts. */
void sample_percentiles(size_t size, uint32_t *values, size_t count);

/* Returns the voluntary and other context switches of this process so far. */
unsigned long switches(void);

#endif /* BENCH_SAMPLE_H */
