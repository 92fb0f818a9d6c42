// SPDX-License-Identifier: LGPL-2.1-or-later
/* Connecting by sockets, and the end of connections */
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "sock/loop/loop.h"

/* The error of a bad request, as opposed to a peer that does not answer; or 0. */
static int connect_error(int failed)
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

/* Closes a connection that is not needed; the peer is informed. */
void sock_abort(int fd)
{
	static const struct linger now = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

/* Disconnects the socket so that it can be used again: only TCP can do that. */
static int disconnect(struct endpoint *ep)
{
	static const struct sockaddr none = { .sa_family = AF_UNSPEC };

	if (ep->sock->kind->protocol != IPPROTO_TCP)
		return -1;
	return connect(ep->fd, &none, sizeof(none));
}

/* Whether a socket still sends although its connection has ended for the user. */
static bool still_sends(struct endpoint *ep)
{
	switch (sock_tcp_state(ep->fd)) {
	case TCP_FIN_WAIT1:
	case TCP_CLOSING:
	case TCP_LAST_ACK:
		return true;
	default:
		return false;
	}
}

/*
 * Gives the endpoint a socket that can be connected. A socket that still has
 * data to send is left to the kernel.
 */
static int refresh(struct endpoint *ep)
{
	static const int on = 1;
	struct sock_end *s = ep->sock;
	struct sock_addr now;
	int error = 0;

	if (still_sends(ep) || disconnect(ep)) {
		/* So that the new socket may share the address. */
		setsockopt(ep->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		error = sock_renew(ep, s->kind->protocol);
	}
	if (error)
		return error;
	s->spent = false;
	if (!sock_is_inet(s->kind))
		s->rebind = s->bound.len && !s->borrowed;
	else if (s->bound.len && sock_name(ep->fd, &now))
		s->rebind = !now.in.sin_port;
	return 0;
}

/* Gives the listening socket its descriptor back, which was lent to a connection. */
static void listen_again(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	if (sock_replace(ep, s->listening))
		close(s->listening);
	s->listening = -1;
	s->spent = false;
}

void sock_conn_over(struct endpoint *ep, bool abort)
{
	struct sock_end *s = ep->sock;

	atomic_store(&s->lost, 0);
	s->ngathered = 0;
	atomic_store(&s->state, TS_IDLE);
	if (abort)
		disconnect(ep);
	if (s->listening >= 0) {
		listen_again(ep);
		return;
	}
	s->spent = true;
	/* If that fails, T_CONN_REQ tries again and reports the error. */
	if (abort && !refresh(ep))
		sock_rebind(ep);
}

/* The first event of a connection that was requested. */
static int connecting_front(struct endpoint *ep, int *type)
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
		if (!failed && !sock_peer(ep->fd, &peer))
			failed = ECONNABORTED;
		atomic_store(&s->lost, failed);
	}
	*type = atomic_load(&s->lost) ? T_DISCON_IND : T_CONN_CON;
	return 0;
}

/* Of an endpoint without a connection */
static int idle_front(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	int kind;

	if (s->qlen)
		return sock_listen_front(ep, type);
	if (sock_type(ep->fd, &kind))
		return sock_errno(TSYSERR);
	/* A thread that waits for it would be woken by a connection that has ended. */
	if (s->spent && !still_sends(ep) && !refresh(ep))
		sock_rebind(ep);
	return 0;
}

int sock_conn_front(struct endpoint *ep, int *type)
{
	*type = TPI_NONE;
	return sock_state(ep->sock) == TS_WCON_CREQ ?
	       connecting_front(ep, type) : idle_front(ep, type);
}

static int take_confirmation(struct endpoint *ep, struct tpi_msg *msg)
{
	struct T_conn_con *con = sock_fill(msg, sizeof(*con));
	struct sock_addr peer = {};

	sock_peer(ep->fd, &peer);
	*con = (struct T_conn_con){
		.PRIM_type = T_CONN_CON,
		.RES_length = peer.len,
	};
	con->RES_offset = sock_append(msg, peer.bytes, peer.len);
	atomic_store(&ep->sock->state, TS_DATA_XFER);
	return 0;
}

