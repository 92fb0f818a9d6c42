/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errand.h - work that a driver leaves to the callers of its stream
 *
 * An errand is such a piece of work: a call of the stream head makes it on its way.
 *
 * A driver that has to sleep, as on a socket's lock, cannot do its work in put
 * and service procedures. A work item can, at the price of two context
 * switches a message. The caller of the stream head can as well: it gives the
 * driver the data it sends without a message, and fetches what has arrived
 * when it looks for data; see direct.h too.
 *
 * While an arrival is reported and not yet fetched, each task that waits for
 * data has been woken since, or has looked at the driver itself: so the task
 * that puts the data on the queue wakes no other. When that no longer holds,
 * as when a module that kept the data from the waiters is popped, they are
 * woken.
 *
 * The work item remains for all work without a caller: messages, readers that
 * want signals, a stream below a multiplexor.
 *
 * The gain without direct.h, in instructions of a message sent and received by
 * XTI: the work item alone takes 1.4 times as many over TCP and 1.2 times over UDP for
 * 64 bytes, 1.2 and 1.3 times for 4,096 bytes. In bursts of 16 it makes no difference
 * for 64 bytes, and 1.4 times for 4,096. (Measured as in direct.h.)
 */
#ifndef _STREAMS_ERRAND_H
#define _STREAMS_ERRAND_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "stream.h"

struct str_get;

/*
 * All operations run in process context, without a perimeter or a lock except
 * the reader's.
 */
struct str_errand_ops {
	/*
	 * A driver that has this one alone never calls str_errand_up().
	 *
	 * Takes a message of a control part and data, and handles its errors:
	 * returns 0. If no part of it is taken: returns -ENODATA, the caller
	 * puts the message; or -ERESTARTSYS, as up(). No part may overtake
	 * messages on the write queue. The data is in the user's memory, whose
	 * pages may all be missing: a driver that takes a part sees to the
	 * rest.
	 */
	int (*put)(queue_t *rq, const void *ctl, size_t len, struct iov_iter *from);
	/*
	 * Gives a reader the data that would be sent up for it next, while the
	 * read queue is empty: see str_get_is_next(). Returns as put(); with
	 * -ENODATA the data may have been sent up.
	 */
	int (*get)(queue_t *rq, struct str_get *g);
	/*
	 * Sends up what has arrived: one message, or as many as fit. The driver
	 * takes a lock, looks at str_errand_waits(), and if nothing more could
	 * be sent up calls str_errand_done() before it releases the lock: so a
	 * task that looks, and waits for that lock, finds the message, or an
	 * empty queue. Returns 0, or -ERESTARTSYS: the caller was killed while
	 * it waited for the lock.
	 */
	int (*up)(queue_t *rq, bool all);
	/*
	 * Answers poll(): returns 1 if there is a message that is EPOLLIN |
	 * EPOLLRDNORM, which stays where it is: sending it up would wake the
	 * task that looks. Else returns 0, as one of up(). The function waits
	 * for no lock: it returns -EAGAIN, and str_errand_look_again() is
	 * called when the answer is known.
	 */
	int (*look)(queue_t *rq);
};

struct str_errands {
	const struct str_errand_ops *ops;
	const bool *declines;		/* while it is set, put() is not called; or NULL */
	queue_t *rq;			/* the driver's read queue */
	int up;				/* something has arrived that may not be queued */
	mblk_t *reported;		/* on its way to the queue, str_errand_put() */
	struct task_struct *teller;	/* the task that put it there */
};

/*
 * Called in a driver's open procedure, before qprocson(). Returns -ENOMEM when
 * memory is short.
 */
int str_errands_begin(queue_t *rq, const struct str_errand_ops *ops, const bool *declines);

/*
 * Reports that something has arrived; called in any context. Returns whether a
 * task that looks for data will call up(). If not, the work item has to.
 */
bool str_errand_up(queue_t *rq);

/*
 * Called under the driver's lock, when everything that can be sent up now is on
 * the queue: a task that looks from now on need not ask the driver. A full
 * barrier: the driver then looks again for data that has arrived meanwhile, and
 * reports it by str_errand_up().
 */
void str_errand_done(queue_t *rq);
/*
 * Makes the tasks that look ask again, if there is something to ask for. Called
 * after look() has returned -EAGAIN, or when nothing more keeps from those
 * tasks what would have been reported to them. rq: any queue of the stream.
 */
void str_errand_look_again(queue_t *rq);
/*
 * Sends data up; up() uses it too. str_errand_up() has already woken every task
 * that looks for the data. The tasks are not woken once more, or edge-triggered
 * epoll would report the same event twice.
 */
void str_errand_put(queue_t *rq, mblk_t *mp);

/* Only the head calls these two. */
int str_errand_look_now(struct stream *sd);
int str_errand_fetch_now(struct stream *sd, bool all);

/*
 * Returns whether something has arrived that may not be on the queue yet. A task that may
 * sleep after its look at the queue asks this before it.
 */
static inline bool str_errand_waits(const struct stream *sd)
{
	const struct str_errands *e = READ_ONCE(sd->sd_errands);

	/*
	 * Acquire: a task that fetched data queued it before it cleared the
	 * flag.
	 */
	return unlikely(e) && smp_load_acquire(&e->up);
}

/*
 * Returns whether a message that has come to the read queue was reported
 * before; called once for each. The result is true only for the task that sent
 * the message up, and that looks at reported after the queue: for others the
 * message may be another one by now, or its sender may have looked at the queue
 * before.
 */
static inline bool str_errand_reported(const struct stream *sd, const mblk_t *mp)
{
	struct str_errands *e = READ_ONCE(sd->sd_errands);

	if (likely(!e) || READ_ONCE(e->teller) != current || !in_task() ||
	    READ_ONCE(e->reported) != mp)
		return false;
	WRITE_ONCE(e->reported, NULL);
	return !READ_ONCE(sd->sd_rwatch);
}

/*
 * Called when no task will look from now on, or a task that does is too late
 * for others: the driver's own read service procedure sends up what has
 * arrived.
 */
void str_errand_leave(struct stream *sd);

/*
 * Called before a look at the read queue; may sleep. Returns 1: look again; 0;
 * or -ERESTARTSYS: the caller gives up.
 */
static inline int str_errand_fetch(struct stream *sd, bool all)
{
	return str_errand_waits(sd) ? str_errand_fetch_now(sd, all) : 0;
}

/* Does what the driver's look() does; called by poll(), with nothing on the read queue. */
static inline int str_errand_look(struct stream *sd)
{
	return str_errand_waits(sd) ? str_errand_look_now(sd) : 0;
}

#endif /* _STREAMS_ERRAND_H */
