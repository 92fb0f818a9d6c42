// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perimeters that the instances of a module share, and qwriter()
 *
 * Procedures run in the inner perimeter of their queue: the stream's, one of
 * the two queues alone (D_MTQPAIR), or one of all instances (D_MTPERMOD). The
 * outer perimeter of a module is not a lock of its own that each message would
 * have to take: an exclusive writer holds the inner perimeters of all
 * instances, which only process context can wait for. So such functions run in
 * a kernel thread, and messages gather meanwhile.
 */
#include <linux/list_sort.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "streams/perim/pair.h"
#include "streams/perim/perim.h"
#include "streams/perim/qflag.h"
#include "outer.h"

struct strouter {
	unsigned int flags;
	struct strperim perim;		/* D_MTPERMOD */
	struct mutex open_mutex;	/* D_MTOCEXCL */
	struct mutex mutex;		/* pairs; held while writers run */
	struct list_head pairs;
	struct work_struct work;
	struct rcu_head rcu;		/* a walk of a stream reads perim */
};

enum { SIDE_READ, SIDE_WRITE };

static int by_perim(void *priv, const struct list_head *a,
		    const struct list_head *b)
{
	const struct queue_pair *x = list_entry(a, struct queue_pair,
						outer_list);
	const struct queue_pair *y = list_entry(b, struct queue_pair,
						outer_list);

	return x->rd.q_perim > y->rd.q_perim;
}

/* Locks, or unlocks, each perimeter of the pairs once, by address. */
static void all_perims(struct strouter *o, void (*what)(struct strperim *p))
{
	struct strperim *last = NULL;
	struct queue_pair *qp;

	list_for_each_entry(qp, &o->pairs, outer_list) {
		if (qp->rd.q_perim != last)
			what(qp->rd.q_perim);
		last = qp->rd.q_perim;
	}
}

static void writers_add(struct pair_writers *w, mblk_t *mp,
			void (*func)(queue_t *q, mblk_t *mp))
{
	mp->b_next = NULL;
	/* The message is on no queue, so its second link can be used. */
	mp->b_prev = (mblk_t *)func;
	if (w->last)
		w->last->b_next = mp;
	else
		w->first = mp;
	w->last = mp;
}

/* Runs what waits in both lists of a pair, oldest first of each side. */
static void writers_run(struct queue_pair *qp, struct pair_writers *lists,
			bool *posted)
{
	void (*func)(queue_t *q, mblk_t *mp);
	unsigned long flags;
	mblk_t *mp;
	int side;

	for (;;) {
		spin_lock_irqsave(&qp->writers_lock, flags);
		side = lists[SIDE_READ].first ? SIDE_READ : SIDE_WRITE;
		mp = lists[side].first;
		if (mp) {
			lists[side].first = mp->b_next;
			if (!mp->b_next)
				lists[side].last = NULL;
		} else if (posted) {
			*posted = false;
		}
		spin_unlock_irqrestore(&qp->writers_lock, flags);
		if (!mp)
			return;
		func = (void *)mp->b_prev;
		mp->b_next = NULL;
		mp->b_prev = NULL;
		func(side == SIDE_READ ? &qp->rd : &qp->wr, mp);
		if (qp->rd.q_flag & QWATCHED)
			perim_ran(&qp->rd);
	}
}

static void inner_run(struct perim_call *call)
{
	struct queue_pair *qp = container_of(call, struct queue_pair,
					     inner_call);

	writers_run(qp, qp->inner, &qp->inner_posted);
}

static void outer_work(struct work_struct *work)
{
	struct strouter *o = container_of(work, struct strouter, work);
	struct queue_pair *qp;

	mutex_lock(&o->mutex);
	list_sort(NULL, &o->pairs, by_perim);
	all_perims(o, str_perim_lock);
	/*
	 * The function runs as put and service procedures do, so that functions
	 * need not differ.
	 */
	preempt_disable();
	list_for_each_entry(qp, &o->pairs, outer_list) {
		struct strperim *outer = perim_within(qp->rd.q_perim);

		writers_run(qp, qp->outers, NULL);
		perim_within(outer);
	}
	preempt_enable();
	all_perims(o, str_perim_unlock);
	mutex_unlock(&o->mutex);
}

