// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queues of messages
 *
 * One list, of classes: high-priority messages, then the bands from 255 down
 * to 0; first in, first out inside a class. Bands above 0 know their first and
 * last message, so that no insertion walks over messages of another band.
 *
 * A queue's counts are of the bytes in all blocks of its messages. A message
 * counts for at least one byte, and in a pipe for more (mblk.h); otherwise empty messages
 * would exhaust memory without ever filling the queue. The count is taken when a
 * message is queued, and kept in it. When a message leaves while others stay, its length
 * is computed again, so it must not change while it is queued, except by __q_consumed()
 * and __q_appended().
 *
 * The messages, and the bytes of data in them, are counted as well: a walk to count
 * them would keep interrupts off for as long as senders like.
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "streams/message/mblk.h"
#include "band.h"
#include "flow.h"
#include "freeze.h"
#include "queue.h"

/*
 * Initialises a queue; q_next is left for plumbing to set. qi->qi_minfo is not
 * NULL. The queue is enabled by its first message.
 */
void queue_init(queue_t *q, struct qinit *qi, unsigned int flag,
		struct strperim *perim, struct stream *str)
{
	const struct module_info *mi = qi->qi_minfo;

	memset(q, 0, sizeof(*q));
	q->q_qinfo = qi;
	q->q_flag = flag | QUSE | QWANTR;
	q->q_minpsz = mi->mi_minpsz;
	q->q_maxpsz = mi->mi_maxpsz;
	q->q_hiwat = mi->mi_hiwat;
	q->q_lowat = mi->mi_lowat;
	spin_lock_init(&q->q_lock);
	q->q_perim = perim;
	q->q_stream = str;
}

/* Frees messages that are linked by b_next, as on a queue. */
void str_free_list(mblk_t *mp)
{
	mblk_t *next;

	for (; mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		mp->b_prev = NULL;
		freemsg(mp);
	}
}

/* Frees any number of messages, as str_free_list() does. Context: may sleep. */
void str_free_many(mblk_t *mp)
{
	mblk_t *next;

	for (; mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		str_free_list(mp);
		cond_resched();
	}
}

/*
 * Frees the queued messages. The queue is out of its stream and no task waits
 * for it, but a task that found the queue before may still look at it under
 * RCU: for its room, under q_lock, and by OTHERQ() for its stream. Context: may
 * sleep.
 */
void queue_destroy(queue_t *q)
{
	struct qband *bands;
	unsigned long irq;
	mblk_t *mp;
	bool back;

	spin_lock_irqsave(&q->q_lock, irq);
	mp = __getq_all(q, &back);
	bands = band_take_all(q);
	spin_unlock_irqrestore(&q->q_lock, irq);
	str_free_many(mp);
	kfree(bands);
}

/*
 * Returns the order of a message on a queue; the highest comes first. High-priority messages
 * have no band of their own.
 */
static int msg_class(const mblk_t *mp)
{
	return msg_hipri(mp) ? 256 : mp->b_band;
}

static mblk_t *last_hipri(const queue_t *q)
{
	mblk_t *last = NULL;
	mblk_t *mp;

	for (mp = q->q_first; mp && msg_hipri(mp); mp = mp->b_next)
		last = mp;
	return last;
}

/* Returns the last message of a class above that of the band, or NULL. */
static mblk_t *last_above(const queue_t *q, unsigned char pri)
{
	int i;

	for (i = pri; i < q->q_nband; i++) {
		if (q->q_bandp[i].qb_last)
			return q->q_bandp[i].qb_last;
	}
	return last_hipri(q);
}

/*
 * Returns the bytes of all blocks of a message, and stores the number that
 * read() returns in data: all, or those behind the control part.
 */
static size_t msg_lengths(const mblk_t *mp, size_t *data)
{
	bool all = DB_TYPE(mp) == M_DATA;
	size_t n = 0;

	*data = 0;
	for (; mp; mp = mp->b_cont) {
		size_t len = mblk_len(mp);

		n += len;
		if (all || DB_TYPE(mp) == M_DATA)
			*data += len;
	}
	return n;
}

static size_t msg_length(const mblk_t *mp)
{
	size_t data;

	return msg_lengths(mp, &data);
}

