// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flow control
 *
 * A stream is walked along q_next under RCU, with preemption off where the walk is short
 * and frequent: that takes no calls. Flow control passes over queues
 * without a service procedure, which cannot hold messages back. The walk
 * treats the bend where a write queue is followed by a read queue, the middle
 * of a pipe or FIFO, like any other place.
 *
 * Lost wakeups: a sender that finds a band's full flag set checks it again under
 * q_lock, and sets the band's want flag. A reader that takes messages off clears both
 * flags under q_lock.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "streams/perim/perim.h"
#include "streams/perim/qflag.h"
#include "streams/trace.h"
#include "band.h"
#include "flow.h"

/* Returns the queue from q on that holds back messages given to q. */
static queue_t *service_queue(queue_t *q)
{
	queue_t *next;

	while (!q->q_qinfo->qi_srvp) {
		next = rcu_dereference_check(q->q_next, rcu_read_lock_sched_held());
		if (!next)
			break;
		q = next;
	}
	return q;
}

static noinline bool queue_room_locked(queue_t *q, unsigned char pri)
{
	unsigned long irq;
	bool full;

	spin_lock_irqsave(&q->q_lock, irq);
	full = band_full(q, pri);
	spin_unlock_irqrestore(&q->q_lock, irq);
	if (full)
		trace_streams_flow_stop(q, NULL);
	return !full;
}

/* Returns whether band pri of q itself has room; if not, records a waiter. */
static inline bool queue_room(queue_t *q, unsigned char pri)
{
	/* Bands may move without the lock, but q_flag does not. */
	if (!pri && likely(!(READ_ONCE(q->q_flag) & QFULL)))
		return true;
	return queue_room_locked(q, pri);
}

/*
 * Makes the band on each queue ahead that can hold messages. Returns false when
 * memory is short.
 */
bool str_bands_make(queue_t *q, unsigned char pri)
{
	unsigned long irq;
	bool made = true;

	rcu_read_lock();
	q = rcu_dereference(q->q_next);
	while (q && made) {
		q = service_queue(q);
		if (pri > READ_ONCE(q->q_nband)) {
			spin_lock_irqsave(&q->q_lock, irq);
			made = band_make(q, pri);
			spin_unlock_irqrestore(&q->q_lock, irq);
		}
		q = rcu_dereference(q->q_next);
	}
	rcu_read_unlock();
	return made;
}

/*
 * Returns whether a queue ahead of q, as far as the end of the stream, is
 * overfull.
 */
bool str_overfull(queue_t *q)
{
	bool over = false;

	rcu_read_lock();
	while (!over && (q = rcu_dereference(q->q_next)))
		over = band_overfull(q);
	rcu_read_unlock();
	return over;
}

/**
 * bcanput() - ask for room in a priority band
 * @q: the queue where the search begins
 * @pri: the band
 *
 * Asks @q if it has a service procedure, else the nearest queue ahead that
 * has, or the last of the stream. If that is full, the nearest queue behind it
 * with a service procedure is enabled when there is room again.
 *
 * Context: any.
 * Return: 1 if a message can be put, 0 if not.
 * Source: SVR4.2 DDI/DKI bcanput(D3).
 */
int bcanput(queue_t *q, unsigned char pri)
{
	int room;

	rcu_read_lock_sched();
	room = queue_room(service_queue(q), pri);
	rcu_read_unlock_sched();
	return room;
}
EXPORT_SYMBOL_GPL(bcanput);

/**
 * canput() - ask for room in band 0
 * @q: the queue where the search begins
 *
 * Context: any.
 * Return: as bcanput().
 * Source: SVR4.2 DDI/DKI canput(D3).
 */
int canput(queue_t *q)
{
	return bcanput(q, 0);
}
EXPORT_SYMBOL_GPL(canput);

/**
 * bcanputnext() - ask for room in a priority band ahead
 * @q: the queue whose neighbour is where the search begins
 * @pri: the band
 *
 * Context: any.
 * Return: as bcanput(); 1 also if there is nothing ahead.
 * Source: SVR4.2 DDI/DKI bcanputnext(D3).
 */
int bcanputnext(queue_t *q, unsigned char pri)
{
	queue_t *next;
	int room = 1;

	rcu_read_lock_sched();
	next = rcu_dereference_sched(q->q_next);
	if (likely(next))
		room = queue_room(service_queue(next), pri);
	rcu_read_unlock_sched();
	return room;
}
EXPORT_SYMBOL_GPL(bcanputnext);

/**
 * canputnext() - ask for room in band 0 ahead
 * @q: the queue whose neighbour is where the search begins
 *
 * Context: any.
 * Return: as bcanputnext().
 * Source: SVR4.2 DDI/DKI canputnext(D3).
 */
