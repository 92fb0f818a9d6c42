// SPDX-License-Identifier: GPL-2.0-only
/*
 * Datagrams of the loopback transports
 *
 * None is lost for want of room: its sender waits until the receiver has some.
 * The receiver has a list of the waiting senders, under waits_lock.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>

#include "tpi/unitdata.h"
#include "addr.h"
#include "opt.h"
#include "unitdata.h"

/* Thousands of senders may wait; bottom halves are off while this number is enabled. */
#define WAITERS_BATCH	32

static DEFINE_SPINLOCK(waits_lock);

/* Enables the first senders of a list. Returns false when the list is empty. */
static bool waiters_enable_some(struct list_head *waiters)
{
	struct tiloop_end *w, *next;
	int left = WAITERS_BATCH;
	queue_t *q;

	spin_lock_bh(&waits_lock);
	list_for_each_entry_safe(w, next, waiters, waits) {
		if (!left--)
			break;
		list_del_init(&w->waits);
		q = tiloop_enter(w);
		if (!q)
			continue;
		qenable(WR(q));
		tiloop_leave(w);
	}
	spin_unlock_bh(&waits_lock);
	return left < 0;
}

/*
 * Makes the first senders that wait for room at this endpoint try again.
 * Returns false when no sender waits. Context: any.
 */
bool tiloop_waiters_enable_some(struct tiloop_end *ep)
{
	return waiters_enable_some(&ep->waiters);
}

/* Makes all senders that wait for room here try again. Context: may sleep. */
void tiloop_waiters_enable(struct tiloop_end *ep)
{
	LIST_HEAD(waiters);

	/*
	 * Senders that have to wait again join the old list, which is not
	 * walked twice.
	 */
	spin_lock_bh(&waits_lock);
	list_splice_init(&ep->waiters, &waiters);
	spin_unlock_bh(&waits_lock);
	while (waiters_enable_some(&waiters))
		cond_resched();
}

/* Ends the wait of an endpoint for room at another one. Context: any. */
void tiloop_wait_end(struct tiloop_end *ep)
{
	spin_lock_bh(&waits_lock);
	list_del_init(&ep->waits);
	spin_unlock_bh(&waits_lock);
}

static void wait_begin(struct tiloop_end *ep, struct tiloop_end *to)
{
	spin_lock_bh(&waits_lock);
	list_move_tail(&ep->waits, &to->waiters);
	spin_unlock_bh(&waits_lock);
}

/*
 * Returns whether there is room at the queue of an endpoint, which the caller
 * has entered. If not, ep is enabled when there is room: every function that
 * makes room, or closes that endpoint, looks for waiters afterwards.
 */
static bool has_room(struct tiloop_end *ep, struct tiloop_end *to, queue_t *q)
{
	if (canputnext(q))
		return true;
	wait_begin(ep, to);
	if (!canputnext(q))
		return false;
	tiloop_wait_end(ep);
	return true;
}

/* Reads the primitive. Returns -EPROTO if it is malformed. */
static int unitdata_parse(const mblk_t *mp, struct tiloop_addr *dest)
{
	struct T_unitdata_req req;
	const void *at, *opts;

	if (!tpi_unitdata_get(mp, &req, &at, &opts))
		return -EPROTO;
	dest->len = min_t(size_t, req.DEST_length, sizeof(dest->bytes));
	memcpy(dest->bytes, at, dest->len);
	if (!dest->len || dest->len != req.DEST_length ||
	    !tiloop_options_ok(mp, req.OPT_offset, req.OPT_length))
		return -EINVAL;
	return mp->b_cont && msgsize(mp->b_cont) > LOOP_TIDU ? -EMSGSIZE : 0;
}

/*
 * Gives a datagram to its receiver. Returns 0, -EAGAIN when it has to wait, or
 * an error.
 */
static int unitdata_send(struct tiloop_end *ep, struct tiloop_end *to, mblk_t *mp)
{
	queue_t *q = tiloop_enter(to);
	int err = 0;

	if (!q)
		return -ECONNREFUSED;
	if (!has_room(ep, to, q)) {
		err = -EAGAIN;
	} else {
		/*
		 * When memory is short the datagram is lost, as datagrams may
		 * be.
		 */
		mp = strtpi_room(mp, sizeof(struct T_unitdata_ind) + ep->addr.len);
		if (mp) {
			tpi_unitdata_ind(mp, ep->addr.bytes, ep->addr.len, 0);
			put(q, mp);
		}
	}
	tiloop_leave(to);
	return err;
}

/**
 * tiloop_unitdata_req() - act on T_UNITDATA_REQ
 * @ep: the endpoint
 * @mp: the message; consumed, unless false is returned
 *
 * Return: false when it has to wait. TPI version 2, T_UNITDATA_REQ.
 */
bool tiloop_unitdata_req(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_addr dest;
	struct tiloop_end *to;
	int err;

	dest.len = 0;
	err = ep->state == TS_IDLE ? unitdata_parse(mp, &dest) : -EPROTO;
	if (!err) {
		to = tiloop_addr_find(ep, &dest);
		err = to ? unitdata_send(ep, to, mp) : -ECONNREFUSED;
		tiloop_end_put(to);
	}
	if (err && err != -EAGAIN)
		strtpi_reply(WR(ep->rq), strtpi_unsent(ep->rq, mp, dest.bytes, dest.len,
						       err));
	return err != -EAGAIN;
}
