// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perimeter, which makes a stream single-threaded
 *
 * pending counts the units of work not yet done. The caller that brings it
 * from 0 to 1 is the owner. The owner leaves by subtracting the units it did,
 * and stays when some remain. An item is put into the inbox before its unit is
 * counted, so that a counted unit is always there to be found. The owner may
 * thus find and do an item early, and take off a unit not yet counted: pending
 * then is negative until the depositor's increment arrives. The depositor that
 * arrives last sees it become 1 and owns the items left meanwhile. No item is
 * stranded and no caller waits.
 *
 * While the owner works it neither sleeps nor is preempted (str_perim_lock() is
 * the exception: plumbing may sleep, and messages gather in the inbox).
 */
#include <linux/completion.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "pair.h"
#include "perim.h"
#include "qflag.h"
#include "sched.h"

/* Serve one enabled queue for every SERVE_EVERY items. */
#define SERVE_EVERY	16

/* Low bits of an item's what; the rest is the queue. */
enum {
	ITEM_PUT,		/* a message for the queue */
	ITEM_PUTNEXT,		/* a message for the one after it, then */
	ITEM_SERVE,		/* the queue is enabled */
	ITEM_TICKET,		/* a caller of str_perim_lock() waits */
	ITEM_CALL,		/* a struct perim_call */
};

#define ITEM_OP		7UL

static_assert(__alignof__(queue_t) > ITEM_OP);

struct ticket {
	struct strperim_item item;
	struct completion turn;
};

static_assert(offsetof(mblk_t, b_next) == offsetof(struct strperim_item, node));
static_assert(offsetof(mblk_t, b_prev) == offsetof(struct strperim_item, what));

/*
 * A context that can own a perimeter: a task, or the softirq that interrupted
 * it. A hard interrupt never does.
 */
static void *perim_self(void)
{
	return (void *)((unsigned long)current |
			(in_serving_softirq() ? 1UL : 0));
}

void str_perim_init(struct strperim *p)
{
	atomic_set(&p->pending, 0);
	init_llist_head(&p->inbox);
	p->owner = NULL;
	p->done = 0;
	p->todo = NULL;
	p->serve = NULL;
	p->serve_tail = &p->serve;
	p->foreign = false;
	p->mixed = false;
	mutex_init(&p->plumb);
}
EXPORT_SYMBOL_GPL(str_perim_init);

bool str_perim_owned(const struct strperim *p)
{
	return READ_ONCE(p->owner) == perim_self() && !in_hardirq();
}
EXPORT_SYMBOL_GPL(str_perim_owned);

/*
 * The perimeter whose procedures run, of this CPU's task and of the softirq
 * that interrupted it. NULL of a task that has perimeters by str_perim_lock(): the
 * others cannot be preempted.
 */
struct perim_inner {
	struct strperim *of[2];
};

static DEFINE_PER_CPU(struct perim_inner, perim_inner);

struct strperim *perim_within(struct strperim *p)
{
	int i = !!in_serving_softirq();
	struct strperim *outer = __this_cpu_read(perim_inner.of[i]);

	__this_cpu_write(perim_inner.of[i], p);
	return outer;
}

bool perim_inside(const struct strperim *p)
{
	const struct strperim *inner;

	if (!str_perim_owned(p))
		return false;
	inner = this_cpu_read(perim_inner.of[!!in_serving_softirq()]);
	return !inner || inner == p;
}

static bool perim_tryenter(struct strperim *p)
{
	return !in_hardirq() && atomic_cmpxchg(&p->pending, 0, 1) == 0;
}

/* Counts an item put into the inbox; true: the caller is now the owner. */
static bool perim_deposit(struct strperim *p, struct strperim_item *item)
{
	bool first;

	/* No delay between the two: see the head of this file. */
	preempt_disable();
	llist_add(&item->node, &p->inbox);
	first = atomic_inc_return(&p->pending) == 1;
	preempt_enable();
	return first;
}

void perim_ran(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	/* Release: a task that sees it sees what the procedure did. */
	smp_store_release(&qp->ran, qp->ran + 1);
	wake_up(&qp->ran_wait);
}

/*
 * Into another perimeter of the stream. If that is ours too, further up or by
 * str_perim_lock(), the message waits: those that wait there came first.
 */
static void perim_cross(queue_t *q, mblk_t *mp)
{
	struct strperim_item *item = (struct strperim_item *)mp;

	if (!str_perim_owned(q->q_perim)) {
		perim_put(q, mp);
		return;
	}
	item->what = (unsigned long)q | ITEM_PUT;
	/* Never the first: the owner's own unit is counted. */
	perim_deposit(q->q_perim, item);
}

/*
 * A message from here to a queue with a perimeter of its own, or from there to
 * another, or to a queue that a qwait() watches.
 */
static void item_put_rare(struct strperim *p, queue_t *q, mblk_t *mp)
{
	if (q->q_perim != p && !(q->q_flag & QMTSAFE)) {
		perim_cross(q, mp);
		return;
	}
	q->q_qinfo->qi_putp(q, mp);
	if (q->q_flag & QWATCHED)
		perim_ran(q);
}

