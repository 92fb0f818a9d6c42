// SPDX-License-Identifier: GPL-2.0-only
/* How a cost is measured */
#include <err.h>
#include <unistd.h>

#include "measure.h"
#include "sample.h"

char out_data[DATA_MOST], in_data[DATA_MOST];

static struct run by_count(const struct work_options *o, size_t size, const char *metric,
			   run_fn run, void *arg)
{
	struct run once, twice;

	run(arg, o->count / 4 + 1);
	once = run(arg, o->count);
	twice = run(arg, 2 * o->count);
	/* The one-time costs (starting, warming up) are in both runs. */
	if (twice.messages <= once.messages)
		errx(1, "of twice as many messages no more arrived; give a larger --count");
	sample(size, metric,
	       ((double)twice.ns - once.ns) / (twice.messages - once.messages));
	return twice;
}

static struct run by_time(const struct work_options *o, size_t size, const char *metric,
			  run_fn run, void *arg)
{
	unsigned long long target = o->time_ms * 1000000ull;
	unsigned long n = 64;
	struct run r = run(arg, n);

	/* Short runs say little about long ones: approach in steps. */
	while (r.ns < target / 2) {
		double factor = (double)target / at_least(r.ns, 1);

		n = at_least(n * (factor > 16 ? 16 : factor), n + 1);
		r = run(arg, n);
	}
	sample(size, metric, (double)r.ns / at_least(r.messages, 1));
	return r;
}

/*
 * Earlier runs leave work to the kernel and to the program that reads the
 * output: wait for its end.
 */
static void settle(void)
{
	usleep(50000);
}

struct run measure(const struct work_options *o, size_t size, const char *metric,
		   run_fn run, void *arg)
{
	settle();
	return (o->count ? by_count : by_time)(o, size, metric, run, arg);
}
