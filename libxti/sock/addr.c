// SPDX-License-Identifier: LGPL-2.1-or-later
/* The addresses of endpoints: T_BIND_REQ, T_UNBIND_REQ, T_ADDR_REQ */
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "sock/loop/name.h"
#include "addr.h"
#include "pending.h"
#include "renew.h"
#include "spill.h"
#include "uderr.h"

/* Returns the TLI error of a bind() that failed. */
static int find_bind_error(bool any_port)
{
	switch (errno) {
	case EADDRINUSE:
		return any_port ? TNOADDR : TADDRBUSY;
	case EACCES:
	case EPERM:
		return TACCES;
	case EADDRNOTAVAIL:
	case EAFNOSUPPORT:
	case EINVAL:
	case ENODEV:
		return TBADADDR;
	default:
		return sock_errno(TSYSERR);
	}
}

/*
 * Gives the endpoint a raw socket of the protocol that stands in the port's
 * place.
 */
static int renew_raw(struct endpoint *ep, struct sock_addr *addr)
{
	unsigned int protocol = ntohs(addr->in.sin_port);

	addr->in.sin_port = 0;
	if (protocol > IPPROTO_RAW)
		return TBADADDR;
	return protocol && protocol != IPPROTO_RAW ? sock_renew(ep, protocol) : 0;
}

static int bind_and_listen(struct endpoint *ep, struct sock_addr *addr,
			   unsigned int *qlen)
{
	static const struct timeval least = { .tv_usec = 1 };
	bool any_port = ep->sock->any_port;

	if (!sock_is_inet(ep->sock->kind))
		errno = loop_bind(ep, addr);
	else
		errno = bind(ep->fd, &addr->sa, addr->len) ? errno : 0;
	if (errno)
		return find_bind_error(any_port);
	/* The least time makes accept() return at once: see accept_one(). */
	if (*qlen)
		setsockopt(ep->fd, SOL_SOCKET, SO_RCVTIMEO, &least, sizeof(least));
	if (*qlen && listen(ep->fd, *qlen)) {
		int saved = errno;

		/*
		 * The bind is undone: the program asked for listen() too, and
		 * gets neither.
		 */
		sock_renew(ep, ep->sock->kind->protocol);
		errno = saved;
		return find_bind_error(any_port);
	}
	if (sock_is_inet(ep->sock->kind) && !sock_get_name(ep->fd, addr))
		return sock_errno(TSYSERR);
	return 0;
}

/*
 * Returns how many connections may wait, by the limit of the kernel, or of
 * ticots.
 */
static unsigned int read_queue_limit(const struct sock_kind *kind)
{
	unsigned int most = SOMAXCONN;
	FILE *f;

	if (!sock_is_inet(kind))
		return LOOP_QLEN_MAX;
	f = fopen("/proc/sys/net/core/somaxconn", "re");
	if (!f)
		return most;
	if (fscanf(f, "%u", &most) != 1)
		most = SOMAXCONN;
	fclose(f);
	return most;
}

int sock_bind(struct endpoint *ep, const struct tpi_req *req, struct tpi_msg *ack)
{
	const struct T_bind_req *prim = req->prim;
	struct sock_end *s = ep->sock;
	struct sock_addr addr = {};
	unsigned int qlen = prim->CONIND_number;
	const struct netbuf *from = req->part[0].from;
	struct T_bind_ack *bound;
	int error = 0;

	if (sock_state(s) != TS_UNBND)
		return TOUTSTATE;
	if (qlen && qlen > read_queue_limit(s->kind))
		qlen = read_queue_limit(s->kind);
	if (sock_is_inet(s->kind)) {
		addr.len = s->kind->addr;
		addr.sa.sa_family = s->kind->domain;
	}
	if (from && from->len)
		error = sock_copy_addr(s->kind, from, &addr);
	s->any_port = sock_is_inet(s->kind) ? !addr.in.sin_port : !addr.len;
	if (!error && s->kind->type == SOCK_RAW)
		error = renew_raw(ep, &addr);
	if (!error)
		error = bind_and_listen(ep, &addr, &qlen);
	if (error)
		return error;
	s->bound = addr;
	s->borrowed = false;
	s->rebind = false;
	s->qlen = qlen;
	atomic_store(&s->state, TS_IDLE);
	bound = sock_fill(ack, sizeof(*bound));
	*bound = (struct T_bind_ack){
		.PRIM_type = T_BIND_ACK,
		.ADDR_length = addr.len,
		.CONIND_number = qlen,
	};
	bound->ADDR_offset = sock_append(ack, addr.bytes, addr.len);
	return 0;
}

/* Closes the socket; its address and the data that has arrived are lost. */
int sock_unbind(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	int error;

	if (sock_state(s) != TS_IDLE)
		return TOUTSTATE;
	error = sock_renew(ep, s->kind->protocol);
	if (error)
		return error;
	sock_pending_drop_all(s);
	sock_uderr_drop_all(s);
	sock_spill_drop(s);
	s->qlen = 0;
	s->spent = false;
	s->rebind = false;
	s->borrowed = false;
	memset(&s->bound, 0, sizeof(s->bound));
	atomic_store(&s->state, TS_UNBND);
	return 0;
}

/*
 * Both sockets say SO_REUSEADDR, so that the new one may have the address beside
 * the one before.
 */
int sock_rebind(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	struct sock_addr addr = s->bound;
	int on = 1, reuse = 0, failed;
	socklen_t len = sizeof(reuse);

	if (!s->rebind)
		return 0;
	if (!sock_is_inet(s->kind)) {
		failed = loop_bind(ep, &addr);
		if (failed == EADDRINUSE && s->any_port) {
			addr.len = 0;
			failed = loop_bind(ep, &addr);
		}
		if (!failed) {
			s->bound = addr;
			s->rebind = false;
		}
		return failed;
	}
	getsockopt(ep->fd, SOL_SOCKET, SO_REUSEADDR, &reuse, &len);
	setsockopt(ep->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	failed = bind(ep->fd, &addr.sa, addr.len) ? errno : 0;
	if (failed == EADDRINUSE && s->any_port) {
		addr.in.sin_port = 0;
		failed = bind(ep->fd, &addr.sa, addr.len) ? errno : 0;
	}
	setsockopt(ep->fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
	if (!failed) {
		s->rebind = false;
		sock_get_name(ep->fd, &s->bound);
	}
	return failed;
}

static bool is_connected(int state)
{
	return state == TS_DATA_XFER || state == TS_WIND_ORDREL ||
	       state == TS_WREQ_ORDREL;
}

int sock_report_addrs(struct endpoint *ep, struct tpi_msg *ack)
{
	struct T_addr_ack *addrs = sock_fill(ack, sizeof(*addrs));
	struct sock_end *s = ep->sock;
	struct sock_addr local, remote;

	*addrs = (struct T_addr_ack){ .PRIM_type = T_ADDR_ACK };
	if (sock_state(s) == TS_UNBND)
		return 0;
	if (s->rebind || s->spent || !sock_is_inet(s->kind))
		local = s->bound;
	else if (!sock_get_name(ep->fd, &local))
		return sock_errno(TSYSERR);
	addrs->LOCADDR_length = local.len;
	addrs->LOCADDR_offset = sock_append(ack, local.bytes, local.len);
	remote = s->peer;
	if (!is_connected(sock_state(s)) ||
	    (sock_is_inet(s->kind) && !sock_get_peer(ep->fd, &remote)))
		return 0;
	addrs->REMADDR_length = remote.len;
	addrs->REMADDR_offset = sock_append(ack, remote.bytes, remote.len);
	return 0;
}
