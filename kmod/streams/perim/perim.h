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

#include "streams/trace.h"
#include "inbox.h"

/*
 * The items that an owner handles before it hands the rest to the bottom half
 */
#define PERIM_BUDGET	256

void str_perim_init(struct strperim *p);

/*
 * Locks for plumbing: in process context, sleeps until the perimeter is handed
 * over.
 */
void str_perim_lock(struct strperim *p);
void str_perim_unlock(struct strperim *p);
/*
 * Handles the messages that wait in the perimeter for two queues, and no
 * others; for a caller that holds the perimeter by str_perim_lock().
 */
void perim_puts(struct strperim *p, const queue_t *rd, const queue_t *wr);
/* Waits until all items in the perimeter at the call are handled. */
void str_perim_pass(struct strperim *p);
/*
 * Waits until no caller is inside, before the perimeter is freed. A depositor
 * may still read the perimeter until a grace period has passed.
 */
void perim_quiesce(struct strperim *p);

/*
 * Returns whether the caller owns the perimeter, maybe further up the call
 * chain.
 */
bool str_perim_owned(const struct strperim *p);
/* Returns whether the caller runs inside, and in no other perimeter further in. */
bool perim_inside(const struct strperim *p);
/*
 * Records that procedures of p run from here on; NULL: procedures of no
 * perimeter. Called by the owner, which is not preempted. Returns the perimeter
 * whose procedures ran before, to be passed back afterwards.
 */
struct strperim *perim_within(struct strperim *p);

/*
 * Returns whether no caller is inside, and no item that the caller left in the
 * inbox still waits. The inbox is read first: an item that has left it has an
 * owner until it is handled.
 */
static inline bool perim_idle(const struct strperim *p)
{
	if (!llist_empty(&p->inbox))
		return false;
	smp_rmb(); /* the inbox before the owner, see above (litmus test perim_idle) */
	/* Acquire: the caller sees what the last owner did. */
	return !smp_load_acquire(&p->owner);
}

/*
 * Waits until the items that the caller left, or another took in, are handled.
 * Sleeps.
 */
static inline void perim_settle(struct strperim *p)
{
	if (!perim_idle(p))
		str_perim_pass(p);
}

/*
 * Runs q's put procedure, or that of the queue after q, or leaves mp in the
 * inbox.
 */
void perim_put(queue_t *q, mblk_t *mp);
void perim_putnext(queue_t *q, mblk_t *mp);

/* Does what perim_run_put() does, with its trace points. */
void perim_run_put_traced(queue_t *q, mblk_t *mp);

/* Runs a queue's put procedure in the caller, which the executive lets run it. */
static __always_inline void perim_run_put(queue_t *q, mblk_t *mp)
{
	if (unlikely(trace_streams_put_enabled() || trace_streams_put_done_enabled()))
		perim_run_put_traced(q, mp);
	else
		q->q_qinfo->qi_putp(q, mp);
}

/*
 * Runs a function, here or by the owner; call belongs to the perimeter until
 * then.
 */
void perim_call(struct strperim *p, struct perim_call *call);
int str_perim_hold_back(queue_t *q);

static inline bool perim_crowded(const struct strperim *p)
{
	return atomic_read(&p->left) - READ_ONCE(p->taken) > PERIM_BUDGET;
}

/* Returns whether a short look shows no crowded perimeter on the way from q. */
static inline bool perim_is_free(const queue_t *q)
{
	return !READ_ONCE(q->q_perim->mixed) && !perim_crowded(q->q_perim);
}

/*
 * Holds back a caller that sends messages that no queue counts from q, a stream
 * head's queue, until they are handled as fast as they are sent. Sleeps. If q's
 * own perimeter is crowded, the caller waits until the owner has handled the
 * messages there, which no signal ends; otherwise a signal ends the wait:
 * -ERESTARTSYS.
 */
static inline int perim_throttle(queue_t *q)
{
	return likely(perim_is_free(q)) ? 0 : str_perim_hold_back(q);
}

/*
 * Returns whether perim_throttle() would wait now; for a caller that may not
 * wait.
 */
bool str_perim_full(const queue_t *q);

/*
 * Has an enabled queue served, whose bit 0 of q_sched the caller has just set.
 * perim_enable() never runs the service procedure in the caller;
 * perim_enable_now() may, so its caller holds no lock. Both functions are
 * called in any context.
 */
void perim_enable(queue_t *q);
void perim_enable_now(queue_t *q);

/*
 * Called inside the perimeter when a procedure of a watched pair, or a function
 * it asked for, has returned.
 */
void perim_ran(queue_t *q);

/* Called by the bottom half: works as p's new owner. */
void perim_resume(struct strperim *p);

#endif /* _STREAMS_PERIM_H */
