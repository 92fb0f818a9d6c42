/* SPDX-License-Identifier: GPL-2.0-only */
/* opener.h - an open() in a thread, because it may wait */
#ifndef OPENER_H
#define OPENER_H

#include "streams-test.h"

#include <time.h>

struct opener {
	pthread_t thread;
	const char *name;
	int flags, fd, error;
	bool done;
	pid_t tid;
};

static inline void *open_run(void *arg)
{
	struct opener *o = arg;

	o->fd = open(o->name, o->flags);
	o->error = errno;
	__atomic_store_n(&o->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static inline void open_begin(struct opener *o, const char *name, int flags)
{
	*o = (struct opener){ .name = name, .flags = flags };
	o->thread = thread_begin(open_run, o, &o->tid);
}

/*
 * Waits for the open to return, as long as a wakeup may take on a busy machine.
 */
static inline int open_end(struct opener *o)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_SECONDS;
	IS(pthread_timedjoin_np(o->thread, NULL, &until), 0);
	errno = o->error;
	return o->fd;
}

/* Returns whether the opener sleeps in its open(), or its thread has ended. */
static inline bool open_waits(struct opener *o)
{
	UNTIL(thread_rests(o->tid));
	return !__atomic_load_n(&o->done, __ATOMIC_ACQUIRE);
}

#endif /* OPENER_H */
