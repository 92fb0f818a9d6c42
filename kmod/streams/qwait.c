// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting in an open or close procedure for what messages bring
 *
 * Those procedures run outside the perimeter, beside put and service
 * procedures. So that no message is missed that comes between a look and the
 * wait, each procedure that ran since the last wait ends the next one at once.
 */
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "pair.h"

void pair_watch(struct queue_pair *qp, bool on)
{
	queue_t *q;

	for (q = &qp->rd; q <= &qp->wr; q++) {
		unsigned long flags;

		spin_lock_irqsave(&q->q_lock, flags);
		if (on)
			q->q_flag |= QWATCHED;
		else
			q->q_flag &= ~QWATCHED;
		spin_unlock_irqrestore(&q->q_lock, flags);
	}
}

void pair_ran(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	/* Release: who sees it sees what the procedure did. */
	smp_store_release(&qp->ran, qp->ran + 1);
	wake_up(&qp->ran_wait);
}

/* Whether something ran since the last time it was asked. */
static bool ran(struct queue_pair *qp)
{
	unsigned int n = smp_load_acquire(&qp->ran); /* as pair_ran() says */

	if (n == qp->seen)
		return false;
	qp->seen = n;
	return true;
}

/**
 * qwait() - wait until messages were handled
 * @q: a queue of the module that is being opened or closed
 *
 * Returns when a put or service procedure of the module's two queues, or a
 * function of qtimeout(), qbufcall() or qwriter(), has run since the open or
 * close procedure began, or since the last qwait(). Meanwhile other streams may
 * open and close the module, D_MTOCEXCL or not. Whether
 * what the caller waits for has come is for it to see, and to wait again.
 * qprocson() comes before, in an open procedure.
 *
 * Context: an open or close procedure; sleeps. Source: SVR4.2 DDI/DKI, Solaris
 * qwait(9F).
 */
void qwait(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	/* Others open and close meanwhile. */
	outer_open_unlock(qp->outer);
	wait_event(qp->ran_wait, ran(qp));
	outer_open_lock(qp->outer);
}
EXPORT_SYMBOL_GPL(qwait);

/**
 * qwait_sig() - wait until messages were handled, or a signal came
 * @q: as for qwait()
 *
 * Return: 1 as qwait(), 0 when a signal came first.
 * Context: as qwait(). Source: Solaris qwait_sig(9F).
 */
int qwait_sig(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	int err;

	outer_open_unlock(qp->outer);
	err = wait_event_interruptible(qp->ran_wait, ran(qp));
	outer_open_lock(qp->outer);
	return !err;
}
EXPORT_SYMBOL_GPL(qwait_sig);
