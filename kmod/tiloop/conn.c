// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making connections between endpoints of the loopback transports
 *
 * The caller's LOOP_CALL waits at the listener as a T_CONN_IND. If accepted on
 * another endpoint, it is sent there as LOOP_ACCEPT; the LOOP_ACCEPTED sent in
 * answer lets the listener acknowledge its T_CONN_RES. The endpoint that has
 * the connection then sends the caller a LOOP_ANSWER. A caller that has given
 * up meanwhile, which the listener may know and the acceptor not, answers that
 * with LOOP_DISCON.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "addr.h"
#include "conn.h"
#include "data.h"
#include "discon.h"
#include "opt.h"
#include "wire.h"

static void conn_begin(struct tiloop_end *ep, const struct tiloop_call *call)
{
	ep->conn = call->conn;
	ep->peer = tiloop_end_get(call->from);
	ep->remote = call->addr;
	ep->state = TS_DATA_XFER;
}

/*
 * Returns whether the data sent with a connection request or response is short
 * enough.
 */
static bool udata_ok(const mblk_t *mp)
{
	return !mp->b_cont || msgsize(mp->b_cont) <= LOOP_UDATA_MAX;
}

/* Reads a T_CONN_REQ. Returns a TLI error, or 0. */
static int tiloop_conn_parse(const struct tiloop_end *ep, const mblk_t *mp,
			     struct tiloop_addr *dest)
{
	struct T_conn_req req;

	if (!tpi_get(mp, &req, sizeof(req)))
		return TSYSERR;
	if (ep->state != TS_IDLE)
		return TOUTSTATE;
	if (!tiloop_addr_get(dest, mp, req.DEST_offset, req.DEST_length))
		return TBADADDR;
	if (!tiloop_options_ok(mp, req.OPT_offset, req.OPT_length))
		return TBADOPT;
	return udata_ok(mp) ? 0 : TBADDATA;
}

/* Makes the message that asks for a connection; NULL: memory is short. */
static mblk_t *call_message(struct tiloop_end *ep)
{
	mblk_t *mp = tiloop_wire_alloc(sizeof(struct tiloop_wire_call));
	struct tiloop_wire_call *w;

	if (!mp)
		return NULL;
	w = (struct tiloop_wire_call *)mp->b_rptr;
	w->call = tiloop_call_alloc(ep);
	if (!w->call) {
		freemsg(mp);
		return NULL;
	}
	tiloop_wire_fill(mp, LOOP_CALL, w->call->conn, 0, NULL);
	return mp;
}

/**
 * tiloop_conn_req() - act on a T_CONN_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Return: the answer, if it was not sent. TPI version 2, T_CONN_REQ.
 */
mblk_t *tiloop_conn_req(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_addr dest;
	struct tiloop_call *call;
	int tli = tiloop_conn_parse(ep, mp, &dest);
	mblk_t *wire;

	if (tli)
		return strtpi_error_ack(mp, tli, EINVAL);
	/* The results are not subject to flow control, so the room is checked first. */
	wire = canputnext(ep->rq) ? call_message(ep) : NULL;
	if (!wire)
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	call = ((struct tiloop_wire_call *)wire->b_rptr)->call;
	wire->b_cont = mp->b_cont;
	mp->b_cont = NULL;
	ep->conn = call->conn;
	ep->peer = tiloop_addr_find(ep, &dest);
	ep->state = TS_WCON_CREQ;
	strtpi_reply(WR(ep->rq), strtpi_ok_ack(mp));
	if (!ep->peer || !tiloop_wire_send(ep->peer, wire)) {
		/* No endpoint has the address, or the endpoint has closed. */
		tiloop_call_put(call);
		freemsg(wire->b_cont);
		wire->b_cont = NULL;
		tiloop_discon_ind(ep, wire, ECONNREFUSED);
	}
	return NULL;
}

/* Callers that give up leave an indication each, so qlen alone does not limit them. */
static bool can_listen(const struct tiloop_end *ep)
{
	return (ep->state == TS_IDLE || ep->state == TS_WRES_CIND ||
		ep->state == TS_WACK_CRES) && ep->ncalls < ep->qlen &&
	       canputnext(ep->rq);
}

/* Makes a T_CONN_IND, without the caller's data; NULL: memory is short. */
static mblk_t *tiloop_conn_ind(const struct tiloop_call *call)
{
	struct T_conn_ind ind = {
		.PRIM_type = T_CONN_IND,
		.SRC_length = call->addr.len,
		.SRC_offset = sizeof(ind),
		.SEQ_number = call->seq,
	};

	return strtpi_prim(NULL, M_PROTO, &ind, sizeof(ind), call->addr.bytes,
			   call->addr.len);
}

