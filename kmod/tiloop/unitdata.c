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

#include "addr.h"
#include "opt.h"
#include "unitdata.h"

static DEFINE_SPINLOCK(waits_lock);

/* Makes the senders that wait for room here try again. Context: any. */
void tiloop_waiters_enable(struct tiloop_end *ep)
{
	struct tiloop_end *w, *next;
	queue_t *q;

	spin_lock_bh(&waits_lock);
	list_for_each_entry_safe(w, next, &ep->waiters, waits) {
		list_del_init(&w->waits);
		q = tiloop_enter(w);
		if (!q)
			continue;
		qenable(WR(q));
		tiloop_leave(w);
	}
	spin_unlock_bh(&waits_lock);
}

/* It no longer waits. Context: any. */
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
 * Whether there is room at the queue of an endpoint, which the caller has
 * entered. If not ep is enabled when there is: every function that makes room,
 * or closes that endpoint, looks for waiters afterwards.
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

/* Makes a T_UNITDATA_REQ the T_UNITDATA_IND of its receiver, if it can. */
static mblk_t *tiloop_unitdata_ind(const struct tiloop_end *ep, mblk_t *mp)
{
	struct T_unitdata_ind *ind;

	mp = strtpi_room(mp, sizeof(*ind) + ep->addr.len);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	ind = (struct T_unitdata_ind *)mp->b_wptr;
	*ind = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = ep->addr.len,
		.SRC_offset = sizeof(*ind),
	};
	memcpy(ind + 1, ep->addr.bytes, ep->addr.len);
	mp->b_wptr += sizeof(*ind) + ep->addr.len;
	return mp;
}

/* Reads the primitive; -EPROTO if it is malformed. */
static int unitdata_parse(const mblk_t *mp, struct tiloop_addr *dest)
{
	struct T_unitdata_req req;
	const void *at;

	if (!tpi_get(mp, &req, sizeof(req)))
		return -EPROTO;
	at = tpi_span(mp, req.DEST_offset, req.DEST_length);
	if (!at || (req.OPT_length &&
		    !tpi_span(mp, req.OPT_offset, req.OPT_length)))
		return -EPROTO;
	dest->len = min_t(size_t, req.DEST_length, sizeof(dest->bytes));
	memcpy(dest->bytes, at, dest->len);
	if (!dest->len || dest->len != req.DEST_length ||
	    !tiloop_options_ok(mp, req.OPT_offset, req.OPT_length))
		return -EINVAL;
	return mp->b_cont && msgsize(mp->b_cont) > LOOP_TIDU ? -EMSGSIZE : 0;
}

/* Gives it to its receiver: 0, -EAGAIN when it has to wait, or an error. */
static int unitdata_send(struct tiloop_end *ep, struct tiloop_end *to, mblk_t *mp)
{
	queue_t *q = tiloop_enter(to);
	int err = 0;

	if (!q)
		return -ECONNREFUSED;
	if (!has_room(ep, to, q)) {
		err = -EAGAIN;
	} else {
		/* Without memory it is lost, as datagrams may be. */
		mp = tiloop_unitdata_ind(ep, mp);
		if (mp)
			put(q, mp);
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
	int err = -EPROTO;

	/*
	 * Not acknowledged, so in the wrong state it can only end the stream.
	 */
	if (ep->state == TS_IDLE)
		err = unitdata_parse(mp, &dest);
	if (err == -EPROTO) {
		strtpi_reply(WR(ep->rq), strtpi_fatal(mp));
		return true;
	}
	if (!err) {
		to = tiloop_addr_find(ep, &dest);
		err = to ? unitdata_send(ep, to, mp) : -ECONNREFUSED;
		tiloop_end_put(to);
	}
	if (err && err != -EAGAIN) {
		/*
		 * As a datagram may, its error may be lost. It has the
		 * destination as the user gave it.
		 */
		if (canputnext(ep->rq))
			strtpi_reply(WR(ep->rq),
				     strtpi_uderror_ind(mp, dest.bytes, dest.len, -err));
		else
			freemsg(mp);
	}
	return err != -EAGAIN;
}
