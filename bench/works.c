// SPDX-License-Identifier: GPL-2.0-only
/* The works of one process, and the table of all works */
#include <err.h>
#include <stdlib.h>

#include "descriptors.h"
#include "lifetimes.h"
#include "processes.h"
#include "sample.h"
#include "works.h"

/* One process sends and receives in turn: no waiting, no switching. */
struct turn {
	struct channel *channels;
	int count;
	size_t size;
	unsigned long burst;
};

static void exchange(struct channel *c, const struct turn *t)
{
	unsigned long left;

	for (left = t->burst; left; left--) {
		c->more = left > 1;
		c->transport->send(c, out_data, t->size);
	}
	for (left = t->burst; left; left--)
		c->transport->receive(c, in_data, t->size);
}

/* Exchanges at least n messages, in whole bursts. */
static struct run turn_run(void *arg, unsigned long n)
{
	struct turn *t = arg;
	unsigned long i, calls = 0;
	unsigned long rounds = (n + t->burst - 1) / t->burst;
	unsigned long warm = at_least(rounds / 8 + 16, t->count);
	uint64_t start = 0;
	int k = 0, j;

	for (j = 0; j < t->count; j++)
		t->channels[j].calls = 0;
	for (i = 0; i < rounds + warm; i++) {
		if (i == warm)
			start = busy_ns();
		exchange(&t->channels[k], t);
		if (++k == t->count)
			k = 0;
	}
	start = busy_ns() - start;
	for (j = 0; j < t->count; j++)
		calls += t->channels[j].calls;
	return (struct run){
		.ns = start,
		.messages = rounds * t->burst,
		.calls = (double)calls * rounds / (rounds + warm) + 0.5,
	};
}

static unsigned long burst_of(const struct work_options *o, size_t size)
{
	unsigned long most = at_least(BURST_BYTES / size, 1);

	return o->burst < most ? o->burst : most;
}

static void run_channels(const struct work_options *o, size_t size, int count)
{
	struct turn t = {
		.count = count,
		.size = size,
		.burst = burst_of(o, size),
	};
	struct work_options some = *o;
	int i, k;

	t.channels = calloc(count, sizeof(*t.channels));
	if (!t.channels)
		err(1, "%d channels", count);
	room_for(2 * count + 64);
	for (k = 0; k < count; k++)
		channel_open(&t.channels[k], o->transport, &o->channel);
	/* Each channel has its turn at least twice. */
	if (o->count)
		some.count = at_least(o->count, 2ul * count);
	for (i = 0; i < o->repeat; i++) {
		struct run r = measure(&some, size, "ns_per_message", turn_run, &t);

		sample(size, "system_calls_per_message", (double)r.calls / r.messages);
	}
	for (k = 0; k < count; k++)
		channel_close(&t.channels[k]);
	free(t.channels);
}

static void run_turn(const struct work_options *o, size_t size)
{
	run_channels(o, size, 1);
}

static void run_many(const struct work_options *o, size_t size)
{
	run_channels(o, size, o->pairs);
}

const struct work works[] = {
	{ "turn", "one process sends and receives in turn", true, run_turn },
	{ "two", "a process sends, another receives", true, run_two },
	{ "rtt", "two processes, there and back", true, run_rtt },
	{ "many", "as turn, over --pairs channels round robin", true, run_many },
	{ "jobs", "--jobs processes, each as turn", true, run_jobs },
	{ "create", "make and close a channel", false, run_create },
	{ "memory", "memory of --pairs idle channels", false, run_memory },
	{ }
};
