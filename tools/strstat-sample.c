// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat-sample.c - the open streams and the counters at a moment, and their rates */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fill.h"
#include "must.h"
#include "strstat-sample.h"

static const char *const keys[RATE_MAX] = {
	[RATE_SENT_BYTES] = "sent_bytes",
	[RATE_RECEIVED_BYTES] = "received_bytes",
	[RATE_SENT_MESSAGES] = "sent_messages",
	[RATE_RECEIVED_MESSAGES] = "received_messages",
	[RATE_STOPS] = "stops",
	[RATE_DROPS] = "drops",
};

const char *rate_key(enum rate rate)
{
	return keys[rate];
}

double sample_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Returns the percentage of the fullest queue in a list "N/HIWAT:N/HIWAT,..." or "N/HIWAT". */
static unsigned int fullest(const char *list)
{
	unsigned int most = 0, percent;

	while (list && *list) {
		struct fill fill = { };

		list = fill_read(list, &fill);
		percent = fill_percent(fill);
		most = percent > most ? percent : most;
		list += !!*list;
	}
	return most;
}

static unsigned int fill_of(const struct open_stream *s)
{
	const char *queued = open_stream_get(s, "queued"), *hiwat = open_stream_get(s, "hiwat");
	unsigned int most = fullest(open_stream_get(s, "fill")), head = 0;

	if (queued && hiwat)
		head = fill_percent((struct fill){
			.bytes = strtoull(queued, NULL, 10),
			.hiwat = strtoull(hiwat, NULL, 10),
		});
	return head > most ? head : most;
}

/*
 * Returns what a count has grown by each second. The bytes of a pipe wrap at 32 bits, which
 * takes a second of more than 4 GB.
 */
static double rate_of(const struct open_stream *s, const struct open_stream *before,
		      const char *key, double seconds)
{
	const char *new = open_stream_get(s, key), *old = open_stream_get(before, key);
	unsigned long long grown;

	if (!new)
		return -1;
	/* The count begins when a pipe's bytes become messages. */
	grown = strtoull(new, NULL, 10) - (old ? strtoull(old, NULL, 10) : 0);
	if (grown >> 63)
		grown = (unsigned int)grown;
	return seconds > 0 ? grown / seconds : 0;
}

static unsigned long long id_of(const struct open_stream *s)
{
	const char *id = open_stream_get(s, "id");

	return id ? strtoull(id, NULL, 10) : 0;
}

/* The streams of both samples are in the order of their ids. */
static void rate_streams(struct sample *sample, const struct sample *before)
{
	static const struct open_stream none = { };
	size_t i, j = 0;
	int rate;

	for (i = 0; i < sample->n; i++) {
		struct sample_stream *s = &sample->streams[i];
		const struct open_stream *old = &none;

		while (before && j < before->n && before->streams[j].id < s->id)
			j++;
		if (before && j < before->n && before->streams[j].id == s->id)
			old = before->streams[j].open;
		for (rate = 0; rate < RATE_MAX; rate++)
			s->rates[rate] = before ? rate_of(s->open, old, keys[rate],
							  sample->moment - before->moment) : -1;
	}
}

/* The kernel has the same counters in the same order each time. */
static void rate_counters(struct sample *sample, const struct sample *before)
{
	double seconds = before ? sample->moment - before->moment : 0;
	size_t i;

	sample->counter_rates = must(calloc(sample->counters.n + 1, sizeof(double)));
	if (!before || before->counters.n != sample->counters.n || seconds <= 0)
		return;
	for (i = 0; i < sample->counters.n; i++)
		sample->counter_rates[i] = (sample->counters.list[i].value -
					    before->counters.list[i].value) / seconds;
}

void sample_take(struct sample *sample, const struct sample *before,
		 const struct filter *filter, bool counters)
{
	size_t i;

	*sample = (struct sample){
		.time = sample_clock(CLOCK_REALTIME),
		.moment = sample_clock(CLOCK_MONOTONIC),
	};
	proc_read_open(&sample->open);
	if (counters)
		proc_read_counters(&sample->counters);
	filter_apply(filter, &sample->open);
	sample->n = sample->open.n;
	sample->streams = must(calloc(sample->n + 1, sizeof(*sample->streams)));
	for (i = 0; i < sample->n; i++) {
		struct sample_stream *s = &sample->streams[i];

		s->open = &sample->open.list[i];
		s->id = id_of(s->open);
		s->fill = fill_of(s->open);
	}
	rate_streams(sample, before);
	rate_counters(sample, before);
}

void sample_free(struct sample *sample)
{
	free(sample->streams);
	free(sample->counter_rates);
	proc_free_open(&sample->open);
	proc_free_counters(&sample->counters);
}