static void item_put(struct strperim *p, queue_t *q, mblk_t *mp,
		     unsigned long op)
{
	if (op == ITEM_PUTNEXT)
		q = rcu_dereference_raw(q->q_next);
	/* A head has no next if its driver was closed while this waited. */
	if (unlikely(!q))
		freemsg(mp);
	else if (unlikely(p->foreign || q->q_flag & (QPERIM | QWATCHED)))
		item_put_rare(p, q, mp);
	else
		q->q_qinfo->qi_putp(q, mp);
}

static void item_serve(queue_t *q)
{
	/*
	 * Once off it stays so, and qprocsoff() waits for the bit alone: the
	 * queue may be gone when that is clear.
	 */
	bool off = READ_ONCE(q->q_flag) & QPROCSOFF;

	clear_bit(0, &q->q_sched);
	/* Before the service procedure looks, so that no message is missed. */
	smp_mb__after_atomic();
	if (off)
		return;
	q->q_qinfo->qi_srvp(q);
	if (unlikely(q->q_flag & QWATCHED))
		perim_ran(q);
}

static void item_call(struct strperim_item *item)
{
	struct perim_call *call = container_of(item, struct perim_call, item);

	call->func(call);
}

static struct strperim_item *perim_next(struct strperim *p)
{
	struct llist_node *node;

	if (!p->todo)
		p->todo = llist_reverse_order(llist_del_all(&p->inbox));
	node = p->todo;
	if (!node)
		return NULL;
	p->todo = node->next;
	return llist_entry(node, struct strperim_item, node);
}

static queue_t *perim_next_served(struct strperim *p)
{
	struct llist_node *node = p->serve;

	if (!node)
		return NULL;
	p->serve = node->next;
	if (!p->serve)
		p->serve_tail = &p->serve;
	return container_of(node, queue_t, q_item.node);
}

/*
 * Run by the owner before it leaves: does the items in the inbox, then serves
 * the enabled queues, until nothing is left or the perimeter has another
 * owner. In a softirq service procedures are left to the bottom half: they may
 * be deep, and the stack below may be as well.
 */
static void perim_work(struct strperim *p, bool serve)
{
	int budget = PERIM_BUDGET;

	WRITE_ONCE(p->owner, perim_self());
	for (;;) {
		/* Enabled queues have their turn, however many messages come. */
		bool turn = serve && p->serve && !(budget % SERVE_EVERY);
		struct strperim_item *item = turn ? NULL : perim_next(p);
		unsigned long what;
		queue_t *q;

		if (item) {
			what = item->what;
			q = (queue_t *)(what & ~ITEM_OP);
			switch (what & ITEM_OP) {
			case ITEM_TICKET:
				WRITE_ONCE(p->owner, NULL);
				complete(&container_of(item, struct ticket,
						       item)->turn);
				return;
			case ITEM_SERVE:
				item->node.next = NULL;
				*p->serve_tail = &item->node;
				p->serve_tail = &item->node.next;
				continue;
			case ITEM_CALL:
				item_call(item);
				break;
			default:
				item_put(p, q, (mblk_t *)item, what & ITEM_OP);
			}
		} else if (p->serve) {
			if (!serve) {
				WRITE_ONCE(p->owner, NULL);
				sched_handoff(p);
				return;
			}
			item_serve(perim_next_served(p));
		} else {
			int done = p->done;

			p->done = 0;
			WRITE_ONCE(p->owner, NULL);
			if (atomic_sub_return(done, &p->pending) <= 0)
				return;
			WRITE_ONCE(p->owner, perim_self());
			continue;
		}
		p->done++;
		if (--budget <= 0) {
			WRITE_ONCE(p->owner, NULL);
			sched_handoff(p);
			return;
		}
	}
}

/*
 * Called by the owner in any context: finds one in which the work may be done.
 */
static void perim_leave(struct strperim *p)
{
	struct strperim *outer;

	if (in_hardirq()) {
		sched_handoff(p);
		return;
	}
	preempt_disable();
	outer = perim_within(p);
	perim_work(p, !in_serving_softirq());
	perim_within(outer);
	preempt_enable();
}

void perim_resume(struct strperim *p)
{
	struct strperim *outer = perim_within(p);

	perim_work(p, true);
	perim_within(outer);
}

/*
 * A driver may lead a message back to where it came from: out of the perimeter
 * whose procedures run into one that is ours as well, further up the call
 * chain. There it waits its turn, behind the messages that wait already, and
 * no procedure is re-entered.
 */
static void perim_message(queue_t *q, mblk_t *mp, unsigned long op)
{
	struct strperim *p = q->q_perim;
	struct strperim_item *item = (struct strperim_item *)mp;

	if (perim_inside(p)) {
		item_put(p, q, mp, op);
		return;
	}
	preempt_disable();
	if (perim_tryenter(p)) {
		struct strperim *outer = perim_within(p);

		if (likely(llist_empty(&p->inbox))) {
			WRITE_ONCE(p->owner, perim_self());
			item_put(p, q, mp, op);
			p->done++;
		} else {
			/* Found early, see above: these come first. */
			item->what = (unsigned long)q | op;
			llist_add(&item->node, &p->inbox);
		}
		perim_work(p, !in_serving_softirq());
		perim_within(outer);
	} else {
		item->what = (unsigned long)q | op;
		if (perim_deposit(p, item))
			perim_leave(p);
	}
	preempt_enable();
}

