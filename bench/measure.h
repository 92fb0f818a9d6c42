/* SPDX-License-Identifier: GPL-2.0-only */
/* measure.h - how a cost is measured */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "transport.h"

struct work_options {
	const struct transport *transport;
	struct transport_options channel;
	unsigned long count;	/* messages N: the cost is of N more; 0: by time */
	unsigned long time_ms;	/* how long a measurement takes */
	int repeat;		/* measurements of each size */
	int pairs;		/* channels: many, memory */
	int jobs;		/* processes: jobs */
	unsigned long burst;	/* messages sent before they are received: turn */
};

/* The data of all messages; received data is stored elsewhere. */
#define DATA_MOST	1048576
extern char out_data[DATA_MOST], in_data[DATA_MOST];

/* A burst has no more bytes than every channel has room for. */
#define BURST_BYTES	16384

/* The cost of a run of messages */
struct run {
	unsigned long long ns;
	unsigned long messages;
	unsigned long lost;
	unsigned long calls;	/* system calls that send or receive */
	unsigned long switches;
};

/* Runs n messages; @arg is the work's own. */
typedef struct run (*run_fn)(void *arg, unsigned long n);

/*
 * The cost of one message: of N more messages (count), or on average over
 * time. Prints it as @metric and returns the run it is from.
 */
struct run measure(const struct work_options *o, size_t size, const char *metric,
		   run_fn run, void *arg);

/* Returns the larger of a number and the least that it may be. */
static inline unsigned long at_least(unsigned long n, unsigned long least)
{
	return n > least ? n : least;
}

#endif /* BENCH_MEASURE_H */
