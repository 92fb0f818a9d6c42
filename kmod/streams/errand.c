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
	atomic_or(STR_ERRAND_UP, &e->state);
	/*
	 * Before the look at who reads; pairs with those who change that and then
	 * call str_errand_leave().
	 */
	smp_mb__after_atomic();
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
	if (atomic_read(&e->state) & STR_ERRAND_UP)
		qenable(e->rq);
}

bool str_errand_take(queue_t *rq)
{
	/* Before the driver looks: what arrives behind its look sets it again. */
	return atomic_fetch_andnot(STR_ERRAND_UP,
				   &rq->q_stream->sd_errands->state) &
	       STR_ERRAND_UP;
}
EXPORT_SYMBOL_GPL(str_errand_take);

void str_errand_put(queue_t *rq, mblk_t *mp)
{
	struct stream *sd = rq->q_stream;
	struct str_errands *e = sd->sd_errands;

	/* What modules make of it, and when, only they know. */
	if (!READ_ONCE(sd->sd_npush))
		WRITE_ONCE(e->told, mp);
	putnext(rq, mp);
	/* What comes there later is not waited for by who looks then. */
	WRITE_ONCE(e->told, NULL);
}
EXPORT_SYMBOL_GPL(str_errand_put);

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
	atomic_add(STR_ERRAND_BUSY, &e->state);
	more = e->ops->up(e->rq, all);
	if (more)
		atomic_or(STR_ERRAND_UP, &e->state);
	/* A writer has the perimeter, and the message is left for him to take in. */
	if (!READ_ONCE(str_rq(sd)->q_first) && !perim_idle(sd->sd_perim))
		perim_pass(sd->sd_perim);
	smp_mb__before_atomic(); /* the message before; see str_errand_waits() */
	atomic_sub(STR_ERRAND_BUSY, &e->state);
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
