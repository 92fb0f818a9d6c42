/* SPDX-License-Identifier: GPL-2.0-only */
/* The two queues of one module or driver on one stream */
#ifndef _STREAMS_PAIR_H
#define _STREAMS_PAIR_H

#include <linux/list.h>
#include <linux/wait.h>

#include "perim.h"
#include "stream.h"

/* Messages with the function of qwriter() they are for, oldest first. */
struct pair_writers {
	mblk_t *first;
	mblk_t *last;
};

struct queue_pair {
	queue_t rd;
	queue_t wr;
	const struct strmod *mod;	/* NULL: a driver, the head refers to it */
	struct strouter *outer;		/* its module's; NULL: all by default */
	bool joined;
	bool has_own;			/* own is there */
	/* qwait() */
	unsigned int ran;		/* procedures that ran while watched */
	wait_queue_head_t ran_wait;
	struct list_head waiters;	/* under ran_wait's lock */
	/* qtimeout(), qbufcall(); under calls.c's lock */
	struct list_head calls;
	bool called;			/* there was one at some time */
	bool calls_ending;		/* no new ones */
	/* qwriter(); lists under writers_lock */
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

/* plumb.c */
int __init plumb_init(void);
void plumb_exit(void);

/* q is not a stream head's. */
static inline struct queue_pair *pair_of(queue_t *q)
{
	return container_of(RD(q), struct queue_pair, rd);
}

/*
 * qwait.c: a task is in an open or close procedure of the pair; its qwait()
 * sees procedures that run meanwhile.
 */
struct pair_waiter {
	struct list_head list;
	struct task_struct *task;
	unsigned int seen;		/* ran, when its qwait() last returned */
};

void pair_wait_begin(struct queue_pair *qp, struct pair_waiter *waiter);
void pair_wait_end(struct queue_pair *qp, struct pair_waiter *waiter);
/* A procedure of a watched pair, or a function it asked for, returned. In the perimeter. */
void pair_ran(queue_t *q);

/* calls.c: no function of qtimeout() or qbufcall() runs any more. Sleeps. */
void pair_calls_end(struct queue_pair *qp);
int __init calls_init(void);
void calls_exit(void);

/*
 * outer.c: what the instances of a module share, as its flags say. NULL when
 * they share nothing, or an error.
 */
struct strouter *outer_alloc(unsigned int flags);
void outer_free(struct strouter *outer);
void pair_writers_init(struct queue_pair *qp, struct strouter *outer);
/* Whether its module's pairs have a perimeter each. */
bool outer_own(const struct strouter *o);
/* The perimeter of a pair on a stream. */
struct strperim *pair_perim(struct queue_pair *qp, struct strperim *stream);
void outer_enter(struct queue_pair *qp);
/* Waits until functions given to qwriter(PERIM_OUTER) have run. Sleeps. */
void outer_settle(struct queue_pair *qp);
/* After its procedures are off. Sleeps. */
void outer_leave(struct queue_pair *qp);
/* Around open and close procedures, one at a time if the module wants that. */
void outer_open_lock(struct strouter *outer);
void outer_open_unlock(struct strouter *outer);

#endif /* _STREAMS_PAIR_H */