/* Puts mp behind prev, or first if that is NULL, and counts it. */
static void msg_link(queue_t *q, mblk_t *prev, mblk_t *mp)
{
	mblk_t *next = prev ? prev->b_next : q->q_first;
	struct qband *qb = band_find(q, mp->b_band);
	size_t data, n = msg_lengths(mp, &data);

	mp->b_prev = prev;
	mp->b_next = next;
	if (prev)
		prev->b_next = mp;
	else
		q->q_first = mp;
	if (next)
		next->b_prev = mp;
	else
		q->q_last = mp;
	if (qb) {
		if (!qb->qb_first || qb->qb_first == next)
			qb->qb_first = mp;
		if (!qb->qb_last || qb->qb_last == prev)
			qb->qb_last = mp;
	}
	q->q_msgs++;
	q->q_data += data;
	mp->b_counts = msg_count_of(mp, n);
	band_charge(q, mp->b_band, mp->b_counts);
}

/*
 * Returns the bytes of data that a message takes with it, no more than the
 * queue has.
 */
static size_t data_taken(const queue_t *q, const mblk_t *mp)
{
	size_t n;

	msg_lengths(mp, &n);
	/* A module changed the length of a message while it was queued. */
	return WARN_ON_ONCE(n > q->q_data) ? q->q_data : n;
}

/* Returns whether to back-enable. */
static bool msg_unlink(queue_t *q, mblk_t *mp)
{
	struct qband *qb = band_find(q, mp->b_band);

	if (qb) {
		bool first = qb->qb_first == mp;
		bool last = qb->qb_last == mp;

		if (first)
			qb->qb_first = last ? NULL : mp->b_next;
		if (last)
			qb->qb_last = first ? NULL : mp->b_prev;
	}
	if (mp->b_prev)
		mp->b_prev->b_next = mp->b_next;
	else
		q->q_first = mp->b_next;
	if (mp->b_next)
		mp->b_next->b_prev = mp->b_prev;
	else
		q->q_last = mp->b_prev;
	mp->b_next = NULL;
	mp->b_prev = NULL;
	/* Nearly always the message was the only one. */
	q->q_data = --q->q_msgs ? q->q_data - data_taken(q, mp) : 0;
	return band_uncharge(q, mp->b_band, mp->b_counts);
}

/*
 * Returns the band a message is to have on a queue; false: memory for the band
 * is short.
 */
static bool msg_band(queue_t *q, mblk_t *mp)
{
	if (msg_hipri(mp))
		mp->b_band = 0;
	return likely(!mp->b_band) || band_make(q, mp->b_band);
}

/*
 * Does what putq() does, under q_lock. Returns false when memory for the band
 * is short, or too many bytes of high priority are queued.
 */
bool __putq(queue_t *q, mblk_t *mp)
{
	struct qband *qb;
	mblk_t *prev;

	lockdep_assert_held(&q->q_lock);
	if (unlikely(!msg_band(q, mp)))
		return false;
	qb = band_find(q, mp->b_band);
	if (msg_hipri(mp)) {
		/* Flow control never holds back these messages. */
		if (band_overfull(q))
			return false;
		prev = last_hipri(q);
	} else if (!qb) {
		prev = q->q_last;
	} else if (qb->qb_last) {
		prev = qb->qb_last;
	} else {
		prev = last_above(q, mp->b_band);
	}
	msg_link(q, prev, mp);
	return true;
}

/*
 * Does what putbq() does, under q_lock. Returns false when memory for the band
 * is short.
 */
bool __putbq(queue_t *q, mblk_t *mp)
{
	lockdep_assert_held(&q->q_lock);
	if (unlikely(!msg_band(q, mp)))
		return false;
	msg_link(q, msg_hipri(mp) ? NULL : last_above(q, mp->b_band), mp);
	return true;
}

/*
 * Does what getq() does, under q_lock. *back tells whether to back-enable the band of the
 * message returned.
 */
mblk_t *__getq(queue_t *q, bool *back)
{
	mblk_t *mp = q->q_first;

	lockdep_assert_held(&q->q_lock);
	if (mp) {
		q->q_flag &= ~QWANTR;
		*back = msg_unlink(q, mp);
	} else {
		q->q_flag |= QWANTR;
		*back = false;
	}
	return mp;
}

/*
 * Takes all messages, linked by b_next, under q_lock, in a time that does not depend on
 * their number. *back tells whether to back-enable any band.
 */
mblk_t *__getq_all(queue_t *q, bool *back)
{
	mblk_t *mp = q->q_first;

	lockdep_assert_held(&q->q_lock);
	q->q_first = NULL;
	q->q_last = NULL;
	q->q_msgs = 0;
	q->q_data = 0;
	*back = band_empty_all(q);
	return mp;
}

