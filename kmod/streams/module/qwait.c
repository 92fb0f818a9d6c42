// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting in an open or close procedure for the effects of messages
 *
 * Open and close procedures run outside the perimeter, beside put and service
 * procedures. So that no message is missed that comes between a look and the
 * wait, each procedure that ran since the last wait ends the next one at once.
 * Several tasks may be in the open procedure of one stream of a minor device:
 * each has its own last wait.
 */
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "streams/perim/pair.h"
#include "streams/perim/perim.h"
#include "streams/perim/qflag.h"
#include "outer.h"
#include "qwait.h"

static void queue_watch(queue_t *q, bool on)
{
	spin_lock(&q->q_lock);
	if (on)
		q->q_flag |= QWATCHED;
	else
		q->q_flag &= ~QWATCHED;
	spin_unlock(&q->q_lock);
}

/*
 * The flag is set under ran_wait's lock, so that the last one of two that begin
 * and end counts.
 */
static void pair_watch(struct queue_pair *qp)
{
	bool on = !list_empty(&qp->waiters);

	queue_watch(&qp->rd, on);
	queue_watch(&qp->wr, on);
}

void pair_wait_begin(struct queue_pair *qp, struct pair_waiter *waiter,
		     unsigned long patience)
{
	struct strperim *p = qp->rd.q_perim;

	waiter->task = current;
	waiter->limited = patience != MAX_SCHEDULE_TIMEOUT;
	waiter->end = jiffies + patience;
	spin_lock_irq(&qp->ran_wait.lock);
	waiter->seen = smp_load_acquire(&qp->ran); /* as ran() */
	list_add(&waiter->list, &qp->waiters);
	pair_watch(qp);
	spin_unlock_irq(&qp->ran_wait.lock);
	/*
	 * A procedure that began before the watch wakes no task: such a
	 * procedure ends before the caller looks at anything. Later procedures
	 * see the flag, as entering a perimeter is a full barrier.
	 */
	smp_mb(); /* the flag before the look for callers inside */
	if (!perim_idle(p))
		str_perim_pass(p);
	smp_mb(); /* that before what the caller looks at */
}

void pair_wait_end(struct queue_pair *qp, struct pair_waiter *waiter)
{
	spin_lock_irq(&qp->ran_wait.lock);
	list_del(&waiter->list);
	pair_watch(qp);
	spin_unlock_irq(&qp->ran_wait.lock);
}

/*
 * Returns the waiter of the caller, which is in an open or close procedure of
 * the pair.
 */
static struct pair_waiter *pair_waiter(struct queue_pair *qp)
{
	struct pair_waiter *waiter, *found = NULL;

	spin_lock_irq(&qp->ran_wait.lock);
	list_for_each_entry(waiter, &qp->waiters, list)
		if (waiter->task == current)
			found = waiter;
	spin_unlock_irq(&qp->ran_wait.lock);
	return found;
}

/* Returns whether a procedure ran since the last call. */
static bool ran(struct queue_pair *qp, struct pair_waiter *waiter)
{
	unsigned int n = smp_load_acquire(&qp->ran); /* as perim_ran() says */

	if (n == waiter->seen)
		return false;
	waiter->seen = n;
	return true;
}

/**
 * qwait() - wait until messages were handled
 * @q: a queue of the module that is being opened or closed
 *
 * Returns when a put or service procedure of the module's two queues, or a
 * function of qtimeout(), qbufcall() or qwriter(), has run since the open or
 * close procedure began, or since the last qwait(). Meanwhile other streams
 * may open and close the module, D_MTOCEXCL or not. The caller checks whether
 * the event it waits for has come, and waits again if not. An open procedure
 * calls qprocson() first.
 *
 * Context: an open or close procedure; sleeps. Source: SVR4.2 DDI/DKI, Solaris
 * qwait(9F).
 */
void qwait(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);
	struct pair_waiter *waiter = pair_waiter(qp);

	if (WARN_ON_ONCE(!waiter))
		return;
	/* Other streams may open and close the module meanwhile. */
	outer_open_unlock(qp->outer);
	wait_event(qp->ran_wait, ran(qp, waiter));
	outer_open_lock(qp->outer);
}
EXPORT_SYMBOL_GPL(qwait);

/**
 * qwait_sig() - wait until messages were handled, or a signal came
 * @q: as for qwait()
 *
 * All waits of a close procedure together are no longer than I_SETCLTIME allows. A task
 * that was killed does not wait, nor does a task that closes another user's stream.
 *
 * Return: 1 as qwait(), 0 when a signal, or the end of that time, came first.
 * Context: as qwait(). Source: Solaris qwait_sig(9F).
 */
int qwait_sig(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);
	struct pair_waiter *waiter = pair_waiter(qp);
	long left = MAX_SCHEDULE_TIMEOUT;

	if (WARN_ON_ONCE(!waiter))
		return 1;
	/* Messages that go on arriving do not prolong the time. */
	if (waiter->limited)
		left = waiter->end - jiffies;
	if (left <= 0)
		return 0;
	outer_open_unlock(qp->outer);
	left = wait_event_interruptible_timeout(qp->ran_wait, ran(qp, waiter), left);
	outer_open_lock(qp->outer);
	return left > 0;
}
EXPORT_SYMBOL_GPL(qwait_sig);
