// SPDX-License-Identifier: GPL-2.0-only
/* What a driver has the callers of its stream do for it: see errand.h */
#include <linux/atomic.h>
#include <linux/slab.h>

#include "errand.h"
#include "perim.h"
#include "queue.h"

/* What kind of message it makes is not known before it is fetched. */
#define ERRAND_POLL	(EPOLLIN | EPOLLRDNORM | EPOLLRDBAND | EPOLLPRI)

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

bool str_errand_mine(queue_t *wq)
{
	struct str_errands *e = wq->q_stream->sd_errands;

	/* One of several callers may find another there: then it is not his. */
	return e && in_task() && READ_ONCE(e->caller) == current;
}
EXPORT_SYMBOL_GPL(str_errand_mine);

void str_errand_down(queue_t *wq)
{
	WRITE_ONCE(wq->q_stream->sd_errands->down, true);
}
EXPORT_SYMBOL_GPL(str_errand_down);

/* Whether who looks for what has arrived fetches it. */
static bool str_errand_looked_for(const struct stream *sd)
{
	return !READ_ONCE(sd->sd_rwatch) &&
	       !(READ_ONCE(sd->sd_flag) & (STR_PLEX | STR_CLOSING));
}

bool str_errand_up(queue_t *rq)
{
	struct stream *sd = rq->q_stream;
	struct str_errands *e = sd->sd_errands;

	if (!e)
		return false;
	WRITE_ONCE(e->up, true);
	/*
	 * Before the look at who reads; pairs with those who change that and then
	 * call str_errand_leave().
	 */
	smp_mb();
	if (!str_errand_looked_for(sd))
		return false;
	str_wake_reader(sd, ERRAND_POLL);
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

bool str_errand_take(queue_t *rq)
{
	/* Before the driver looks: what arrives behind its look sets it again. */
	return xchg(&rq->q_stream->sd_errands->up, false);
}
EXPORT_SYMBOL_GPL(str_errand_take);

bool str_errand_peek_now(struct stream *sd)
{
	struct str_errands *e = sd->sd_errands;

	/* What modules make of it only they know. */
	return !READ_ONCE(sd->sd_npush) && e->ops->peek(e->rq);
}

bool str_errand_fetch_now(struct stream *sd, bool all)
{
	struct str_errands *e = sd->sd_errands;
	bool more;

	/* Who looks meanwhile waits in up(), and finds the message. */
	atomic_inc(&e->busy);
	more = e->ops->up(e->rq, all);
	if (more)
		WRITE_ONCE(e->up, true);
	/* A writer has the perimeter, and the message is left for him to take in. */
	if (!READ_ONCE(str_rq(sd)->q_first) && !perim_idle(sd->sd_perim))
		perim_pass(sd->sd_perim);
	smp_mb__before_atomic(); /* the message before busy; see str_errand_waits() */
	atomic_dec(&e->busy);
	if (!more)
		return true;
	/* Nobody may come for it. */
	smp_mb(); /* as in str_errand_up() */
	if (!str_errand_looked_for(sd))
		qenable(e->rq);
	return true;
}

void str_errand_send_now(struct stream *sd)
{
	struct str_errands *e = sd->sd_errands;

	/* What he puts elsewhere may lead here too, with nobody to call down(). */
	if (READ_ONCE(e->caller) == current)
		WRITE_ONCE(e->caller, NULL);
	if (READ_ONCE(e->down) && xchg(&e->down, false))
		e->ops->down(e->rq);
}
