/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perimeter, which makes a stream single-threaded
 *
 * Put and service procedures of a stream run one at a time. A caller that
 * finds the perimeter free becomes its owner. A caller that finds it busy
 * leaves an item in the inbox and returns. The owner processes the inbox
 * before it leaves. No procedure spins or sleeps for the perimeter. System calls
 * sleep in str_perim_lock(), until the owner hands the perimeter over, and in
 * str_perim_pass(), perim_settle() and perim_throttle().
 */
#ifndef _STREAMS_PERIM_H
#define _STREAMS_PERIM_H

#include "inbox.h"

/* Items an owner handles before it hands the rest to the bottom half. */
#define PERIM_BUDGET	256

void str_perim_init(struct strperim *p);

/* For plumbing: process context, sleeps until the perimeter is handed over. */
void str_perim_lock(struct strperim *p);
void str_perim_unlock(struct strperim *p);
/*
 * Handles the messages that wait in the perimeter for two queues, and nothing else; for a
 * caller that holds it by str_perim_lock().
 */
void perim_puts(struct strperim *p, const queue_t *rd, const queue_t *wr);
/* All items in the perimeter at the call are done when it returns. */
void str_perim_pass(struct strperim *p);
/*
 * Waits until no caller is inside; for use before the perimeter is freed: a
 * depositor may still read it until a grace period has passed.
 */
void perim_quiesce(struct strperim *p);

/* Whether the caller owns it, maybe further up the call chain. */
bool str_perim_owned(const struct strperim *p);
/* Returns whether the caller runs inside, and in no other perimeter further in. */
bool perim_inside(const struct strperim *p);
/*
 * Notes that procedures of p run from here on; NULL: procedures of no perimeter. For the
 * owner, which is not to be preempted. Returns the perimeter whose procedures ran before, to
 * be passed back afterwards.
 */
struct strperim *perim_within(struct strperim *p);

/*
 * No caller is inside, and no item that the caller left in the inbox still
 * waits. The inbox is read first: an item that has left it has an owner until it
 * is done.
 */
static inline bool perim_idle(const struct strperim *p)
{
	if (!llist_empty(&p->inbox))
		return false;
	smp_rmb(); /* the inbox before the owner, see above */
	/* Acquire: the caller sees what the last owner did. */
	return !smp_load_acquire(&p->owner);
}

/*
 * Waits until items the caller left in it, or another took in, are done.
 * Sleeps.
 */
static inline void perim_settle(struct strperim *p)
{
	if (!perim_idle(p))
		str_perim_pass(p);
}

/* Runs q's put procedure, or the one after q's, or leaves mp in the inbox. */
void perim_put(queue_t *q, mblk_t *mp);
void perim_putnext(queue_t *q, mblk_t *mp);

/* Has a function run, here or by the owner; call is its own until then. */
void perim_call(struct strperim *p, struct perim_call *call);
int str_perim_hold_back(queue_t *q);

static inline bool perim_crowded(const struct strperim *p)
{
	return atomic_read(&p->left) - READ_ONCE(p->taken) > PERIM_BUDGET;
}

/* Returns whether a short look tells that no perimeter is crowded on the way from q. */
static inline bool perim_is_free(const queue_t *q)
{
	return !READ_ONCE(q->q_perim->mixed) && !perim_crowded(q->q_perim);
}

/*
 * For a caller that sends from q, a stream head's queue, messages that no
 * queue counts: sends no more than is processed. Sleeps. If it is q's own perimeter
 * that is crowded, until the owner has done what is there, which no signal ends;
 * otherwise a signal ends the wait: -ERESTARTSYS.
 */
static inline int perim_throttle(queue_t *q)
{
	return likely(perim_is_free(q)) ? 0 : str_perim_hold_back(q);
}

/* Returns whether perim_throttle() would wait now; for a caller that may not. */
bool str_perim_full(const queue_t *q);

/*
 * Has an enabled queue (bit 0 of q_sched just set by the caller) served.
 * perim_enable() never runs it in the caller; perim_enable_now() may, so its
 * caller holds no lock. Both in any context.
 */
void perim_enable(queue_t *q);
void perim_enable_now(queue_t *q);

/* A procedure of a watched pair, or a function it asked for, returned. Inside. */
void perim_ran(queue_t *q);

/* Called by the bottom half: does the work of p as its new owner. */
void perim_resume(struct strperim *p);

#endif /* _STREAMS_PERIM_H */
