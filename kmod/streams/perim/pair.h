/* SPDX-License-Identifier: GPL-2.0-only */
/* The two queues of one module or driver on one stream */
#ifndef _STREAMS_PAIR_H
#define _STREAMS_PAIR_H

#include <linux/list.h>
#include <linux/wait.h>

#include "inbox.h"

/*
 * The messages for functions of qwriter(), each with its function, oldest first
 */
struct pair_writers {
	mblk_t *first;
	mblk_t *last;
};

struct queue_pair {
	queue_t rd;
	queue_t wr;
	const struct strmod *mod;	/* NULL: a driver, the head refers to it */
	struct strouter *outer;		/* its module's; NULL: all by default */
	long room;			/* bytes counted for its queues, sd_charge */
	bool joined;
	bool has_own;			/* own is there */
	/* qwait() */
	unsigned int ran;		/* procedures that ran while watched */
	wait_queue_head_t ran_wait;
	struct list_head waiters;	/* under ran_wait's lock */
	/* The calls by qtimeout() and qbufcall(), under the lock of calls.c */
	struct list_head calls;
	bool called;			/* there was one at some time */
	bool calls_ending;		/* no call is added any more */
	/* The lists of qwriter(), under writers_lock */
	spinlock_t writers_lock;
	struct pair_writers inner[2];	/* of rd, of wr */
	struct pair_writers outers[2];
	bool inner_posted;		/* inner_call is in the inbox */
	struct perim_call inner_call;
	struct list_head outer_list;	/* among the pairs of its module */
	struct rcu_head rcu;
	struct strperim own[];		/* the perimeter of both, by D_MTQPAIR */
};

static_assert(offsetof(struct queue_pair, wr) == sizeof(queue_t));

/* Valid only if q is not a stream head's. */
static inline struct queue_pair *pair_of(queue_t *q)
{
	return container_of(RD(q), struct queue_pair, rd);
}

#endif /* _STREAMS_PAIR_H */