/* Does what rmvq() does, under q_lock; returns whether to back-enable the message's band. */
bool __rmvq(queue_t *q, mblk_t *mp)
{
	lockdep_assert_held(&q->q_lock);
	return msg_unlink(q, mp);
}

/*
 * Records that n bytes were removed from the first part of the message mp on
 * the queue, whose length is already the new one. Returns whether to
 * back-enable the message's band.
 */
bool __q_consumed(queue_t *q, mblk_t *mp, size_t n)
{
	lockdep_assert_held(&q->q_lock);
	if (likely(DB_TYPE(mp) == M_DATA))
		q->q_data -= n;
	/* A message left empty still counts. */
	n = mp->b_counts;
	mp->b_counts = msg_count_of(mp, msg_length(mp));
	n -= mp->b_counts;
	return n && band_uncharge(q, mp->b_band, n);
}

/*
 * Records that n bytes were added to the first part of the message mp on the
 * queue.
 */
void __q_appended(queue_t *q, mblk_t *mp, size_t n)
{
	lockdep_assert_held(&q->q_lock);
	if (likely(DB_TYPE(mp) == M_DATA))
		q->q_data += n;
	n = mp->b_counts;
	mp->b_counts = msg_count_of(mp, msg_length(mp));
	band_charge(q, mp->b_band, mp->b_counts - n);
}

/*
 * Returns whether a message that came enables its queue: a message of high
 * priority always does, others if the queue may be enabled and the service
 * procedure found it empty.
 */
static bool wants_service(const queue_t *q, const mblk_t *mp)
{
	return msg_hipri(mp) || (q->q_flag & (QNOENB | QWANTR)) == QWANTR;
}

/**
 * putq() - put a message on a queue
 * @q: the queue
 * @mp: the message; consumed on success
 *
 * It is queued behind the messages of its own class: high priority, or its band.
 * The queue is enabled by a high-priority message always, and unless
 * noenable() forbids it by one in a band above 0, or one that finds the queue
 * empty or that the service procedure waits for.
 *
 * Context: any; takes q_lock.
 * Return: 1, or 0 when memory for the band is short; then the message is still
 * the caller's.
 * Source: SVR4.2 DDI/DKI putq(D3).
 */
int putq(queue_t *q, mblk_t *mp)
{
	unsigned long irq;
	bool ok, enable;

	spin_lock_irqsave(&q->q_lock, irq);
	enable = wants_service(q, mp) ||
		 (!(q->q_flag & QNOENB) && (mp->b_band || !q->q_first));
	ok = __putq(q, mp);
	spin_unlock_irqrestore(&q->q_lock, irq);
	if (ok && enable)
		qenable(q);
	return ok;
}
EXPORT_SYMBOL_GPL(putq);

/**
 * putbq() - put a message back on a queue
 * @q: the queue
 * @mp: the message; consumed on success
 *
 * It is queued before the messages of its own class. The queue is not enabled by a
 * message that its own service procedure took and puts back for want of room
 * ahead; back-enabling will do that. It is enabled by a high-priority message:
 * those are not subject to flow control and never put back.
 *
 * Context: any; takes q_lock.
 * Return: 1, or 0 when memory for the band is short; then the message is still
 * the caller's.
 * Source: SVR4.2 DDI/DKI putbq(D3).
 */
int putbq(queue_t *q, mblk_t *mp)
{
	unsigned long irq;
	bool ok, enable;

	spin_lock_irqsave(&q->q_lock, irq);
	enable = wants_service(q, mp);
	ok = __putbq(q, mp);
	spin_unlock_irqrestore(&q->q_lock, irq);
	if (ok && enable)
		qenable(q);
	return ok;
}
EXPORT_SYMBOL_GPL(putbq);

/**
 * getq() - take the first message off a queue
 * @q: the queue
 *
 * When that brings the message's band down to its low water mark, and a sender
 * waits for it, the nearest queue behind with a service procedure is enabled.
 *
 * Context: any, no lock held.
 * Return: the message, or NULL; the next message then enables the queue.
 * Source: SVR4.2 DDI/DKI getq(D3).
 */
mblk_t *getq(queue_t *q)
{
	unsigned long irq;
	mblk_t *mp;
	bool back;

	spin_lock_irqsave(&q->q_lock, irq);
	mp = __getq(q, &back);
	spin_unlock_irqrestore(&q->q_lock, irq);
	if (back)
		backenable(q, mp->b_band);
	return mp;
}
EXPORT_SYMBOL_GPL(getq);

