// SPDX-License-Identifier: LGPL-2.1-or-later
/* The state of an endpoint, as its socket has it: another process may have changed it */
#include <netinet/tcp.h>

#include "sock/loop/name.h"
#include "state.h"

static bool is_bound(struct endpoint *ep)
{
	const struct sock_kind *kind = ep->sock->kind;
	struct sock_addr addr;

	if (kind->type == SOCK_RAW)
		return sock_state(ep->sock) != TS_UNBND;
	if (!sock_get_name(ep->fd, &addr))
		return false;
	return sock_is_inet(kind) ? addr.in.sin_port :
				    addr.len > sizeof(sa_family_t);
}

static bool is_listening(int fd)
{
	int listens = 0;
	socklen_t len = sizeof(listens);

	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) && listens;
}

static int find_unconnected_state(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	if (is_bound(ep))
		return TS_IDLE;
	/*
	 * An unbound endpoint that accepted a connection is unbound again when the
	 * connection ends.
	 */
	return sock_state(s) == TS_IDLE &&
	       (s->rebind || s->borrowed || !s->bound.len) ? TS_IDLE : TS_UNBND;
}

/* Finds the state of an endpoint of TCP; known is the state it had before. */
static int find_tcp_state(struct endpoint *ep, int known)
{
	switch (sock_get_tcp_state(ep->fd)) {
	case TCP_LISTEN:
		return known == TS_WRES_CIND ? known : TS_IDLE;
	case TCP_SYN_SENT:
	case TCP_SYN_RECV:
		return TS_WCON_CREQ;
	case TCP_ESTABLISHED:
		/* The kernel does not know whether its user was informed. */
		return known == TS_WCON_CREQ ? known : TS_DATA_XFER;
	case TCP_FIN_WAIT1:
	case TCP_FIN_WAIT2:
		return TS_WIND_ORDREL;
	case TCP_CLOSE_WAIT:
		return known == TS_WREQ_ORDREL ? known : TS_DATA_XFER;
	case TCP_CLOSING:
	case TCP_LAST_ACK:
	case TCP_TIME_WAIT:
		return TS_WIND_ORDREL;
	default:
		/* A connection that ended has yet to be reported. */
		return known >= TS_WCON_CREQ ? known : find_unconnected_state(ep);
	}
}

/* Finds out what this process would know had it bound the socket itself. */
static void learn_rest(struct endpoint *ep, int state)
{
	struct sock_end *s = ep->sock;

	if (state != TS_UNBND && !s->bound.len && is_bound(ep)) {
		sock_get_name(ep->fd, &s->bound);
		if (!sock_is_inet(s->kind))
			loop_parse_name(&s->bound);
	}
	if (state == TS_DATA_XFER && !s->peer.len && !sock_is_inet(s->kind) &&
	    sock_get_peer(ep->fd, &s->peer))
		loop_parse_name(&s->peer);
	if (state == TS_IDLE && !s->qlen && is_listening(ep->fd))
		s->qlen = LOOP_QLEN_MAX;
}

void sock_learn_state(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	int known = sock_state(s), state;
	struct sock_addr peer;

	if (s->kind->serv_type == T_CLTS)
		state = find_unconnected_state(ep);
	else if (s->spent)
		state = TS_IDLE;
	else if (s->kind->protocol == IPPROTO_TCP)
		state = find_tcp_state(ep, known);
	else if (known > TS_IDLE)
		state = known;
	else
		state = !is_listening(ep->fd) && sock_get_peer(ep->fd, &peer) ? TS_DATA_XFER :
						   find_unconnected_state(ep);
	atomic_store(&s->state, state);
	learn_rest(ep, state);
}
