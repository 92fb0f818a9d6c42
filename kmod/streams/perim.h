/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perimeter: what makes a stream single-threaded
 *
 * Put and service procedures of a stream run one at a time. Who finds the
 * perimeter free becomes its owner; who finds it busy leaves an item in the
 * inbox and goes. The owner works the inbox off on its way out. Nobody ever
 * spins or sleeps for the perimeter, but for a caller of perim_lock(), to
 * whom the owner hands it over.
 */
#ifndef _STREAMS_PERIM_H
#define _STREAMS_PERIM_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <sys/stream.h>

/* Items an owner works off before it hands the rest to the bottom half. */
#define PERIM_BUDGET	256

struct strperim {
	/*
	 * Units of work not yet done: one for the owner's own and one for
	 * each item in the inbox. Free at 0.
	 */
	atomic_t pending;
	struct llist_head inbox;	/* newest first */
	void *owner;			/* perim_self() of the owner */
	/* The owner's: */
	int done;			/* units done, not yet taken off pending */
	bool foreign;			/* not that of a whole stream */
	bool mixed;			/* of a stream, where others are as well */
	struct llist_node *todo;	/* taken from the inbox, oldest first */
	struct llist_node *serve;	/* enabled queues, oldest first */
	struct llist_node **serve_tail;
	struct llist_node sched;	/* on a CPU's list, handed to its bottom half */
	struct mutex plumb;		/* of a stream: its queues are joined, parted */
};

/* A function that runs inside, in place of a message. */
struct perim_call {
	struct strperim_item item;
	void (*func)(struct perim_call *call);
};

void perim_init(struct strperim *p);

/* For plumbing: process context, sleeps until the perimeter is handed over. */
void perim_lock(struct strperim *p);
void perim_unlock(struct strperim *p);
/*
 * Who holds the perimeter so has the messages handled that wait in it for two
 * queues, and nothing else.
 */
void perim_puts(struct strperim *p, const queue_t *rd, const queue_t *wr);
/* What is in the perimeter when it is called is done when it returns. */
void perim_pass(struct strperim *p);
/* Waits until nobody is inside; for who is about to free it. */
void perim_quiesce(struct strperim *p);

/* Whether it is the caller's, maybe further up the call chain. */
bool perim_owned(const struct strperim *p);
/* Whether the caller runs inside, and in no other perimeter further in. */
bool perim_inside(const struct strperim *p);
/*
 * For the owner, not to be preempted: procedures of p run from here on, NULL:
 * of none. Returns whose did before, to be given back afterwards.
 */
struct strperim *perim_within(struct strperim *p);

/*
 * Nobody is inside, and nothing that the caller left in the inbox still waits.
 * pending alone does not tell: it is 0 too when a unit was taken off before it
 * was counted and another has come since. Looked at in this order, as an item
 * that has left the inbox has an owner, who keeps pending above 0 until it is
 * done.
 */
static inline bool perim_idle(const struct strperim *p)
{
	if (!llist_empty(&p->inbox))
		return false;
	smp_rmb(); /* the inbox before pending, see above */
	return atomic_read(&p->pending) == 0;
}

/* What the caller has left in it, or another took in before, is done. Sleeps. */
static inline void perim_settle(struct strperim *p)
{
	if (!perim_idle(p))
		perim_pass(p);
}

/* Runs q's put procedure, or the one after q's, or leaves mp in the inbox. */
void perim_put(queue_t *q, mblk_t *mp);
void perim_putnext(queue_t *q, mblk_t *mp);

/* Has a function run, here or by the owner; call is its own until then. */
void perim_call(struct strperim *p, struct perim_call *call);
void perim_hold_back(queue_t *q);

static inline bool perim_crowded(const struct strperim *p)
{
	/* What is done is taken off only when all is: it is no crowd. */
	return atomic_read(&p->pending) - READ_ONCE(p->done) > PERIM_BUDGET;
}

/*
 * For who sends from q, a stream head's, what no queue counts: not more than is
 * worked off. Sleeps.
 */
static inline void perim_throttle(queue_t *q)
{
	const struct strperim *p = q->q_perim;

	if (unlikely(READ_ONCE(p->mixed) || perim_crowded(p)))
		perim_hold_back(q);
}

/*
 * Has an enabled queue (bit 0 of q_sched just set by the caller) served.
 * perim_enable() never runs it in the caller; perim_enable_now() may, so its
 * caller holds no lock. Both in any context.
 */
void perim_enable(queue_t *q);
void perim_enable_now(queue_t *q);

int __init sched_init(void);
void sched_exit(void);

/* Hands an owned perimeter to this CPU's bottom half. */
void sched_handoff(struct strperim *p);
/* The bottom half's call: works p off as its new owner. */
void perim_resume(struct strperim *p);

#endif /* _STREAMS_PERIM_H */