/**
 * insq() - put a message at a certain place on a queue
 * @q: the queue
 * @emp: the queued message to insert it before; NULL: at the end
 * @nmp: the message; consumed on success
 *
 * The place must agree with the order of the queue.
 *
 * Context: any; takes q_lock.
 * Return: 1, or 0 when the message may not be there or memory for its band is
 * short; then it is still the caller's.
 * Source: SVR4.2 DDI/DKI insq(D3).
 */
int insq(queue_t *q, mblk_t *emp, mblk_t *nmp)
{
	int class = msg_class(nmp);
	unsigned long irq = 0;
	mblk_t *prev;
	bool ok, enable, frozen;

	frozen = queue_hold(q, &irq);
	enable = wants_service(q, nmp);
	prev = emp ? emp->b_prev : q->q_last;
	ok = (!prev || msg_class(prev) >= class) &&
	     (!emp || msg_class(emp) <= class) && msg_band(q, nmp);
	if (ok)
		msg_link(q, prev, nmp);
	queue_release(q, irq, frozen);
	if (ok && enable && frozen)
		freeze_enable();
	else if (ok && enable)
		qenable(q);
	return ok;
}
EXPORT_SYMBOL_GPL(insq);

/**
 * rmvq() - take a certain message off a queue
 * @q: the queue
 * @mp: the message, which must be on @q
 *
 * Back-enables as getq() does.
 *
 * Context: any, no lock held.
 * Source: SVR4.2 DDI/DKI rmvq(D3).
 */
void rmvq(queue_t *q, mblk_t *mp)
{
	unsigned char pri = mp->b_band;
	unsigned long irq = 0;
	bool back, frozen;

	frozen = queue_hold(q, &irq);
	back = __rmvq(q, mp);
	queue_release(q, irq, frozen);
	if (back && frozen)
		freeze_backenable(pri);
	else if (back)
		backenable(q, pri);
}
EXPORT_SYMBOL_GPL(rmvq);

/* Frees the messages of bands lo to hi, with FLUSHDATA only those of data. */
static void flush(queue_t *q, int lo, int hi, int flag)
{
	DECLARE_BITMAP(back, 256);
	mblk_t *mp, *next, *gone = NULL;
	unsigned long irq;
	int pri;

	bitmap_zero(back, 256);
	spin_lock_irqsave(&q->q_lock, irq);
	for (mp = q->q_first; mp; mp = next) {
		next = mp->b_next;
		if (mp->b_band < lo || mp->b_band > hi)
			continue;
		if (flag == FLUSHDATA && !datamsg(mp->b_datap->db_type))
			continue;
		if (msg_unlink(q, mp))
			__set_bit(mp->b_band, back);
		mp->b_next = gone;
		gone = mp;
	}
	spin_unlock_irqrestore(&q->q_lock, irq);
	str_free_list(gone);
	for_each_set_bit(pri, back, 256)
		backenable(q, pri);
}

/**
 * flushq() - free the messages on a queue
 * @q: the queue
 * @flag: FLUSHALL: all; FLUSHDATA: those of type M_DATA, M_PROTO, M_PCPROTO
 *	and M_DELAY
 *
 * Back-enables as getq() does, for each band.
 *
 * Context: any, no lock held.
 * Source: SVR4.2 DDI/DKI flushq(D3).
 */
void flushq(queue_t *q, int flag)
{
	flush(q, 0, 255, flag);
}
EXPORT_SYMBOL_GPL(flushq);

/**
 * flushband() - free the messages of one band of a queue
 * @q: the queue
 * @pri: the band; 0: with the high-priority messages
 * @flag: as for flushq()
 *
 * Back-enables as getq() does.
 *
 * Context: any, no lock held.
 * Source: SVR4.2 DDI/DKI flushband(D3).
 */
void flushband(queue_t *q, unsigned char pri, int flag)
{
	flush(q, pri, pri, flag);
}
EXPORT_SYMBOL_GPL(flushband);

/**
 * qsize() - count the messages on a queue
 * @q: the queue
 *
 * Context: any.
 * Return: their number, of all bands.
 * Source: SVR4.2 DDI/DKI qsize(D3).
 */
int qsize(queue_t *q)
{
	return READ_ONCE(q->q_msgs);
}
EXPORT_SYMBOL_GPL(qsize);