/* Returns a number that no other call here has; never 0 nor -1. */
static u32 tiloop_next_seq(struct tiloop_end *ep)
{
	do {
		ep->last_seq = ep->last_seq % INT_MAX + 1;
	} while (tiloop_call_find(ep, ep->last_seq));
	return ep->last_seq;
}

/* Handles a call that arrives at a listener. */
void tiloop_call_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_call *call = ((struct tiloop_wire_call *)mp->b_rptr)->call;
	mblk_t *data = mp->b_cont, *ind = NULL;

	mp->b_cont = NULL;
	call->refusal = mp;
	if (can_listen(ep)) {
		call->seq = tiloop_next_seq(ep);
		ind = tiloop_conn_ind(call);
	}
	if (!ind) {
		freemsg(data);
		tiloop_call_refuse(ep, call, ECONNREFUSED, NULL);
		tiloop_call_put(call);
		return;
	}
	list_add_tail(&call->list, &ep->calls);
	ep->ncalls++;
	if (ep->state == TS_IDLE)
		ep->state = TS_WRES_CIND;
	ind->b_cont = data;
	putnext(ep->rq, ind);
}

/* Makes a LOOP_ANSWER to the caller; NULL: memory is short. */
static mblk_t *answer_message(const struct tiloop_call *call)
{
	mblk_t *mp = tiloop_wire_alloc(sizeof(struct tiloop_wire_call));

	if (mp)
		tiloop_wire_fill(mp, LOOP_ANSWER, call->conn, 0, NULL);
	return mp;
}

/*
 * Sends the answer, with the data of the accept, from the endpoint now
 * connected.
 */
static void answer_send(struct tiloop_end *ep, mblk_t *mp, mblk_t *data)
{
	struct tiloop_wire_call *w = (struct tiloop_wire_call *)mp->b_rptr;

	w->wire.from = tiloop_end_get(ep);
	w->addr = ep->addr;
	mp->b_cont = data;
	if (tiloop_wire_send(ep->peer, mp))
		return;
	/* The caller has closed. */
	tiloop_end_put(ep);
	freemsg(data);
	mp->b_cont = NULL;
	tiloop_discon_ind(ep, mp, ECONNRESET);
}

/* Accepts a call on the listening stream, where no other call may wait then. */
static mblk_t *tiloop_accept_here(struct tiloop_end *ep, struct tiloop_call *call,
				  mblk_t *mp)
{
	mblk_t *answer, *data;

	if (ep->ncalls > 1)
		return strtpi_error_ack(mp, TINDOUT, 0);
	answer = canputnext(ep->rq) ? answer_message(call) : NULL;
	if (!answer)
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	data = mp->b_cont;
	mp->b_cont = NULL;
	conn_begin(ep, call);
	tiloop_call_drop(ep, call);
	strtpi_reply(WR(ep->rq), strtpi_ok_ack(mp));
	answer_send(ep, answer, data);
	return NULL;
}

/*
 * Asks another endpoint to take the connection; the T_CONN_RES is answered
 * later.
 */
static mblk_t *accept_there(struct tiloop_end *ep, struct tiloop_call *call,
			    struct tiloop_end *there, mblk_t *mp)
{
	mblk_t *wire = tiloop_wire_alloc(sizeof(struct tiloop_wire_call));
	struct tiloop_wire_call *w;

	if (!wire)
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	w = (struct tiloop_wire_call *)wire->b_rptr;
	tiloop_wire_fill(wire, LOOP_ACCEPT, call->conn, 0, tiloop_end_get(ep));
	refcount_inc(&call->ref);
	w->call = call;
	w->addr = ep->addr;
	wire->b_cont = mp->b_cont;
	mp->b_cont = NULL;
	ep->state = TS_WACK_CRES;
	ep->busy = true;
	ep->accepting = call;
	ep->res = mp;
	if (tiloop_wire_send(there, wire))
		return NULL;
	tiloop_end_put(ep);
	tiloop_call_put(call);
	freemsg(wire);
	ep->state = TS_WRES_CIND;
	ep->busy = false;
	ep->accepting = NULL;
	ep->res = NULL;
	return strtpi_error_ack(mp, TBADF, 0);
}

static int res_parse(struct tiloop_end *ep, const mblk_t *mp,
		     struct T_conn_res *res)
{
	if (!tpi_get(mp, res, sizeof(*res)))
		return TSYSERR;
	if (ep->state != TS_WRES_CIND)
		return TOUTSTATE;
	if (!tiloop_options_ok(mp, res->OPT_offset, res->OPT_length))
		return TBADOPT;
	if (!udata_ok(mp))
		return TBADDATA;
	return tiloop_call_find(ep, res->SEQ_number) ? 0 : TBADSEQ;
}