int canputnext(queue_t *q)
{
	return bcanputnext(q, 0);
}
EXPORT_SYMBOL_GPL(canputnext);

/*
 * Marks a queue as enabled. Returns false if the queue is enabled already, or
 * its procedures are off. The caller holds q_lock, so that qprocsoff() knows
 * when no caller will enable the queue any more. A stream head's procedures are
 * never off.
 */
static bool enable_mark(queue_t *q)
{
	unsigned long irq;
	bool first = false;

	if (q->q_flag & QHEAD)
		return !test_and_set_bit(0, &q->q_sched);
	spin_lock_irqsave(&q->q_lock, irq);
	if (!(q->q_flag & QPROCSOFF))
		first = !test_and_set_bit(0, &q->q_sched);
	spin_unlock_irqrestore(&q->q_lock, irq);
	return first;
}

/**
 * qenable() - have a queue's service procedure run
 * @q: the queue; without a service procedure nothing happens
 *
 * It runs soon, never in the caller; once, however often the queue is enabled
 * before.
 *
 * Context: any.
 * Source: SVR4.2 DDI/DKI qenable(D3).
 */
void qenable(queue_t *q)
{
	if (q->q_qinfo->qi_srvp && enable_mark(q))
		perim_enable(q);
}
EXPORT_SYMBOL_GPL(qenable);

void backenable(queue_t *q, unsigned char pri)
{
	queue_t *back;

	rcu_read_lock();
	trace_streams_flow_resume(q, NULL);
	for (back = backq(q); back; back = backq(back)) {
		if (back->q_qinfo->qi_srvp) {
			if (!enable_mark(back))
				break;
			/*
			 * The queue is enabled later: a module's getq() must
			 * not re-enter the module by another perimeter's
			 * service procedure.
			 */
			if (q->q_flag & QHEAD)
				perim_enable_now(back);
			else
				perim_enable(back);
			break;
		}
	}
	rcu_read_unlock();
}

static void noenb(queue_t *q, bool set)
{
	unsigned long irq;

	spin_lock_irqsave(&q->q_lock, irq);
	if (set)
		q->q_flag |= QNOENB;
	else
		q->q_flag &= ~QNOENB;
	spin_unlock_irqrestore(&q->q_lock, irq);
}

/**
 * noenable() - keep ordinary messages from enabling a queue
 * @q: the queue
 *
 * High-priority messages, back-enabling and qenable() do so still.
 *
 * Context: any; takes q_lock.
 * Source: SVR4.2 DDI/DKI noenable(D3).
 */
void noenable(queue_t *q)
{
	noenb(q, true);
}
EXPORT_SYMBOL_GPL(noenable);

/**
 * enableok() - let messages enable a queue again
 * @q: the queue; it is not enabled by this itself
 *
 * Context: any; takes q_lock.
 * Source: SVR4.2 DDI/DKI enableok(D3).
 */
void enableok(queue_t *q)
{
	noenb(q, false);
}
EXPORT_SYMBOL_GPL(enableok);

/**
 * canenable() - ask whether messages may enable a queue
 * @q: the queue
 *
 * Context: any.
 * Return: 1, or 0 after noenable().
 * Source: SVR4.2 DDI/DKI canenable(D3).
 */
int canenable(queue_t *q)
{
	return !(READ_ONCE(q->q_flag) & QNOENB);
}
EXPORT_SYMBOL_GPL(canenable);

/**
 * backq() - find the queue behind a queue
 * @q: the queue
 *
 * That is the one whose messages arrive at @q. Its partner follows @q's partner
 * in the other direction, in pipes and FIFOs as well.
 *
 * Context: any; the result stays valid as long as nothing is pushed or popped,
 * or inside rcu_read_lock().
 * Return: the queue, or NULL at the start of a stream.
 * Source: SVR4.2 DDI/DKI backq(D3).
 */
queue_t *backq(queue_t *q)
{
	queue_t *ahead;

	rcu_read_lock();
	ahead = rcu_dereference(OTHERQ(q)->q_next);
	rcu_read_unlock();
	return ahead ? OTHERQ(ahead) : NULL;
}
EXPORT_SYMBOL_GPL(backq);

/**
 * SAMESTR() - ask whether the next queue is of the same kind
 * @q: the queue
 *
 * Context: any.
 * Return: 1 if there is a next queue and it is a read queue as @q, or a write
 * queue as @q; 0 at an end of the stream and in the middle of a pipe.
 * Source: SVR4.2 DDI/DKI SAMESTR(D3).
 */
int SAMESTR(queue_t *q)
{
	queue_t *next;
	int same;

	rcu_read_lock();
	next = rcu_dereference(q->q_next);
	same = next && !((next->q_flag ^ q->q_flag) & QREADR);
	rcu_read_unlock();
	return same;
}
EXPORT_SYMBOL_GPL(SAMESTR);
