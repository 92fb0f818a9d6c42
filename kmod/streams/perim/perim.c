// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perimeter, which makes a stream single-threaded
 *
 * The word owner is the lock. A depositor adds its item to the inbox and then
 * tries to take the lock. The owner releases the lock when it has found the
 * inbox empty, looks at the inbox once more, and tries to take the lock again if
 * an item is there. llist_add() and the release are full barriers: either the
 * depositor sees the lock free, or the owner sees the item. No item is stranded
 * and no caller waits (litmus test perim_drop).
 *
 * An item may be done, and the perimeter be without an owner, before its
 * depositor tries to take the lock. It then owns an empty perimeter that may be
 * on its way to be freed. So both steps are made with preemption off, which is an
 * RCU read section, as is a bottom half; a perimeter that had items is freed after
 * a grace period; and an owner that finds no item releases the perimeter and never
 * hands it to the bottom half.
 *
 * While the owner works it neither sleeps nor is preempted (str_perim_lock() is
 * the exception: plumbing may sleep, and messages gather in the inbox).
 */
#include <linux/completion.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "streams/trace.h"
#include "pair.h"
#include "perim.h"
#include "qflag.h"
#include "sched.h"

/* The owner serves one enabled queue for every SERVE_EVERY items. */
#define SERVE_EVERY	16

/* The low bits of an item's what; the rest is the queue. */
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
 * The owner while no caller can be named: in a hard interrupt, and before the
 * bottom half or a sleeper takes over
 */
#define OWNER_NEXT	((void *)-1L)

/*
 * Returns the context that can run procedures: a task, or the softirq that
 * interrupted it. A hard interrupt never does.
 */
static void *perim_self(void)
{
	return (void *)((unsigned long)current |
			(in_serving_softirq() ? 1UL : 0));
}

