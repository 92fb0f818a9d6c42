// SPDX-License-Identifier: LGPL-2.1-or-later
/* The end of a connection, and the socket that its endpoint has afterwards */
#include <netinet/tcp.h>
#include <unistd.h>

#include "addr.h"
#include "over.h"
#include "renew.h"

/* Disconnects the socket so that it can be used again: only TCP can do that. */
static int disconnect_socket(struct endpoint *ep)
{
	static const struct sockaddr none = { .sa_family = AF_UNSPEC };

	if (ep->sock->kind->protocol != IPPROTO_TCP)
		return -1;
	return connect(ep->fd, &none, sizeof(none));
}

bool sock_still_sends(struct endpoint *ep)
{
	switch (sock_get_tcp_state(ep->fd)) {
	case TCP_FIN_WAIT1:
	case TCP_CLOSING:
	case TCP_LAST_ACK:
		return true;
	default:
		return false;
	}
}

int sock_refresh(struct endpoint *ep)
{
	static const int on = 1;
	struct sock_end *s = ep->sock;
	struct sock_addr now;
	int error = 0;

	if (sock_still_sends(ep) || disconnect_socket(ep)) {
		/* The option lets the new socket share the address. */
		setsockopt(ep->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		error = sock_renew(ep, s->kind->protocol);
	}
	if (error)
		return error;
	s->spent = false;
	if (!sock_is_inet(s->kind))
		s->rebind = s->bound.len && !s->borrowed;
	else if (s->bound.len && sock_get_name(ep->fd, &now))
		s->rebind = !now.in.sin_port;
	return 0;
}

/*
 * Puts the listening socket back on its descriptor, which a connection used
 * meanwhile.
 */
static void listen_again(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	if (sock_replace(ep, s->listening))
		close(s->listening);
	s->listening = -1;
	s->spent = false;
}

void sock_end_connection(struct endpoint *ep, bool abort)
{
	struct sock_end *s = ep->sock;

	atomic_store(&s->lost, 0);
	s->ngathered = 0;
	atomic_store(&s->state, TS_IDLE);
	if (abort)
		disconnect_socket(ep);
	if (s->listening >= 0) {
		listen_again(ep);
		return;
	}
	s->spent = true;
	/* T_CONN_REQ tries again if this fails, and reports the error. */
	if (abort && !sock_refresh(ep))
		sock_rebind(ep);
}

void sock_note_release(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	if (sock_state(s) == TS_WREQ_ORDREL)
		sock_end_connection(ep, false);
	else
		atomic_store(&s->state, TS_WIND_ORDREL);
}

int sock_report_release(struct endpoint *ep, struct tpi_msg *msg)
{
	struct T_ordrel_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;

	ind->PRIM_type = T_ORDREL_IND;
	if (sock_state(s) == TS_WIND_ORDREL)
		sock_end_connection(ep, false);
	else
		atomic_store(&s->state, TS_WREQ_ORDREL);
	return 0;
}

int sock_report_end(struct endpoint *ep, int reason, struct tpi_msg *msg)
{
	struct T_discon_ind *ind = sock_fill(msg, sizeof(*ind));

	*ind = (struct T_discon_ind){
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = reason,
		.SEQ_number = SOCK_NO_SEQ,
	};
	sock_end_connection(ep, true);
	return 0;
}