/**
 * qwriter() - run a function with exclusive access to a perimeter
 * @q: a queue of the module's
 * @mp: a message, which belongs to the function from now on
 * @func: the function; called with @q and @mp
 * @perimeter: PERIM_INNER: no other procedure runs in the perimeter of @q;
 *	PERIM_OUTER: none of the module runs, on any stream. That needs
 *	D_MTOUTPERIM among the module's flags; without, it is as PERIM_INNER.
 *
 * PERIM_INNER is what put and service procedures have already: called from one
 * the function runs at once. For PERIM_OUTER it runs later, in the order of
 * the calls for a queue; a close waits for it.
 *
 * Context: any; the function must not sleep. Source: SVR4.2 DDI/DKI, Solaris
 * qwriter(9F).
 */
void qwriter(queue_t *q, mblk_t *mp, void (*func)(queue_t *q, mblk_t *mp),
	     int perimeter)
{
	int side = q->q_flag & QREADR ? SIDE_READ : SIDE_WRITE;
	struct queue_pair *qp = pair_of(q);
	bool outer, post = false;
	unsigned long flags;

	if (WARN_ON_ONCE(q->q_flag & QHEAD || !mp)) {
		freemsg(mp);
		return;
	}
	outer = perimeter == PERIM_OUTER && qp->outer &&
		qp->outer->flags & D_MTOUTPERIM;
	WARN_ON_ONCE(perimeter == PERIM_OUTER && !outer);
	if (!outer && perim_inside(q->q_perim)) {
		func(q, mp);
		return;
	}
	spin_lock_irqsave(&qp->writers_lock, flags);
	if (outer) {
		writers_add(&qp->outers[side], mp, func);
	} else {
		writers_add(&qp->inner[side], mp, func);
		post = !qp->inner_posted;
		qp->inner_posted = true;
	}
	spin_unlock_irqrestore(&qp->writers_lock, flags);
	if (outer)
		schedule_work(&qp->outer->work);
	else if (post)
		perim_call(q->q_perim, &qp->inner_call);
}
EXPORT_SYMBOL_GPL(qwriter);

struct strouter *outer_alloc(unsigned int flags)
{
	struct strouter *o;

	if (!flags)
		return NULL;
	o = kzalloc(sizeof(*o), GFP_KERNEL);
	if (!o)
		return ERR_PTR(-ENOMEM);
	o->flags = flags;
	str_perim_init(&o->perim);
	o->perim.foreign = true;
	mutex_init(&o->open_mutex);
	mutex_init(&o->mutex);
	INIT_LIST_HEAD(&o->pairs);
	INIT_WORK(&o->work, outer_work);
	return o;
}

/* No instance is left, as each keeps its module. */
void outer_free(struct strouter *o)
{
	if (!o)
		return;
	flush_work(&o->work);
	perim_quiesce(&o->perim);
	kfree_rcu(o, rcu);
}

void pair_writers_init(struct queue_pair *qp, struct strouter *o)
{
	qp->outer = o;
	spin_lock_init(&qp->writers_lock);
	qp->inner_call.func = inner_run;
	INIT_LIST_HEAD(&qp->outer_list);
}

bool outer_own(const struct strouter *o)
{
	return o && (o->flags & (D_MTQPAIR | D_MTPERMOD)) == D_MTQPAIR;
}

struct strperim *pair_perim(struct queue_pair *qp, struct strperim *stream)
{
	if (qp->outer && qp->outer->flags & D_MTPERMOD)
		return &qp->outer->perim;
	if (!outer_own(qp->outer))
		return stream;
	str_perim_init(qp->own);
	qp->own->foreign = true;
	qp->has_own = true;
	return qp->own;
}

void outer_enter(struct queue_pair *qp)
{
	struct strouter *o = qp->outer;

	if (!o)
		return;
	mutex_lock(&o->mutex);
	list_add_tail(&qp->outer_list, &o->pairs);
	mutex_unlock(&o->mutex);
}

void outer_settle(struct queue_pair *qp)
{
	if (qp->outer)
		flush_work(&qp->outer->work);
}

void outer_leave(struct queue_pair *qp)
{
	struct strouter *o = qp->outer;
	struct strperim *p = qp->rd.q_perim;

	/* The inbox may hold items for the pair, inner_call among them. */
	if (!perim_idle(p))
		str_perim_pass(p);
	outer_settle(qp);
	if (!o)
		return;
	mutex_lock(&o->mutex);
	list_del(&qp->outer_list);
	mutex_unlock(&o->mutex);
	if (qp->has_own)
		perim_quiesce(p);
}

void outer_open_lock(struct strouter *o)
{
	if (o && o->flags & D_MTOCEXCL)
		mutex_lock(&o->open_mutex);
}

void outer_open_unlock(struct strouter *o)
{
	if (o && o->flags & D_MTOCEXCL)
		mutex_unlock(&o->open_mutex);
}
