/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errand.h - what a driver has the callers of its stream do for it
 *
 * A driver that has to sleep, as on a socket's lock, cannot do its work in put and
 * service procedures. A work item can, for two context switches a message. Who
 * calls the stream head can as well: he gives the driver what he sends without a
 * message, and fetches what has arrived when he looks for it; see direct.h too.
 *
 * While something is told to have arrived, each who waits for data has been woken
 * since, or has looked at the driver himself: so who puts it on the queue wakes
 * nobody. Where that does not hold any more, as a module that kept it from them is
 * popped, they are woken.
 *
 * The work item stays for all that no caller is there for: messages, readers who
 * want signals, a stream below a multiplexor.
 */
#ifndef _STREAMS_ERRAND_H
#define _STREAMS_ERRAND_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "head.h"

struct str_get;

/* All in process context with no perimeter and no lock but the reader's. */
struct str_errand_ops {
	/*
	 * Takes a message of a control part and data, and whatever becomes of it: 0;
	 * or nothing of it, -ENODATA: it is to be put as one; or -ERESTARTSYS, as
	 * up(). Nothing of it is to overtake what is on the write queue.
	 */
	int (*put)(queue_t *rq, const void *ctl, size_t len, struct iov_iter *from);
	/*
	 * Gives a reader what would be sent up for him next, while nothing is on the
	 * read queue: see str_get_is_next(). Returns as put(); with -ENODATA it may
	 * have been sent up.
	 */
	int (*get)(queue_t *rq, struct str_get *g);
	/*
	 * Sends up what has arrived: one message, or all that there is room for.
	 * Takes a lock, looks at str_errand_waits(), and if nothing more could go up
	 * calls str_errand_done() before it lets go of the lock: so who looks and
	 * waits for that finds the message, or that there is none. 0, or
	 * -ERESTARTSYS: the caller was killed while he waited for the lock.
	 */
	int (*up)(queue_t *rq, bool all);
	/*
	 * For poll(): 1 if there is a message that is EPOLLIN | EPOLLRDNORM, which is
	 * left where it is, as its way up would wake who looks; else 0, as one of
	 * up(). Waits for no lock: -EAGAIN, and str_errand_look_again() comes when it
	 * can be told.
	 */
	int (*look)(queue_t *rq);
};

struct str_errands {
	const struct str_errand_ops *ops;
	queue_t *rq;			/* the driver's read queue */
	int up;				/* something has arrived that may not be queued */
	mblk_t *told;			/* on its way to the queue, str_errand_put() */
	struct task_struct *teller;	/* who has put it there */
};

/* For a driver's open procedure, before qprocson(); -ENOMEM. */
int str_errands_begin(queue_t *rq, const struct str_errand_ops *ops);

/*
 * For what tells it that something has arrived, in any context: whether who looks for
 * it will call up(). If not, the work item has to.
 */
bool str_errand_up(queue_t *rq);

/*
 * Under the driver's lock, by who has sent up all that can go up now: it is on the
 * queue, and who looks from now on need not ask the driver. A full barrier: the
 * driver looks again for what has come meanwhile, and tells of it by
 * str_errand_up().
 */
void str_errand_done(queue_t *rq);
/*
 * As look() has said, or as nothing more keeps those who look from what they would
 * have been told of: they ask again, if there is something to ask for. For any queue
 * of the stream.
 */
void str_errand_look_again(queue_t *rq);
/*
 * For up() too: a putnext() of what str_errand_up() has woken all for who look. They
 * are not woken once more, or edge-triggered epoll would tell old news.
 */
void str_errand_put(queue_t *rq, mblk_t *mp);

/* For the head. */
int str_errand_look_now(struct stream *sd);
int str_errand_fetch_now(struct stream *sd, bool all);

/*
 * Whether something has arrived that may not be on the queue yet. Asked before a look
 * at the queue by who may sleep after it.
 */
static inline bool str_errand_waits(const struct stream *sd)
{
	const struct str_errands *e = READ_ONCE(sd->sd_errands);

	/* Acquire: who has fetched it has put it there before. */
	return unlikely(e) && smp_load_acquire(&e->up);
}

/*
 * For what has come to the read queue, once: whether it was told of before. Only to
 * who has put it on its way, and looks at told behind the queue: to others the message
 * may be another one by now, or its sender have looked at the queue before.
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
 * Nobody will look from now on, or who does comes too late for others: what has
 * arrived the driver's own read service procedure has sent up.
 */
void str_errand_leave(struct stream *sd);

/*
 * Before a look at the read queue; 1: look again; 0; or -ERESTARTSYS, which ends it.
 * Sleeps.
 */
static inline int str_errand_fetch(struct stream *sd, bool all)
{
	return str_errand_waits(sd) ? str_errand_fetch_now(sd, all) : 0;
}

/* For poll(), with nothing on the read queue: as the driver's look(). */
static inline int str_errand_look(struct stream *sd)
{
	return str_errand_waits(sd) ? str_errand_look_now(sd) : 0;
}

#endif /* _STREAMS_ERRAND_H */
