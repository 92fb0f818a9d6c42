// SPDX-License-Identifier: GPL-2.0-only
/* Connecting, and the end of connections */
#include <linux/net.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "accept.h"
#include "conn.h"
#include "end.h"
#include "opt.h"
#include "sock.h"

/* Reads the primitive, and sets its options; a TLI error, or 0. */
static int strinet_conn_parse(struct strinet_end *ep, const mblk_t *mp,
			      union tpi_addr *to)
{
	struct T_conn_req req;
	const void *addr;
	int err;

	if (!tpi_get(mp, &req, sizeof(req)))
		return TBADADDR;
	addr = tpi_span(mp, req.DEST_offset, req.DEST_length);
	if (!addr || req.DEST_length != ep->provider->addr_size)
		return TBADADDR;
	memcpy(to, addr, ep->provider->addr_size);
	if (to->sa.sa_family != ep->provider->domain || !to->in.sin_port)
		return TBADADDR;
	if (mp->b_cont && msgsize(mp->b_cont))
		return TBADDATA;
	err = strinet_opt_apply(ep, ep->sock, mp, req.OPT_offset, req.OPT_length);
	return strinet_opt_tli_error(err);
}

/*
 * Returns a socket that can be connected, bound to the address it is to have.
 */
static int conn_prepare(struct strinet_end *ep)
{
	int err;

	if (ep->spent) {
		err = strinet_sock_renew(ep, INET_RELEASE);
		if (err)
			return err;
		ep->spent = false;
	}
	return strinet_sock_rebind(ep);
}

/*
 * Returns whether an error means a bad request, rather than a peer that does
 * not answer.
 */
static int conn_tli_error(int err)
{
	switch (err) {
	case -EADDRNOTAVAIL:
	case -EAFNOSUPPORT:
	case -EINVAL:
		return TBADADDR;
	case -EADDRINUSE:
		return TADDRBUSY;
	case -EACCES:
	case -EPERM:
		return TACCES;
	case -ENOMEM:
	case -ENOBUFS:
	case -EAGAIN:
		return TSYSERR;
	default:
		return 0;
	}
}

/**
 * strinet_conn_req() - act on a T_CONN_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * TPI version 2, T_CONN_REQ.
 */
void strinet_conn_req(struct strinet_end *ep, mblk_t *mp)
{
	union tpi_addr to;
	int tli, err;

	if (ep->state != TS_IDLE) {
		strinet_reply(ep, strtpi_error_ack(mp, TOUTSTATE, 0));
		return;
	}
	if (!ep->sock) {
		/* A listening socket cannot connect. */
		strinet_reply(ep, strtpi_error_ack(mp, TSYSERR, EISCONN));
		return;
	}
	/* The results are not subject to flow control, so the room is checked first. */
	if (!canputnext(ep->rq)) {
		strinet_reply(ep, strtpi_error_ack(mp, TSYSERR, ENOSR));
		return;
	}
	err = conn_prepare(ep);
	tli = err ? conn_tli_error(err) ?: TSYSERR : strinet_conn_parse(ep, mp, &to);
	if (!tli) {
		err = strinet_sock_connect(ep, &to);
		if (err == -EINPROGRESS)
			err = 0;
		tli = conn_tli_error(err);
	}
	if (tli) {
		strinet_reply(ep, strtpi_error_ack(mp, tli, -err ?: ENOSR));
		return;
	}
	WRITE_ONCE(ep->state, TS_WCON_CREQ);
	strinet_reply(ep, strtpi_ok_ack(mp));
	if (err)
		strinet_conn_lost(ep, -err);
}

static mblk_t *conn_con(struct strinet_end *ep)
{
	struct T_conn_con con = {
		.PRIM_type = T_CONN_CON,
		.RES_length = ep->provider->addr_size,
		.RES_offset = sizeof(con),
	};
	union tpi_addr peer;

	if (!strinet_sock_peer(ep->sock, &peer))
		memset(&peer, 0, sizeof(peer));
	return strinet_ind(&con, sizeof(con), &peer, con.RES_length);
}

