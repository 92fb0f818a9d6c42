// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ending connections between endpoints of the loopback transports
 *
 * The side that ends a connection forgets it, and informs the other side by a
 * LOOP_DISCON, which is not answered. Data that has arrived at the other side
 * can still be read there; other data is dropped.
 */
#include <linux/errno.h>

#include "data.h"
#include "discon.h"
#include "wire.h"

struct tiloop_call *tiloop_call_find(struct tiloop_end *ep, u32 seq)
{
	struct tiloop_call *call;

	list_for_each_entry(call, &ep->calls, list)
		if (call->seq == seq)
			return call;
	return NULL;
}

void tiloop_call_drop(struct tiloop_end *ep, struct tiloop_call *call)
{
	list_del_init(&call->list);
	ep->ncalls--;
	tiloop_call_put(call);
}

/* Refuses a caller, with data or NULL; the call stays. */
void tiloop_call_refuse(struct tiloop_end *ep, struct tiloop_call *call, int reason,
			mblk_t *data)
{
	mblk_t *mp = call->refusal;

	call->refusal = NULL;
	tiloop_wire_fill(mp, LOOP_DISCON, call->conn, reason, ep);
	mp->b_cont = data;
	tiloop_wire_send_or_free(call->from, mp);
}

/* Makes a T_DISCON_IND of another endpoint's message, and sends it up. */
static void discon_ind_send(struct tiloop_end *ep, mblk_t *mp, int reason,
			    t_scalar_t seq)
{
	struct T_discon_ind ind = {
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = reason,
		.SEQ_number = seq,
	};

	static_assert(sizeof(struct tiloop_wire) >= sizeof(ind));
	tpi_put(mp, &ind, sizeof(ind), NULL, 0);
	putnext(ep->rq, mp);
}

/**
 * tiloop_discon_ind() - end a connection, or the attempt, on this side
 * @ep: the endpoint
 * @mp: a wire, with the other's data; consumed
 * @reason: an errno value
 */
void tiloop_discon_ind(struct tiloop_end *ep, mblk_t *mp, int reason)
{
	tiloop_conn_over(ep);
	discon_ind_send(ep, mp, reason, -1);
	tiloop_data_discard(WR(ep->rq));
}

/* Ends a call that waits here; mp is a wire. */
void tiloop_call_gone(struct tiloop_end *ep, struct tiloop_call *call, mblk_t *mp)
{
	u32 seq = call->seq;

	tiloop_call_drop(ep, call);
	if (!ep->ncalls && ep->state == TS_WRES_CIND)
		ep->state = TS_IDLE;
	discon_ind_send(ep, mp, ECONNABORTED, seq);
}

static struct tiloop_call *call_of(struct tiloop_end *ep, u64 conn)
{
	struct tiloop_call *call;

	list_for_each_entry(call, &ep->calls, list)
		if (call->conn == conn)
			return call;
	return NULL;
}

void tiloop_discon_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	const struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;
	struct tiloop_call *call = call_of(ep, w->conn);

	if (call && call == ep->accepting) {
		/*
		 * An endpoint that accepts the connection will find the flag.
		 */
		call->gone = true;
		freemsg(mp);
	} else if (call) {
		tiloop_call_gone(ep, call, mp);
	} else if (ep->conn == w->conn && ep->peer == w->from) {
		tiloop_discon_ind(ep, mp, w->value);
	} else {
		/*
		 * The connection is over here too, or the endpoint has another
		 * one.
		 */
		freemsg(mp);
	}
}

/*
 * Handles a T_DISCON_REQ of a connection, or of a call that this endpoint made.
 */
static mblk_t *discon_conn(struct tiloop_end *ep, mblk_t *mp)
{
	mblk_t *wire = tiloop_wire_alloc(sizeof(struct tiloop_wire));
	mblk_t *flush = strtpi_flush_message(GFP_ATOMIC);
	struct tiloop_end *peer = ep->peer;

	if (!wire || !flush) {
		freemsg(wire);
		freemsg(flush);
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	}
	tiloop_wire_fill(wire, LOOP_DISCON, ep->conn, ECONNRESET, ep);
	wire->b_cont = mp->b_cont;
	mp->b_cont = NULL;
	if (peer)
		tiloop_end_get(peer);
	tiloop_conn_over(ep);
	tiloop_data_discard(WR(ep->rq));
	putnext(ep->rq, flush);
	strtpi_reply(WR(ep->rq), strtpi_ok_ack(mp));
	if (peer)
		tiloop_wire_send_or_free(peer, wire);
	else
		freemsg(wire);
	tiloop_end_put(peer);
	return NULL;
}

/* Handles a T_DISCON_REQ of a call that waits to be accepted. */
static mblk_t *discon_call(struct tiloop_end *ep, mblk_t *mp, u32 seq)
{
	struct tiloop_call *call = tiloop_call_find(ep, seq);
	mblk_t *data = mp->b_cont;

	if (!call)
		return strtpi_error_ack(mp, TBADSEQ, 0);
	mp->b_cont = NULL;
	tiloop_call_refuse(ep, call, ECONNREFUSED, data);
	tiloop_call_drop(ep, call);
	if (!ep->ncalls)
		ep->state = TS_IDLE;
	return strtpi_ok_ack(mp);
}

/**
 * tiloop_discon_req() - act on a T_DISCON_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Return: the answer, if it was not sent. TPI version 2, T_DISCON_REQ.
 */
mblk_t *tiloop_discon_req(struct tiloop_end *ep, mblk_t *mp)
{
	struct T_discon_req req;

	if (!tpi_get(mp, &req, sizeof(req)))
		return strtpi_error_ack(mp, TSYSERR, EINVAL);
	if (ep->state != TS_WCON_CREQ && ep->state != TS_WRES_CIND &&
	    !tpi_is_connected(ep->state))
		return strtpi_error_ack(mp, TOUTSTATE, 0);
	if (mp->b_cont && msgsize(mp->b_cont) > LOOP_UDATA_MAX)
		return strtpi_error_ack(mp, TBADDATA, 0);
	return ep->state == TS_WRES_CIND ? discon_call(ep, mp, req.SEQ_number) :
					   discon_conn(ep, mp);
}

/**
 * tiloop_end_leave() - drop all references to others
 * @ep: an endpoint that is closed: its procedures are off
 *
 * Nothing that is needed for it has to be allocated.
 */
void tiloop_end_leave(struct tiloop_end *ep)
{
	struct tiloop_call *call, *next;

	if (ep->peer) {
		tiloop_wire_fill(ep->bye, LOOP_DISCON, ep->conn, ECONNRESET, ep);
		tiloop_wire_send_or_free(ep->peer, ep->bye);
		ep->bye = NULL;
	}
	tiloop_conn_over(ep);
	list_for_each_entry_safe(call, next, &ep->calls, list) {
		tiloop_call_refuse(ep, call, ECONNREFUSED, NULL);
		tiloop_call_drop(ep, call);
	}
	freemsg(ep->res);
	ep->res = NULL;
	ep->accepting = NULL;
}