void str_perim_init(struct strperim *p)
{
	p->owner = NULL;
	init_llist_head(&p->inbox);
	atomic_set(&p->left, 0);
	p->taken = 0;
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
 * that interrupted it. The value is NULL for a task that has perimeters by
 * str_perim_lock(): only the other tasks cannot be preempted.
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

/* Makes self the owner if there is none; a full barrier on success. */
static bool perim_take_as(struct strperim *p, void *self)
{
	return !READ_ONCE(p->owner) && !cmpxchg(&p->owner, NULL, self);
}

static bool perim_take(struct strperim *p)
{
	return perim_take_as(p, in_hardirq() ? OWNER_NEXT : perim_self());
}

/*
 * Releases the perimeter when the owner has found nothing left to do. Returns
 * false if an item came meanwhile: the caller is the owner again.
 */
static bool perim_drop(struct strperim *p)
{
	/* The operation is a full barrier, see the head of this file. */
	(void)xchg(&p->owner, NULL);
	return likely(llist_empty(&p->inbox)) || !perim_take(p);
}

/*
 * Leaves the inbox to the bottom half, for an owner that has taken no item yet.
 */
static void perim_handoff(struct strperim *p)
{
	while (llist_empty(&p->inbox)) {
		if (perim_drop(p))
			return;
	}
	WRITE_ONCE(p->owner, OWNER_NEXT);
	sched_handoff(p);
}

/* Adds a message for q to the inbox. */
static void inbox_message(struct strperim *p, queue_t *q, mblk_t *mp,
			  unsigned long op)
{
	struct strperim_item *item = (struct strperim_item *)mp;

	item->what = (unsigned long)q | op;
	atomic_inc(&p->left);
	llist_add(&item->node, &p->inbox);
}

void perim_ran(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	/* Release: a task that sees the number sees what the procedure did. */
	smp_store_release(&qp->ran, qp->ran + 1);
	wake_up(&qp->ran_wait);
}

/*
 * Sends a message into another perimeter of the stream. If the caller owns that
 * one too, further up or by str_perim_lock(), the message waits there: earlier
 * messages come first.
 */
static void perim_cross(queue_t *q, mblk_t *mp)
{
	if (str_perim_owned(q->q_perim))
		inbox_message(q->q_perim, q, mp, ITEM_PUT);
	else
		perim_put(q, mp);
}

/*
 * Handles a message that passes from this perimeter to a queue with one of its
 * own, from there to another, or to a queue that a qwait() watches.
 */
static void item_put_rare(struct strperim *p, queue_t *q, mblk_t *mp)
{
	if (q->q_perim != p && !(q->q_flag & QMTSAFE)) {
		perim_cross(q, mp);
		return;
	}
	perim_run_put(q, mp);
	if (q->q_flag & QWATCHED)
		perim_ran(q);
}

static void item_put(struct strperim *p, queue_t *q, mblk_t *mp,
		     unsigned long op)
{
	if (op == ITEM_PUTNEXT)
		q = rcu_dereference_raw(q->q_next);
	/*
	 * The head's next queue is NULL if its driver was closed while the
	 * message waited.
	 */
	if (unlikely(!q))
		freemsg(mp);
	else if (unlikely(p->foreign || q->q_flag & (QPERIM | QWATCHED)))
		item_put_rare(p, q, mp);
	else
		perim_run_put(q, mp);
}

void perim_run_put_traced(queue_t *q, mblk_t *mp)
{
	trace_streams_put(q, mp);
	q->q_qinfo->qi_putp(q, mp);
	trace_streams_put_done(q, NULL);
}

static void item_serve(queue_t *q)
{
	/*
	 * A queue whose procedures are off is not enabled again, and
	 * qprocsoff() waits for the bit alone: the queue may be gone when that
	 * is clear.
	 */
	bool off = READ_ONCE(q->q_flag) & QPROCSOFF;

	clear_bit(0, &q->q_sched);
	/*
	 * The bit is cleared before the service procedure looks, so that no
	 * message is missed (litmus test item_serve).
	 */
	smp_mb__after_atomic();
	if (off)
		return;
	trace_streams_service(q, NULL);
	q->q_qinfo->qi_srvp(q);
	trace_streams_service_done(q, NULL);
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

	if (!p->todo) {
		if (llist_empty(&p->inbox))
			return NULL;
		p->todo = llist_reverse_order(llist_del_all(&p->inbox));
	}
	node = p->todo;
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

static void item_ticket(struct strperim *p, struct strperim_item *item)
{
	WRITE_ONCE(p->owner, OWNER_NEXT);
	complete(&container_of(item, struct ticket, item)->turn);
}

/*
 * Works for the owner before it leaves: handles the items in the inbox, then
 * serves the enabled queues, until nothing is left or the perimeter has another
 * owner. In a softirq the service procedures are left to the bottom half: they
 * may be deep, and the stack below may be as well.
 */
static void perim_work(struct strperim *p, bool serve)
{
	int budget = PERIM_BUDGET;

	do {
		/*
		 * Enabled queues have their turn, however many messages come.
		 */
		bool turn = serve && p->serve && !(budget % SERVE_EVERY);
		struct strperim_item *item = turn ? NULL : perim_next(p);

		if (item) {
			unsigned long what = item->what;

			switch (what & ITEM_OP) {
			case ITEM_TICKET:
				item_ticket(p, item);
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
				item_put(p, (queue_t *)(what & ~ITEM_OP),
					 (mblk_t *)item, what & ITEM_OP);
				WRITE_ONCE(p->taken, p->taken + 1);
			}
		} else if (!p->serve) {
			if (perim_drop(p))
				return;
			continue;
		} else if (serve) {
			item_serve(perim_next_served(p));
		} else {
			break;
		}
		budget--;
	} while (budget > 0);
	WRITE_ONCE(p->owner, OWNER_NEXT);
	sched_handoff(p);
}

/*
 * Finds a context in which the owner's work may be done, and has it done there.
 * In a hard interrupt the owner has taken no item yet.
 */
static void perim_leave(struct strperim *p)
{
	struct strperim *outer;

	if (in_hardirq()) {
		perim_handoff(p);
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

	WRITE_ONCE(p->owner, perim_self());
	perim_work(p, true);
	perim_within(outer);
}

/* Puts an item into the inbox, and works there if no other caller does. */
static void perim_post(struct strperim *p, struct strperim_item *item)
{
	preempt_disable();
	llist_add(&item->node, &p->inbox);
	if (perim_take(p))
		perim_leave(p);
	preempt_enable();
}

/*
 * Puts a message to a queue of the perimeter. A driver may lead a message back
 * to where it came from: out of the perimeter whose procedures run into one
 * that the caller owns as well, further up the call chain. There the message
 * waits its turn, behind the messages that wait already, and no procedure is
 * re-entered.
 */
static void perim_message(queue_t *q, mblk_t *mp, unsigned long op)
{
	struct strperim *p = q->q_perim, *outer;

	if (perim_inside(p)) {
		item_put(p, q, mp, op);
		return;
	}
	preempt_disable();
	if (!in_hardirq() && perim_take_as(p, perim_self())) {
		outer = perim_within(p);
		if (likely(llist_empty(&p->inbox)))
			item_put(p, q, mp, op);
		else	/* These come first. */
			inbox_message(p, q, mp, op);
		/*
		 * Nearly always nothing is left to do: only perim_work() takes work
		 * out of the inbox.
		 */
		if (!llist_empty(&p->inbox) || !perim_drop(p))
			perim_work(p, !in_serving_softirq());
		perim_within(outer);
	} else {
		inbox_message(p, q, mp, op);
		if (perim_take(p))
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

/* Returns whether any perimeter on the message's way from q is crowded. */
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
	 * The other perimeters may be freed at any time: the caller cannot wait
	 * at them, and the time that they take is not known, so a signal ends
	 * this wait. The wait takes one tick in any case, or a task that
	 * signals itself would not be held back.
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
	perim_post(p, &call->item);
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
	preempt_disable();
	llist_add(&q->q_item.node, &p->inbox);
	if (perim_take(p))
		perim_handoff(p);
	preempt_enable();
}

void perim_enable_now(queue_t *q)
{
	if (enable_head(q))
		return;
	q->q_item.what = (unsigned long)q | ITEM_SERVE;
	perim_post(q->q_perim, &q->q_item);
}

void str_perim_lock(struct strperim *p)
{
	struct ticket t;

	might_sleep();
	if (perim_take_as(p, perim_self())) {
		if (likely(llist_empty(&p->inbox)))
			return;
		/* The items in the inbox come first. */
		perim_leave(p);
	}
	t.item.what = ITEM_TICKET;
	init_completion(&t.turn);
	perim_post(p, &t.item);
	wait_for_completion(&t.turn);
	WRITE_ONCE(p->owner, perim_self());
}
EXPORT_SYMBOL_GPL(str_perim_lock);

void str_perim_unlock(struct strperim *p)
{
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
		WRITE_ONCE(p->taken, p->taken + 1);
	}
}

/* Returns when all items that were in the perimeter at the call are done. */
void str_perim_pass(struct strperim *p)
{
	str_perim_lock(p);
	str_perim_unlock(p);
}
EXPORT_SYMBOL_GPL(str_perim_pass);

/* Waits until the perimeter has no owner, not even a bottom half, if nothing new comes. */
void perim_quiesce(struct strperim *p)
{
	str_perim_pass(p);
	while (!perim_idle(p))
		schedule_timeout_uninterruptible(1);
}