static int take_disconnection(struct endpoint *ep, struct tpi_msg *msg)
{
	struct T_discon_ind *ind = sock_fill(msg, sizeof(*ind));

	*ind = (struct T_discon_ind){
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = atomic_load(&ep->sock->lost),
		.SEQ_number = SOCK_NO_SEQ,
	};
	sock_conn_over(ep, true);
	return 0;
}

int sock_take_release(struct endpoint *ep, struct tpi_msg *msg)
{
	struct T_ordrel_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;

	ind->PRIM_type = T_ORDREL_IND;
	if (sock_state(s) == TS_WIND_ORDREL)
		sock_conn_over(ep, false);
	else
		atomic_store(&s->state, TS_WREQ_ORDREL);
	return 0;
}

int sock_conn_take(struct endpoint *ep, int type, struct tpi_msg *msg)
{
	struct sock_end *s = ep->sock;
	int state = sock_state(s), front, error;

	error = s->kind->service->front(ep, &front);
	if (error)
		return error;
	if (front != type)
		return TNODATA;
	if (state == TS_IDLE || state == TS_WRES_CIND)
		return sock_listen_take(ep, type, msg, NULL, 0);
	switch (type) {
	case T_CONN_CON:
		return take_confirmation(ep, msg);
	case T_DISCON_IND:
		return take_disconnection(ep, msg);
	case T_ORDREL_IND:
		return sock_take_release(ep, msg);
	default:
		return TNODATA;
	}
}

/* Begins to connect, and does not wait until it is done; an errno. */
static int begin(struct endpoint *ep, const struct sock_addr *addr,
		 const struct netbuf *udata)
{
	int fd = ep->fd, flags = fcntl(fd, F_GETFL), failed = 0;

	/* There is no flag for one call alone. */
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

int sock_conn_req(struct endpoint *ep, const struct tpi_req *req)
{
	struct sock_end *s = ep->sock;
	struct sock_addr addr;
	int error = 0, failed;

	if (sock_state(s) != TS_IDLE)
		return TOUTSTATE;
	/* A socket that listens cannot connect. */
	if (s->qlen)
		return xti_system(EISCONN);
	if (s->spent)
		error = refresh(ep);
	if (error)
		return error;
	failed = sock_rebind(ep);
	if (failed) {
		error = connect_error(failed);
		return error ? error : xti_system(failed);
	}
	error = sock_addr_of(s->kind, req->part[0].from, &addr);
	if (!error && sock_is_inet(s->kind) && !addr.in.sin_port)
		error = TBADADDR;
	if (!error)
		error = sock_opt_apply(ep, ep->fd, req->part[1].from);
	if (error)
		return error;
	failed = begin(ep, &addr, req->data);
	error = connect_error(failed);
	if (error)
		return error;
	atomic_store(&s->lost, failed);
	atomic_store(&s->state, TS_WCON_CREQ);
	return 0;
}

int sock_discon_req(struct endpoint *ep, const struct tpi_req *req)
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
			loop_farewell(p->fd, ECONNREFUSED, req->data);
		sock_abort(p->fd);
		p->fd = -1;
		sock_pending_drop(s, p);
		return 0;
	case TS_WCON_CREQ:
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
	case TS_WREQ_ORDREL:
		if (!sock_is_inet(s->kind))
			loop_farewell(ep->fd, ECONNRESET, req->data);
		s->spilled = 0;
		sock_conn_over(ep, true);
		return 0;
	case TS_IDLE:
		if (!s->spent || !still_sends(ep))
			return TOUTSTATE;
		sock_conn_over(ep, true);
		return 0;
	default:
		return TOUTSTATE;
	}
}