void perim_put(queue_t *q, mblk_t *mp)
{
	perim_message(q, mp, ITEM_PUT);
}

void perim_putnext(queue_t *q, mblk_t *mp)
{
	perim_message(q, mp, ITEM_PUTNEXT);
}

/* Whether one of the perimeters is that a message meets on its way from q on. */
static bool way_crowded(const queue_t *q)
{
	bool crowded = false;

	rcu_read_lock();
	for (; q && !crowded; q = rcu_dereference(q->q_next))
		crowded = perim_crowded(q->q_perim);
	rcu_read_unlock();
	return crowded;
}

bool str_perim_full(const queue_t *q)
{
	const struct strperim *p = q->q_perim;

	return READ_ONCE(p->mixed) ? way_crowded(q) : perim_crowded(p);
}
EXPORT_SYMBOL_GPL(str_perim_full);

int str_perim_hold_back(queue_t *q)
{
	struct strperim *p = q->q_perim;

	if (perim_crowded(p))
		str_perim_pass(p);
	if (!READ_ONCE(p->mixed) || likely(!way_crowded(q)))
		return 0;
	/*
	 * The others may be freed at any time: there is nothing to wait at, and the
	 * time that they take is not known, so a signal ends this wait. Wait
	 * one tick in any case, or a task that signals itself would not be
	 * held back.
	 */
	do {
		schedule_timeout_killable(1);
		if (!way_crowded(q))
			return 0;
	} while (!signal_pending(current));
	return -ERESTARTSYS;
}
EXPORT_SYMBOL_GPL(str_perim_hold_back);

void perim_call(struct strperim *p, struct perim_call *call)
{
	call->item.what = ITEM_CALL;
	if (perim_deposit(p, &call->item))
		perim_leave(p);
}

/* A stream head's service procedure needs no perimeter. */
static bool enable_head(queue_t *q)
{
	if (!(q->q_flag & QHEAD))
		return false;
	item_serve(q);
	return true;
}

void perim_enable(queue_t *q)
{
	struct strperim *p = q->q_perim;

	if (enable_head(q))
		return;
	q->q_item.what = (unsigned long)q | ITEM_SERVE;
	if (perim_deposit(p, &q->q_item))
		sched_handoff(p);
}

void perim_enable_now(queue_t *q)
{
	struct strperim *p = q->q_perim;

	if (enable_head(q))
		return;
	q->q_item.what = (unsigned long)q | ITEM_SERVE;
	if (perim_deposit(p, &q->q_item))
		perim_leave(p);
}

void str_perim_lock(struct strperim *p)
{
	struct ticket t;

	might_sleep();
	t.item.what = ITEM_TICKET;
	init_completion(&t.turn);
	if (perim_tryenter(p)) {
		if (likely(llist_empty(&p->inbox)))
			goto owned;
		llist_add(&t.item.node, &p->inbox);
		perim_leave(p);
	} else if (perim_deposit(p, &t.item)) {
		perim_leave(p);
	}
	wait_for_completion(&t.turn);
owned:
	WRITE_ONCE(p->owner, perim_self());
}
EXPORT_SYMBOL_GPL(str_perim_lock);

void str_perim_unlock(struct strperim *p)
{
	p->done++;
	perim_leave(p);
}
EXPORT_SYMBOL_GPL(str_perim_unlock);

void perim_puts(struct strperim *p, const queue_t *rd, const queue_t *wr)
{
	struct llist_node **link = &p->todo, *node;

	node = llist_reverse_order(llist_del_all(&p->inbox));
	while (*link)
		link = &(*link)->next;
	*link = node;
	for (link = &p->todo; (node = *link);) {
		struct strperim_item *item =
			llist_entry(node, struct strperim_item, node);
		queue_t *q = (queue_t *)(item->what & ~ITEM_OP);
		struct strperim *outer;

		if ((item->what & ITEM_OP) != ITEM_PUT ||
		    (q != rd && q != wr)) {
			link = &node->next;
			continue;
		}
		*link = node->next;
		preempt_disable();
		outer = perim_within(p);
		q->q_qinfo->qi_putp(q, (mblk_t *)item);
		if (q->q_flag & QWATCHED)
			perim_ran(q);
		perim_within(outer);
		preempt_enable();
		p->done++;
	}
}

/* Returns when all items that were in the perimeter at the call are done. */
void str_perim_pass(struct strperim *p)
{
	str_perim_lock(p);
	str_perim_unlock(p);
}
EXPORT_SYMBOL_GPL(str_perim_pass);

/* ... and, if nothing new came, no caller is inside, not even a bottom half. */
void perim_quiesce(struct strperim *p)
{
	str_perim_pass(p);
	while (!perim_idle(p))
		schedule_timeout_uninterruptible(1);
}