/* Handles events while a connection is requested. */
void strinet_conn_up(struct strinet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	int err = sock_error(sk), state = READ_ONCE(sk->sk_state);
	mblk_t *mp;

	if (!err && ep->error)
		err = -ep->error;
	if (!err && state == TCP_CLOSE && ep->provider->protocol == IPPROTO_TCP)
		err = -ECONNABORTED;
	if (err) {
		strinet_conn_lost(ep, -err);
		return;
	}
	/* A socket of SCTP is closed as long as it has no association. */
	if (state == TCP_SYN_SENT || state == TCP_SYN_RECV ||
	    state == TCP_CLOSE)
		return;
	mp = conn_con(ep);
	if (!mp) {
		strinet_end_retry(ep);
		return;
	}
	lock_sock(sk);
	ep->sock->state = SS_CONNECTED;
	release_sock(sk);
	WRITE_ONCE(ep->state, TS_DATA_XFER);
	putnext(ep->rq, mp);
}

/**
 * strinet_conn_lost() - report that there is no connection, or no longer
 * @ep: the endpoint
 * @err: the reason, a positive errno
 *
 * Flow control does not hold that up: there is only one. Without memory the
 * work item calls this again.
 */
void strinet_conn_lost(struct strinet_end *ep, int err)
{
	mblk_t *mp = strinet_discon_ind(err, INET_NO_SEQ);

	if (!mp) {
		ep->error = err;
		strinet_end_retry(ep);
		return;
	}
	/* The state changes first: the user who is informed finds the new one. */
	strinet_conn_over(ep, INET_ABORT);
	putnext(ep->rq, mp);
}

/* Handles the end of a connection, in whatever way it came. */
void strinet_conn_over(struct strinet_end *ep, enum inet_farewell how)
{
	freemsg(ep->gathered);
	ep->gathered = NULL;
	ep->error = 0;
	if (ep->listening) {
		strinet_sock_end(ep, ep->sock, how);
		ep->sock = NULL;
	} else if (strinet_sock_renew(ep, how)) {
		ep->spent = true;
		ep->rebind = ep->bound.in.sin_port;
		kernel_sock_shutdown(ep->sock, SHUT_RDWR);
	} else {
		ep->rebind = ep->bound.in.sin_port;
		/*
		 * A later T_CONN_REQ tries this again, and reports the error.
		 */
		strinet_sock_rebind(ep);
	}
	WRITE_ONCE(ep->state, TS_IDLE);
}

/* Returns a TLI error, or 0. */
static int discon_parse(const mblk_t *mp, struct T_discon_req *req)
{
	if (!tpi_get(mp, req, sizeof(*req)))
		return TBADSEQ;
	return mp->b_cont && msgsize(mp->b_cont) ? TBADDATA : 0;
}

/**
 * strinet_discon_req() - act on a T_DISCON_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Breaks the connection off, or refuses one indicated by a T_CONN_IND. TPI
 * version 2, T_DISCON_REQ.
 */
void strinet_discon_req(struct strinet_end *ep, mblk_t *mp)
{
	struct strinet_pending *p = NULL;
	struct T_discon_req req;
	mblk_t *flush = NULL;
	int tli;

	tli = discon_parse(mp, &req);
	switch (ep->state) {
	case TS_WRES_CIND:
		p = tli ? NULL : strinet_pending_find(ep, req.SEQ_number);
		if (!tli && !p)
			tli = TBADSEQ;
		break;
	case TS_WCON_CREQ:
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
	case TS_WREQ_ORDREL:
		flush = tli ? NULL : strtpi_flush_message(GFP_KERNEL);
		if (!tli && !flush)
			tli = TSYSERR;
		break;
	default:
		tli = TOUTSTATE;
	}
	if (tli) {
		strinet_reply(ep, strtpi_error_ack(mp, tli, ENOSR));
		return;
	}
	if (p) {
		strinet_pending_end(ep, p);
		if (!ep->npending)
			WRITE_ONCE(ep->state, TS_IDLE);
	} else {
		strinet_conn_over(ep, INET_ABORT);
		strinet_reply(ep, flush);
	}
	strinet_reply(ep, strtpi_ok_ack(mp));
}
