// SPDX-License-Identifier: GPL-2.0-only
/* Works of several processes */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processes.h"
#include "sample.h"

#define END_MARK	'e'
#define JOBS_MOST	256

/* The values that the processes share */
struct shared {
	atomic_int ready;
	atomic_int go;
	atomic_int done;
	struct run run[JOBS_MOST];
};

static struct shared *shared(void)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		err(1, "mmap");
	return s;
}

/* Makes a process by fork(), which does not outlive its parent. */
static pid_t child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0)
		err(1, "waitpid");
	if (status)
		errx(1, "the other process failed");
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = {};

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

struct peers {
	const struct work_options *options;
	struct channel there;
	struct channel back;
	size_t size;
	uint32_t *latencies;	/* of the last run's round trips */
	unsigned long room;
};

static unsigned long warmup(unsigned long n)
{
	return n / 8 + 16;
}

/* Receives until all have come, or until the mark where some may be lost. */
static void drain(struct channel *c, size_t size, unsigned long n, struct run *r)
{
	unsigned long before = switches();

	c->calls = 0;
	while (r->messages < n) {
		c->transport->receive(c, in_data, size);
		if (c->transport->lossy && in_data[0] == END_MARK)
			break;
		r->messages++;
	}
	r->ns = busy_ns();
	r->calls = c->calls;
	r->switches = switches() - before;
}

static struct run two_run(void *arg, unsigned long n)
{
	struct peers *p = arg;
	struct channel *c = &p->there;
	struct shared *s = shared();
	unsigned long i, before;
	uint64_t start;
	struct run r;
	pid_t pid = child();

	if (pid == 0) {
		drain(c, p->size, n, &s->run[0]);
		s->done = 1;
		_exit(0);
	}
	before = switches();
	c->calls = 0;
	start = busy_ns();
	for (i = 0; i < n; i++) {
		c->more = i + 1 < n;
		c->transport->send(c, out_data, p->size);
	}
	if (c->transport->lossy) {
		out_data[0] = END_MARK;
		while (!s->done && !has_ended(pid)) {
			c->transport->send(c, out_data, p->size);
			sched_yield();
		}
		out_data[0] = 'd';
	}
	wait_for(pid);
	r = s->run[0];
	if (!r.messages)
		errx(1, "all of %lu messages were lost", n);
	r.ns -= start;
	r.lost = n - r.messages;
	r.calls += c->calls;
	r.switches += switches() - before;
	munmap(s, sizeof(*s));
	return r;
}

/* End marks that came late must not end the next run. */
static void reopen(struct peers *p)
{
	channel_close(&p->there);
	channel_open(&p->there, p->options->transport, &p->options->channel);
}

static struct run two_run_fresh(void *arg, unsigned long n)
{
	reopen(arg);
	return two_run(arg, n);
}

void run_two(const struct work_options *o, size_t size)
{
	struct peers p = { .options = o, .size = size };
	int i;

	channel_open(&p.there, o->transport, &o->channel);
	for (i = 0; i < o->repeat; i++) {
		struct run r = measure(o, size, "ns_per_message", two_run_fresh, &p);

		sample(size, "system_calls_per_message", (double)r.calls / r.messages);
		sample(size, "context_switches_per_message",
		       (double)r.switches / r.messages);
		if (o->transport->lossy)
			sample(size, "lost_percent",
			       100.0 * r.lost / (r.lost + r.messages));
	}
	channel_close(&p.there);
}

static struct run rtt_run(void *arg, unsigned long n)
{
	struct peers *p = arg;
	struct channel *c = &p->there, *b = &p->back;
	unsigned long i, warm = warmup(n), before;
	uint64_t start = 0, at, then;
	struct shared *s = shared();
	struct run r = { .messages = n };
	pid_t pid = child();

	if (pid == 0) {
		for (i = 0; i < n + warm; i++) {
			c->transport->receive(c, in_data, p->size);
			b->transport->send(b, in_data, p->size);
		}
		s->run[0].switches = switches();
		_exit(0);
	}
	if (p->latencies && n > p->room) {
		p->room = n;
		p->latencies = realloc(p->latencies, n * sizeof(*p->latencies));
		if (!p->latencies)
			err(1, "%lu round trips", n);
	}
	before = switches();
	c->calls = 0;
	b->calls = 0;
	for (i = 0; i < warm; i++) {
		c->transport->send(c, out_data, p->size);
		b->transport->receive(b, in_data, p->size);
	}
	start = now_ns();
	then = start;
	for (i = 0; i < n; i++) {
		c->transport->send(c, out_data, p->size);
		b->transport->receive(b, in_data, p->size);
		if (p->latencies) {
			at = now_ns();
			p->latencies[i] = at - then;
			then = at;
		}
	}
	r.ns = now_ns() - start;
	wait_for(pid);
	r.switches = switches() - before + s->run[0].switches;
	r.switches *= (double)n / (n + warm);
	/* The other process makes the same calls. */
	r.calls = 2 * (c->calls + b->calls) * ((double)n / (n + warm));
	munmap(s, sizeof(*s));
	return r;
}

void run_rtt(const struct work_options *o, size_t size)
{
	struct peers p = { .options = o, .size = size };
	int i;

	/*
	 * Where time counts instructions, those that read the clock would be
	 * counted.
	 */
	if (!o->count)
		p.latencies = malloc(sizeof(*p.latencies));
	channel_open(&p.there, o->transport, &o->channel);
	channel_open(&p.back, o->transport, &o->channel);
	for (i = 0; i < o->repeat; i++) {
		struct run r = measure(o, size, "ns_per_message", rtt_run, &p);

		if (p.latencies)
			sample_percentiles(size, p.latencies, r.messages);
		sample(size, "system_calls_per_message", (double)r.calls / r.messages);
		sample(size, "context_switches_per_message",
		       (double)r.switches / r.messages);
	}
	channel_close(&p.there);
	channel_close(&p.back);
	free(p.latencies);
}

static void job(const struct work_options *o, size_t size, struct shared *s, int k)
{
	struct run *r = &s->run[k];
	struct channel c;
	uint64_t start, end;

	channel_open(&c, o->transport, &o->channel);
	s->ready++;
	while (!s->go)
		sched_yield();
	start = now_ns();
	end = start + o->time_ms * 1000000;
	do {
		int i;

		for (i = 0; i < 32; i++) {
			c.transport->send(&c, out_data, size);
			c.transport->receive(&c, in_data, size);
		}
		r->messages += i;
		r->ns = now_ns() - start;
	} while (start + r->ns < end);
	_exit(0);
}

void run_jobs(const struct work_options *o, size_t size)
{
	pid_t pids[JOBS_MOST];
	int i, k;

	if (o->count)
		errx(2, "--work jobs takes a time (--time), not --count");
	if (o->jobs > JOBS_MOST)
		errx(2, "--jobs: %d at most", JOBS_MOST);
	for (i = 0; i < o->repeat; i++) {
		struct shared *s = shared();
		double rate = 0;

		for (k = 0; k < o->jobs; k++) {
			pids[k] = child();
			if (!pids[k])
				job(o, size, s, k);
		}
		while (s->ready < o->jobs) {
			if (waitpid(-1, NULL, WNOHANG) > 0)
				errx(1, "a process failed");
			sched_yield();
		}
		s->go = 1;
		for (k = 0; k < o->jobs; k++) {
			wait_for(pids[k]);
			rate += s->run[k].messages * 1e9 / s->run[k].ns;
		}
		sample(size, "messages_per_second", rate);
		munmap(s, sizeof(*s));
	}
}