/**
 * tiloop_conn_res() - act on a T_CONN_RES
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Return: the answer, if it was not sent, or comes later. TPI version 2,
 * T_CONN_RES.
 */
mblk_t *tiloop_conn_res(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_end *there;
	struct tiloop_call *call;
	struct T_conn_res res;
	int tli = res_parse(ep, mp, &res);

	if (tli)
		return strtpi_error_ack(mp, tli, EINVAL);
	call = tiloop_call_find(ep, res.SEQ_number);
	if (res.ACCEPTOR_id == ep->id)
		return tiloop_accept_here(ep, call, mp);
	there = tiloop_end_find(ep, res.ACCEPTOR_id);
	if (!there)
		return strtpi_error_ack(mp, TBADF, 0);
	mp = accept_there(ep, call, there, mp);
	tiloop_end_put(there);
	return mp;
}

/* Returns a TLI error if an endpoint cannot have a connection, else 0. */
static int acceptor_check(const struct tiloop_end *ep)
{
	if (ep->state != TS_UNBND && ep->state != TS_IDLE)
		return TOUTSTATE;
	if (ep->qlen)
		return TRESQLEN;
	/* The error ENOSR is reported. */
	return canputnext(ep->rq) ? 0 : TSYSERR;
}

static void accepted_send(struct tiloop_end *to, mblk_t *mp, u64 conn, int tli)
{
	tiloop_wire_fill(mp, LOOP_ACCEPTED, conn, tli, NULL);
	tiloop_wire_send_or_free(to, mp);
}

/* Handles an accepted connection at the endpoint that is to have it. */
void tiloop_accept_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_wire_call *w = (struct tiloop_wire_call *)mp->b_rptr;
	struct tiloop_end *listener = w->wire.from;
	struct tiloop_call *call = w->call;
	mblk_t *data = mp->b_cont, *answer = NULL;
	int tli = acceptor_check(ep);

	mp->b_cont = NULL;
	if (!tli) {
		answer = answer_message(call);
		if (!answer)
			tli = TSYSERR;
	}
	if (!tli) {
		/* The connection binds the endpoint to the address that was called. */
		if (ep->state == TS_UNBND)
			ep->addr = w->addr;
		conn_begin(ep, call);
	}
	accepted_send(listener, mp, call->conn, tli);
	if (!tli)
		answer_send(ep, answer, data);
	else
		freemsg(data);
	tiloop_call_put(call);
	tiloop_end_put(listener);
}

/* Handles the acceptor's result at the listener. */
void tiloop_accepted_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	const struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;
	struct tiloop_call *call = ep->accepting;
	mblk_t *res = ep->res;
	int tli = w->value;

	if (!call || call->conn != w->conn) {
		freemsg(mp);
		return;
	}
	ep->accepting = NULL;
	ep->res = NULL;
	ep->busy = false;
	ep->state = TS_WRES_CIND;
	if (tli) {
		strtpi_reply(WR(ep->rq),
			     strtpi_error_ack(res, tli, ENOSR));
		if (call->gone)
			tiloop_call_gone(ep, call, mp);
		else
			freemsg(mp);
	} else {
		freemsg(mp);
		tiloop_call_drop(ep, call);
		if (!ep->ncalls)
			ep->state = TS_IDLE;
		strtpi_reply(WR(ep->rq), strtpi_ok_ack(res));
	}
	qenable(WR(ep->rq));
}

/*
 * Handles an answer at the caller, which may have given up: then the peer must
 * be informed.
 */
void tiloop_answer_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_wire_call *w = (struct tiloop_wire_call *)mp->b_rptr;
	struct tiloop_end *from = w->wire.from;
	struct T_conn_con con = { .PRIM_type = T_CONN_CON };

	if (ep->state != TS_WCON_CREQ || ep->conn != w->wire.conn) {
		freemsg(mp->b_cont);
		mp->b_cont = NULL;
		tiloop_wire_fill(mp, LOOP_DISCON, w->wire.conn, ECONNABORTED, ep);
		tiloop_wire_send_or_free(from, mp);
		tiloop_end_put(from);
		return;
	}
	tiloop_end_put(ep->peer);
	ep->peer = from;
	ep->remote = w->addr;
	ep->state = TS_DATA_XFER;
	/* The acceptor may have waited for room here, which was reported to the listener. */
	tiloop_peer_enable(ep);
	static_assert(sizeof(*w) >= sizeof(con) + LOOP_ADDR_MAX);
	con.RES_length = ep->remote.len;
	con.RES_offset = sizeof(con);
	tpi_put(mp, &con, sizeof(con), ep->remote.bytes, ep->remote.len);
	/* Expedited data may follow at once, and is not to pass it. */
	mp->b_band = 1;
	putnext(ep->rq, mp);
}
