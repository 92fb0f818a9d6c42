// SPDX-License-Identifier: GPL-2.0-only
/*
 * Priority bands and water marks
 *
 * Band 0 (with the high-priority messages) is accounted in the queue itself,
 * the others in an array that begins with band 1 and grows to the highest band
 * that was ever used. There are 255 of those, so they also share a limit on
 * the bytes they hold together. All under q_lock. Bytes are counted for flow control;
 * memory is charged in message/mblk.c.
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "streams/message/mblk.h"
#include "band.h"

/* Makes the band if the queue lacks it. Returns false when memory is short. */
bool band_make(queue_t *q, unsigned char pri)
{
	struct qband *bands;
	int i;

	lockdep_assert_held(&q->q_lock);
	if (likely(pri <= q->q_nband))
		return true;
	bands = krealloc(q->q_bandp, pri * sizeof(*bands),
			 GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!bands)
		return false;
	for (i = q->q_nband; i < pri; i++) {
		bands[i] = (struct qband) {
			.qb_hiwat = q->q_hiwat,
			.qb_lowat = q->q_lowat,
		};
	}
	q->q_bandp = bands;
	q->q_nband = pri;
	return true;
}

/* Leaves the queue without bands; the caller frees them by kfree(). */
struct qband *band_take_all(queue_t *q)
{
	struct qband *bands = q->q_bandp;

	q->q_bandp = NULL;
	q->q_nband = 0;
	return bands;
}

/*
 * The number of bands above 0 that may be full at once, as programs use one or
 * two. Each has flow control of its own until together the bands hold as much
 * as that.
 */
#define BANDS_FULL	4

/*
 * The bytes that all bands above 0 may hold together, unless the queue has a
 * mark for it; a module may allow one of its bands more.
 */
static size_t above_most(const queue_t *q, const struct qband *qb)
{
	if (q->q_abovehi)
		return q->q_abovehi;
	return max_t(size_t, BANDS_FULL * q->q_hiwat, qb ? qb->qb_hiwat : 0);
}

/**
 * band_full() - ask whether a band has no room, and wait for it if so
 * @q: the queue
 * @pri: the band; 0: the queue itself
 *
 * Context: with q_lock held.
 * Return: whether it is full; then the queue behind is back-enabled when there is
 * room again.
 */
bool band_full(queue_t *q, unsigned char pri)
{
	struct qband *qb = band_find(q, pri);

	lockdep_assert_held(&q->q_lock);
	if (!pri) {
		if (q->q_flag & QFULL)
			q->q_flag |= QWANTW;
		return q->q_flag & QFULL;
	}
	if (qb && qb->qb_flag & QB_FULL) {
		qb->qb_flag |= QB_WANTW;
		return true;
	}
	if (q->q_above && q->q_above >= above_most(q, qb)) {
		q->q_abovew = true;
		return true;
	}
	return false;
}

/*
 * The bytes above its marks that a queue may hold of messages that flow control
 * does not hold back: those of high priority, and those that popped modules
 * leave to it
 */
#define HIPRI_MOST	262144

static bool is_overfull(size_t count, size_t mark)
{
	return count > HIPRI_MOST && count - HIPRI_MOST > mark;
}

/**
 * band_overfull() - ask whether a queue should have no more of such messages
 * @q: the queue
 *
 * Context: with q_lock held, or for a momentary answer.
 * Return: whether it holds more than that.
 */
bool band_overfull(const queue_t *q)
{
	return is_overfull(READ_ONCE(q->q_count), READ_ONCE(q->q_hiwat)) ||
	       is_overfull(READ_ONCE(q->q_above), above_most(q, NULL));
}

/* The account of a band; band 0 has one too */
struct account {
	size_t *count;
	size_t *hiwat;
	size_t *lowat;
	unsigned int *flag;
	unsigned int full;		/* QFULL or QB_FULL in *flag */
	unsigned int want;		/* QWANTW or QB_WANTW */
};

static struct account band_account(queue_t *q, unsigned char pri)
{
	struct qband *qb = band_find(q, pri);

	if (!qb)
		return (struct account) {
			&q->q_count, &q->q_hiwat, &q->q_lowat, &q->q_flag,
			QFULL, QWANTW
		};
	return (struct account) {
		&qb->qb_count, &qb->qb_hiwat, &qb->qb_lowat, &qb->qb_flag,
		QB_FULL, QB_WANTW
	};
}

/*
 * Makes the flags agree with count and marks. An empty band is never full,
 * whatever its marks. Returns whether a sender waits for room and there is
 * enough again.
 */
static bool account_mark(const struct account *a)
{
	unsigned int flag = *a->flag & ~a->full;
	bool room;

	if (*a->count && *a->count >= *a->hiwat)
		flag |= a->full;
	room = (flag & a->want) && !(flag & a->full) &&
	       *a->count <= *a->lowat;
	if (room)
		flag &= ~a->want;
	/* canput() looks at the flag without the lock. */
	WRITE_ONCE(*a->flag, flag);
	return room;
}

void band_charge(queue_t *q, unsigned char pri, size_t n)
{
	struct account a;

	lockdep_assert_held(&q->q_lock);
	/* Nearly all messages are of band 0. */
	if (likely(!pri)) {
		q->q_count += n;
		if (q->q_count >= q->q_hiwat && !(q->q_flag & QFULL))
			WRITE_ONCE(q->q_flag, q->q_flag | QFULL);
		return;
	}
	q->q_above += n;
	a = band_account(q, pri);
	*a.count += n;
	if (*a.count >= *a.hiwat && !(*a.flag & a.full))
		WRITE_ONCE(*a.flag, *a.flag | a.full);
}

/*
 * Subtracts n bytes from the bands above 0. Returns whether a sender waited for
 * that, and enough room has returned.
 */
static bool above_uncharge(queue_t *q, size_t n)
{
	size_t most = above_most(q, NULL);

	q->q_above -= n;
	if (likely(!q->q_abovew) || q->q_above > most - most / 4)
		return false;
	q->q_abovew = false;
	return true;
}

/* Returns whether to back-enable. */
bool band_uncharge(queue_t *q, unsigned char pri, size_t n)
{
	struct account a;
	bool back = false;

	lockdep_assert_held(&q->q_lock);
	if (likely(!pri && n <= q->q_count &&
		   !(q->q_flag & (QFULL | QWANTW)))) {
		q->q_count -= n;
		return false;
	}
	a = band_account(q, pri);
	/* A module changed the band of a message while it was queued. */
	if (WARN_ON_ONCE(n > *a.count))
		n = *a.count;
	*a.count -= n;
	if (pri)
		back = above_uncharge(q, n);
	if (likely(!(*a.flag & (a.full | a.want))))
		return back;
	return account_mark(&a) || back;
}

/* Empties all bands. Returns whether to back-enable one. */
bool band_empty_all(queue_t *q)
{
	bool back = q->q_abovew;
	struct account a;
	int pri;

	lockdep_assert_held(&q->q_lock);
	for (pri = 0; pri <= q->q_nband; pri++) {
		struct qband *qb = band_find(q, pri);

		if (qb) {
			qb->qb_first = NULL;
			qb->qb_last = NULL;
		}
		a = band_account(q, pri);
		*a.count = 0;
		back |= account_mark(&a);
	}
	q->q_above = 0;
	q->q_abovew = false;
	return back;
}

/* Sets a water mark of a band that exists. Returns whether to back-enable. */
bool band_mark(queue_t *q, unsigned char pri, qfields_t what, long val)
{
	struct account a = band_account(q, pri);

	*(what == QHIWAT ? a.hiwat : a.lowat) = val;
	return account_mark(&a);
}
