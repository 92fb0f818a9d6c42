/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-sample.h - the open streams and the counters at a moment, and their rates */
#ifndef STRSTAT_SAMPLE_H
#define STRSTAT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "strstat-filter.h"
#include "strstat-proc.h"

/* The rates of a stream by direction, each second; -1: the kernel does not count it. */
enum rate {
	RATE_SENT_BYTES,
	RATE_RECEIVED_BYTES,
	RATE_SENT_MESSAGES,
	RATE_RECEIVED_MESSAGES,
	RATE_STOPS,
	RATE_DROPS,
	RATE_MAX
};

struct sample_stream {
	const struct open_stream *open;
	unsigned long long id;
	double rates[RATE_MAX];
	unsigned int fill;	/* percent, of the fullest of its queues */
};

struct sample {
	double time;			/* seconds since 1970 */
	double moment;			/* seconds of the clock CLOCK_MONOTONIC */
	struct open_streams open;
	struct counters counters;	/* empty: the user may not read them */
	double *counter_rates;		/* as many */
	struct sample_stream *streams;
	size_t n;
};

/* Returns the seconds of a clock. */
double sample_clock(clockid_t clock);

/* The key by which a rate's count is found in a stream. */
const char *rate_key(enum rate rate);

/* Takes a sample, and computes the rates since the one before, if there is one. */
void sample_take(struct sample *sample, const struct sample *before,
		 const struct filter *filter, bool counters);
void sample_free(struct sample *sample);

#endif /* STRSTAT_SAMPLE_H */
