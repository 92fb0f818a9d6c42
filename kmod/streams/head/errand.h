/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errand.h - work that a driver leaves to the callers of its stream
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

/* All in process context with no perimeter and no lock but the reader's. */
struct str_errand_ops {
	/*
	 * Takes a message of a control part and data, and handles its errors:
	 * returns 0. If it takes none of it: -ENODATA, it is to be put as a
	 * message; or -ERESTARTSYS, as up(). None of it may overtake messages
	 * on the write queue. The data is in the user's memory, no page of
	 * which need be there: if it takes a part, it sees to the rest.
	 */
	int (*put)(queue_t *rq, const void *ctl, size_t len, struct iov_iter *from);
	/*
	 * Gives a reader the data that would be sent up for it next, while
	 * nothing is on the read queue: see str_get_is_next(). Returns as
	 * put(); with -ENODATA it may have been sent up.
	 */
	int (*get)(queue_t *rq, struct str_get *g);
	/*
	 * Sends up what has arrived: one message, or all that there is room
	 * for. Takes a lock, looks at str_errand_waits(), and if nothing more
	 * could be sent up calls str_errand_done() before it releases the
	 * lock: so a task that looks, and waits for that lock, finds the
	 * message, or that there is none. Returns 0, or -ERESTARTSYS: the
	 * caller was killed while it waited for the lock.
	 */
	int (*up)(queue_t *rq, bool all);
	/*
	 * For poll(): 1 if there is a message that is EPOLLIN | EPOLLRDNORM,
	 * which is left where it is, as sending it up would wake the task that
	 * looks; else 0, as one of up(). Waits for no lock: returns -EAGAIN,
	 * and str_errand_look_again() is called when the answer is known.
	 */
	int (*look)(queue_t *rq);
};

struct str_errands {
	const struct str_errand_ops *ops;
	queue_t *rq;			/* the driver's read queue */
	int up;				/* something has arrived that may not be queued */
	mblk_t *told;			/* on its way to the queue, str_errand_put() */
	struct task_struct *teller;	/* the task that put it there */
};

/* Called in a driver's open procedure, before qprocson(); -ENOMEM. */
int str_errands_begin(queue_t *rq, const struct str_errand_ops *ops);

/*
 * For the notification that something has arrived, in any context: whether a
 * task that looks for data will call up(). If not, the work item has to.
 */
bool str_errand_up(queue_t *rq);

/*
 * Called under the driver's lock, when all that can be sent up now has been:
 * it is on the queue, and a task that looks from now on need not ask the
 * driver. A full barrier: the driver looks again for data that has arrived
 * meanwhile, and reports it by str_errand_up().
 */
void str_errand_done(queue_t *rq);
/*
 * After look() has returned -EAGAIN, or when nothing more keeps from the tasks
 * that look what would have been reported to them: they ask again, if there is
 * something to ask for. For any queue of the stream.
 */
void str_errand_look_again(queue_t *rq);
/*
 * Sends data up; for up() too. str_errand_up() has already woken every task that looks for
 * the data. The tasks are not woken once more, or edge-triggered epoll would report the same
 * event twice.
 */
void str_errand_put(queue_t *rq, mblk_t *mp);

/* The head calls these two. */
int str_errand_look_now(struct stream *sd);
int str_errand_fetch_now(struct stream *sd, bool all);

/*
 * Returns whether something has arrived that may not be on the queue yet. A task that may
 * sleep after its look at the queue asks this before it.
 */
static inline bool str_errand_waits(const struct stream *sd)
{
	const struct str_errands *e = READ_ONCE(sd->sd_errands);

	/* Acquire: the task that fetched it put it there before. */
	return unlikely(e) && smp_load_acquire(&e->up);
}

/*
 * For a message that has come to the read queue, once: whether it was reported
 * before. True only for the task that sent it up, and that looks at told after
 * the queue: for others the message may be another one by now, or its sender
 * may have looked at the queue before.
 */
static inline bool str_errand_told(const struct stream *sd, const mblk_t *mp)
{
	struct str_errands *e = READ_ONCE(sd->sd_errands);

	if (likely(!e) || READ_ONCE(e->teller) != current || !in_task() ||
	    READ_ONCE(e->told) != mp)
		return false;
	WRITE_ONCE(e->told, NULL);
	return !READ_ONCE(sd->sd_rwatch);
}

/*
 * No task will look from now on, or a task that does is too late for others:
 * the driver's own read service procedure sends up what has arrived.
 */
void str_errand_leave(struct stream *sd);

/*
 * Called before a look at the read queue; 1: look again; 0; or -ERESTARTSYS, which ends it.
 * Sleeps.
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
