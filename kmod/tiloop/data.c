// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections of the loopback transports: data, and orderly release
 *
 * A message is put to the other endpoint when there is room at its stream's
 * head; else it waits on the writer's queue, which the other's read service
 * procedure enables when there is room again.
 */
#include <linux/errno.h>

#include "data.h"
#include "wire.h"

/* Runs when memory may be available again. */
static void retry(void *arg)
{
	struct tiloop_end *ep = arg;

	ep->bufcall = 0;
	qenable(WR(ep->rq));
}

static void retry_later(struct tiloop_end *ep)
{
	if (!ep->bufcall)
		ep->bufcall = qbufcall(WR(ep->rq), sizeof(struct tiloop_wire),
				       BPRI_HI, retry, ep);
}

void tiloop_peer_enable(const struct tiloop_end *ep)
{
	queue_t *q = ep->peer ? tiloop_enter(ep->peer) : NULL;

	if (!q)
		return;
	qenable(WR(q));
	tiloop_leave(ep->peer);
}

/*
 * Drops the messages on a writer's queue for the connection that is over. An
 * endpoint that asked for another connection during the release must complete
 * the old one's end first.
 */
void tiloop_data_discard(queue_t *q)
{
	mblk_t *keep = NULL, **end = &keep, *mp;

	while ((mp = getq(q))) {
		if (tpi_is_data(mp)) {
			freemsg(mp);
		} else if (tpi_type(mp) == T_CONN_REQ) {
			strtpi_reply(q, strtpi_error_ack(mp, TOUTSTATE, 0));
		} else {
			mp->b_next = NULL;
			*end = mp;
			end = &mp->b_next;
		}
	}
	while (keep) {
		mp = keep;
		keep = mp->b_next;
		mp->b_next = NULL;
		if (!putq(q, mp))
			freemsg(mp);
	}
}

/*
 * Returns whether a message for the other side may be sent: 1; 0 when the
 * connection has ended meanwhile, so that the message is dropped; -1 in a wrong
 * state.
 */
static int may_send(const struct tiloop_end *ep)
{
	switch (ep->state) {
	case TS_DATA_XFER:
	case TS_WREQ_ORDREL:
		return 1;
	case TS_IDLE:
	/* Another endpoint has asked for a connection since. */
	case TS_WRES_CIND:
		return 0;
	default:
		return -1;
	}
}

/*
 * Makes a message one for the other side and puts it there. Returns false when
 * there is no room or no memory: the caller keeps the message. Band -1 needs no
 * room.
 */
static bool tiloop_send(struct tiloop_end *ep, mblk_t *mp, enum loop_what what,
			t_scalar_t value, int band)
{
	struct tiloop_end *to = ep->peer;
	queue_t *q = tiloop_enter(to);
	bool sent = false;
	mblk_t *wire;

	if (!q) {
		/* The peer closes, and will report that. */
		freemsg(mp);
		return true;
	}
	if (band < 0 || bcanputnext(q, band)) {
		wire = tiloop_wire_make(mp);
		if (wire) {
			tiloop_wire_fill(wire, what, ep->conn, value, NULL);
			put(q, wire);
			sent = true;
		} else {
			retry_later(ep);
		}
	}
	tiloop_leave(to);
	return sent;
}

/*
 * Ends the stream for a primitive that is invalid, or not allowed in its state.
 */
static bool refuse(struct tiloop_end *ep, mblk_t *mp, int may)
{
	if (may)
		strtpi_reply(WR(ep->rq), strtpi_fatal(mp));
	else
		freemsg(mp);
	return true;
}

/**
 * tiloop_data_req() - act on T_DATA_REQ, T_EXDATA_REQ, or M_DATA alone
 * @ep: the endpoint
 * @mp: the message; consumed, unless false is returned
 *
 * Return: false when it has to wait. TPI version 2, T_DATA_REQ, T_EXDATA_REQ.
 */
bool tiloop_data_req(struct tiloop_end *ep, mblk_t *mp)
{
	struct T_data_req req = { .PRIM_type = T_DATA_REQ };
	int may = may_send(ep);

	if (may <= 0)
		return refuse(ep, mp, may);
	static_assert(sizeof(struct T_exdata_req) == sizeof(req));
	if (DB_TYPE(mp) != M_DATA && !tpi_get(mp, &req, sizeof(req)))
		return refuse(ep, mp, -1);
	return tiloop_send(ep, mp, req.PRIM_type == T_EXDATA_REQ ? LOOP_EXDATA :
							    LOOP_DATA,
			   req.MORE_flag, mp->b_band);
}

/**
 * tiloop_ordrel_req() - act on T_ORDREL_REQ
 * @ep: the endpoint
 * @mp: the message; consumed, unless false is returned
 *
 * Return: false when it has to wait. TPI version 2, T_ORDREL_REQ.
 */
bool tiloop_ordrel_req(struct tiloop_end *ep, mblk_t *mp)
{
	int may = may_send(ep);

	if (may <= 0)
		return refuse(ep, mp, may);
	if (!tiloop_send(ep, mp, LOOP_ORDREL, 0, -1))
		return false;
	if (ep->state == TS_DATA_XFER)
		ep->state = TS_WIND_ORDREL;
	else
		tiloop_conn_over(ep);
	return true;
}

/*
 * Returns whether a message belongs to the current connection, which the other
 * side has not ended.
 */
static bool may_arrive(const struct tiloop_end *ep, const mblk_t *mp)
{
	const struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;

	return ep->conn == w->conn && (ep->state == TS_DATA_XFER ||
				       ep->state == TS_WIND_ORDREL);
}

void tiloop_data_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	const struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;
	bool expedited = w->what == LOOP_EXDATA;
	struct T_data_ind ind = {
		.PRIM_type = expedited ? T_EXDATA_IND : T_DATA_IND,
		.MORE_flag = w->value,
	};

	if (!may_arrive(ep, mp)) {
		freemsg(mp);
		return;
	}
	mp->b_band = expedited;
	tpi_put(mp, &ind, sizeof(ind), NULL, 0);
	putnext(ep->rq, mp);
}

void tiloop_ordrel_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	struct T_ordrel_ind ind = { .PRIM_type = T_ORDREL_IND };

	if (!may_arrive(ep, mp)) {
		freemsg(mp);
		return;
	}
	if (ep->state == TS_DATA_XFER) {
		ep->state = TS_WREQ_ORDREL;
	} else {
		tiloop_conn_over(ep);
		tiloop_data_discard(WR(ep->rq));
	}
	freemsg(mp->b_cont);
	mp->b_cont = NULL;
	mp->b_band = 0;
	tpi_put(mp, &ind, sizeof(ind), NULL, 0);
	putnext(ep->rq, mp);
}
