// SPDX-License-Identifier: GPL-2.0-only
/* Work that a driver leaves to the callers of its stream: see errand.h */
#include <linux/atomic.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "streams/perim/perim.h"
#include "errand.h"

/*
 * Events for data that is read where it has arrived, and that a module may
 * change.
 */
#define ERRAND_DATA	(EPOLLIN | EPOLLRDNORM)
#define ERRAND_ANY	(ERRAND_DATA | EPOLLRDBAND | EPOLLPRI)

int str_errands_begin(queue_t *rq, const struct str_errand_ops *ops, const bool *declines)
{
	struct str_errands *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);

	if (!e)
		return -ENOMEM;
	e->ops = ops;
	e->declines = declines;
	e->rq = rq;
	/*
	 * The structure is freed with the stream, which no other task has found
	 * yet.
	 */
	rq->q_stream->sd_errands = e;
	return 0;
}
EXPORT_SYMBOL_GPL(str_errands_begin);

/*
 * Returns whether the tasks that look for data fetch what has arrived. A module that has
 * work of its own to do with the data is given it even if no task looks.
 */
static bool str_errand_looked_for(const struct stream *sd)
{
	return !READ_ONCE(sd->sd_rwatch) && !READ_ONCE(sd->sd_nown) &&
	       !(READ_ONCE(sd->sd_flag) & (STR_PLEX | STR_CLOSING));
}

bool str_errand_up(queue_t *rq)
{
	struct stream *sd = rq->q_stream;
	struct str_errands *e = sd->sd_errands;

	if (!e)
		return false;
	/*
	 * A full barrier comes after the arrival, and before the looks for
	 * readers. It pairs with callers that change those and then call
	 * str_errand_leave(), and with a waiter that takes its place in the
	 * list before it looks.
	 */
	xchg(&e->up, true);
	if (!str_errand_looked_for(sd))
		return false;
	/* The look for sleepers comes behind the barrier above. */
	if (waitqueue_active(&sd->sd_rwait))
		wake_up_interruptible_sync_poll(&sd->sd_rwait, ERRAND_DATA);
	return true;
}
EXPORT_SYMBOL_GPL(str_errand_up);

void str_errand_leave(struct stream *sd)
{
	struct str_errands *e = sd->sd_errands;

	if (!e)
		return;
	smp_mb(); /* after that changed; pairs with str_errand_up() */
	if (READ_ONCE(e->up))
		qenable(e->rq);
}

void str_errand_done(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	/* Another task owns the perimeter and has a message left to take in. */
	perim_settle(sd->sd_perim);
	/*
	 * The flag is cleared behind the message, and before the driver's look:
	 * data that arrives after that sets the flag again.
	 */
	xchg(&sd->sd_errands->up, false);
}
EXPORT_SYMBOL_GPL(str_errand_done);

void str_errand_put(queue_t *rq, mblk_t *mp)
{
	struct stream *sd = rq->q_stream;
	struct str_errands *e = sd->sd_errands;

	/*
	 * Only the modules determine the resulting messages, and the time when
	 * these are sent.
	 */
	if (!READ_ONCE(sd->sd_nown)) {
		WRITE_ONCE(e->reported, mp);
		WRITE_ONCE(e->teller, current);
	}
	putnext(rq, mp);
	/*
	 * A task that looks then does not wait for messages that are queued
	 * later.
	 */
	WRITE_ONCE(e->teller, NULL);
	WRITE_ONCE(e->reported, NULL);
}
EXPORT_SYMBOL_GPL(str_errand_put);

void str_errand_look_again(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	if (!sd->sd_errands)
		return;
	smp_mb(); /* after that was removed; pairs with str_errand_up() */
	if (READ_ONCE(str_rq(sd)->q_first) || str_errand_waits(sd))
		wake_up_interruptible_poll(&sd->sd_rwait, ERRAND_ANY);
}
EXPORT_SYMBOL_GPL(str_errand_look_again);

int str_errand_look_now(struct stream *sd)
{
	struct str_errands *e = sd->sd_errands;

	return e->ops->look(e->rq);
}

int str_errand_fetch_now(struct stream *sd, bool all)
{
	struct str_errands *e = sd->sd_errands;
	int err = e->ops->up(e->rq, all);

	if (err)
		return err;
	cond_resched();
	/*
	 * A module may consume all that is fetched, as long as there is more.
	 */
	if (signal_pending(current) && !READ_ONCE(str_rq(sd)->q_first) &&
	    str_errand_waits(sd))
		return -ERESTARTSYS;
	return 1;
}
