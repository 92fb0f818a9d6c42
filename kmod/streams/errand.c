// SPDX-License-Identifier: GPL-2.0-only
/* What a driver has the callers of its stream do for it: see errand.h */
#include <linux/atomic.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "errand.h"
#include "perim.h"
#include "queue.h"

/* What is read where it has arrived, and what a module may have made of it. */
#define ERRAND_DATA	(EPOLLIN | EPOLLRDNORM)
#define ERRAND_ANY	(ERRAND_DATA | EPOLLRDBAND | EPOLLPRI)

int str_errands_begin(queue_t *rq, const struct str_errand_ops *ops)
{
	struct str_errands *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);

	if (!e)
		return -ENOMEM;
	e->ops = ops;
	e->rq = rq;
	/* Goes with the stream, which nobody else has found yet. */
	rq->q_stream->sd_errands = e;
	return 0;
}
EXPORT_SYMBOL_GPL(str_errands_begin);

/*
 * Whether who looks for what has arrived fetches it. A module that has work of its own
 * to do with it is given it though nobody looks.
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
	 * A full barrier: behind what has arrived, and before the looks at who reads.
	 * It pairs with those who change that and then call str_errand_leave(), and
	 * with who has a place in the list before he looks.
	 */
	xchg(&e->up, true);
	if (!str_errand_looked_for(sd))
		return false;
	/* Behind the barrier above. */
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
	smp_mb(); /* after what says so; pairs with str_errand_up() */
	if (READ_ONCE(e->up))
		qenable(e->rq);
}

void str_errand_done(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	/* Another has the perimeter, and a message is left for him to take in. */
	perim_settle(sd->sd_perim);
	/*
	 * Behind the message, and before the driver's look: what arrives behind that
	 * sets it again.
	 */
	xchg(&sd->sd_errands->up, false);
}
EXPORT_SYMBOL_GPL(str_errand_done);

void str_errand_put(queue_t *rq, mblk_t *mp)
{
	struct stream *sd = rq->q_stream;
	struct str_errands *e = sd->sd_errands;

	/* What modules make of it, and when, only they know. */
	if (!READ_ONCE(sd->sd_nown)) {
		WRITE_ONCE(e->told, mp);
		WRITE_ONCE(e->teller, current);
	}
	putnext(rq, mp);
	/* What comes there later is not waited for by who looks then. */
	WRITE_ONCE(e->teller, NULL);
	WRITE_ONCE(e->told, NULL);
}
EXPORT_SYMBOL_GPL(str_errand_put);

void str_errand_look_again(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	if (!sd->sd_errands)
		return;
	smp_mb(); /* after what kept them from it; pairs with str_errand_up() */
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
	/* A module may take all that is fetched, as long as there is more. */
	if (signal_pending(current) && !READ_ONCE(str_rq(sd)->q_first) &&
	    str_errand_waits(sd))
		return -ERESTARTSYS;
	return 1;
}
