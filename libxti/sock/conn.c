// SPDX-License-Identifier: LGPL-2.1-or-later
/* Connecting and disconnecting: T_CONN_REQ, T_CONN_CON, T_DISCON_REQ */
#include <fcntl.h>
#include <poll.h>

#include "sock/loop/call.h"
#include "addr.h"
#include "conn.h"
#include "listen.h"
#include "option.h"
#include "over.h"
#include "pending.h"

/* Returns the error of a bad request; 0: the peer does not answer. */
static int find_connect_error(int failed)
{
	switch (failed) {
	case EADDRNOTAVAIL:
	case EAFNOSUPPORT:
	case EINVAL:
		return TBADADDR;
	case EADDRINUSE:
		return TADDRBUSY;
	case EACCES:
	case EPERM:
		return TACCES;
	case EBADF:
	case ENOTSOCK:
		return TBADF;
	case ENOMEM:
	case ENOBUFS:
	case EAGAIN:
		return xti_system(failed);
	default:
		return 0;
	}
}

/* Finds the first event of a connection that was requested. */
static int peek_connecting_type(struct endpoint *ep, int *type)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLOUT };
	struct sock_end *s = ep->sock;
	socklen_t len = sizeof(int);
	struct sock_addr peer;
	int failed = 0;

	if (!atomic_load(&s->lost)) {
		if (poll(&p, 1, 0) != 1)
			return 0;
		if (p.revents & POLLNVAL)
			return TBADF;
		if (getsockopt(ep->fd, SOL_SOCKET, SO_ERROR, &failed, &len))
			return sock_errno(TSYSERR);
		if (!failed && !sock_get_peer(ep->fd, &peer))
			failed = ECONNABORTED;
		atomic_store(&s->lost, failed);
	}
	*type = atomic_load(&s->lost) ? T_DISCON_IND : T_CONN_CON;
	return 0;
}

/* Finds the first event of an endpoint without a connection. */
static int peek_idle_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	int kind;

	if (s->qlen)
		return sock_listen_peek_type(ep, type);
	if (sock_get_type(ep->fd, &kind))
		return sock_errno(TSYSERR);
	/*
	 * A thread that waits for an event would be woken by the socket of a
	 * connection that has ended.
	 */
	if (s->spent && !sock_still_sends(ep) && !sock_refresh(ep))
		sock_rebind(ep);
	return 0;
}

int sock_conn_peek_type(struct endpoint *ep, int *type)
{
	*type = TPI_NONE;
	return sock_state(ep->sock) == TS_WCON_CREQ ?
	       peek_connecting_type(ep, type) : peek_idle_type(ep, type);
}

static int report_connected(struct endpoint *ep, struct tpi_msg *msg)
{
	struct T_conn_con *con = sock_fill(msg, sizeof(*con));
	struct sock_addr peer = {};

	sock_get_peer(ep->fd, &peer);
	*con = (struct T_conn_con){
		.PRIM_type = T_CONN_CON,
		.RES_length = peer.len,
	};
	con->RES_offset = sock_append(msg, peer.bytes, peer.len);
	atomic_store(&ep->sock->state, TS_DATA_XFER);
	return 0;
}

int sock_conn_take_message(struct endpoint *ep, int type, struct tpi_msg *msg)
{
	struct sock_end *s = ep->sock;
	int state = sock_state(s), front, error;

	error = s->kind->service->peek_type(ep, &front);
	if (error)
		return error;
	if (front != type)
		return TNODATA;
	if (state == TS_IDLE || state == TS_WRES_CIND)
		return sock_listen_take_message(ep, type, msg, NULL, 0);
	switch (type) {
	case T_CONN_CON:
		return report_connected(ep, msg);
	case T_DISCON_IND:
		return sock_report_end(ep, atomic_load(&s->lost), msg);
	case T_ORDREL_IND:
		return sock_report_release(ep, msg);
	default:
		return TNODATA;
	}
}

/* Begins to connect, and does not wait for the result. Returns an errno. */
static int begin_connecting(struct endpoint *ep, const struct sock_addr *addr,
			    const struct netbuf *udata)
{
	int fd = ep->fd, flags = fcntl(fd, F_GETFL), failed = 0;

	/* connect() has no flag that makes a single call return at once. */
	if (flags >= 0 && !(flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	if (!sock_is_inet(ep->sock->kind))
		failed = loop_call(ep, addr, udata);
	else if (connect(fd, &addr->sa, addr->len))
		failed = errno;
	if (flags >= 0 && !(flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, flags);
	return failed == EINPROGRESS ? 0 : failed;
}

int sock_connect(struct endpoint *ep, const struct tpi_req *req)
{
	struct sock_end *s = ep->sock;
	struct sock_addr addr;
	int error = 0, failed;

	if (sock_state(s) != TS_IDLE)
		return TOUTSTATE;
	/* A listening socket cannot connect. */
	if (s->qlen)
		return xti_system(EISCONN);
	if (s->spent)
		error = sock_refresh(ep);
	if (error)
		return error;
	failed = sock_rebind(ep);
	if (failed) {
		error = find_connect_error(failed);
		return error ? error : xti_system(failed);
	}
	error = sock_copy_addr(s->kind, req->part[0].from, &addr);
	if (!error && sock_is_inet(s->kind) && !addr.in.sin_port)
		error = TBADADDR;
	if (!error)
		error = sock_option_apply(ep, ep->fd, req->part[1].from);
	if (error)
		return error;
	failed = begin_connecting(ep, &addr, req->data);
	error = find_connect_error(failed);
	if (error)
		return error;
	atomic_store(&s->lost, failed);
	atomic_store(&s->state, TS_WCON_CREQ);
	return 0;
}

int sock_disconnect(struct endpoint *ep, const struct tpi_req *req)
{
	const struct T_discon_req *prim = req->prim;
	struct sock_end *s = ep->sock;
	struct sock_pending *p;

	switch (sock_state(s)) {
	case TS_WRES_CIND:
		p = sock_pending_find(s, prim->SEQ_number);
		if (!p)
			return TBADSEQ;
		if (!sock_is_inet(s->kind))
			loop_send_farewell(p->fd, ECONNREFUSED, req->data);
		sock_abort(p->fd);
		p->fd = -1;
		sock_pending_drop(s, p);
		return 0;
	case TS_WCON_CREQ:
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
	case TS_WREQ_ORDREL:
		if (!sock_is_inet(s->kind))
			loop_send_farewell(ep->fd, ECONNRESET, req->data);
		s->spilled = 0;
		sock_end_connection(ep, true);
		return 0;
	case TS_IDLE:
		if (!s->spent || !sock_still_sends(ep))
			return TOUTSTATE;
		sock_end_connection(ep, true);
		return 0;
	default:
		return TOUTSTATE;
	}
}
