// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Listening, and connections that wait for a T_CONN_RES
 *
 * A connection is taken from the listening socket when the user asks what has
 * happened; the kernel keeps the others. An endpoint that has accepted a
 * connection itself keeps its listening socket beside it: it listens again when
 * that connection is over.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/carrier.h"
#include "sock/loop/call.h"
#include "sock/loop/frame.h"
#include "listen.h"
#include "option.h"
#include "pending.h"
#include "renew.h"
#include "spill.h"

#define SILENT_MAX	16	/* that may be accepted and have said nothing */
#define AT_ONCE		64	/* sockets that poll() is asked about */
#define TRIES		64	/* calls in a row that may turn out to be no connections */

/* Finds a reported connection that ended before it was accepted. */
static struct sock_pending *find_lost(struct sock_end *s)
{
	struct sock_pending *p = s->pending, *of[AT_ONCE];
	struct pollfd fds[AT_ONCE];
	int n, i;

	while (p) {
		for (n = 0; p && n < AT_ONCE; p = p->next) {
			if (!p->reported)
				continue;
			of[n] = p;
			fds[n++] = (struct pollfd){ .fd = p->fd };
		}
		if (!n || poll(fds, n, 0) <= 0)
			continue;
		for (i = 0; i < n; i++)
			if (fds[i].revents & (POLLERR | POLLHUP))
				return of[i];
	}
	return NULL;
}

static struct sock_pending *find_unreported(struct sock_end *s)
{
	struct sock_pending *p;

	for (p = s->pending; p && (p->reported || p->silent); p = p->next)
		;
	return p;
}

/* Returns a number that no other connection has; never 0 nor -1. */
static t_scalar_t make_seq(struct sock_end *s)
{
	do {
		s->last_seq = s->last_seq % INT_MAX + 1;
	} while (sock_pending_find(s, s->last_seq));
	return s->last_seq;
}

/*
 * Takes a connection from the socket, if there is one. Returns 0 or an error.
 * No flag makes accept() return at once, and another process may have taken the
 * connection: SO_RCVTIMEO limits the wait to a moment.
 */
static int accept_one(struct endpoint *ep)
{
	static const struct timeval forever;
	struct sock_end *s = ep->sock;
	struct sock_pending *p, **at;
	int fd;

	do {
		fd = accept4(ep->fd, NULL, NULL, SOCK_CLOEXEC);
	} while (fd < 0 && (errno == ECONNABORTED || errno == EINTR));
	if (fd < 0)
		return errno == EAGAIN ? 0 : sock_errno(TSYSERR);
	/* An accepted socket of TCP has the options of the listening one. */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof(forever));
	p = calloc(1, sizeof(*p));
	if (!p || (sock_is_inet(s->kind) && !sock_get_peer(fd, &p->addr))) {
		/*
		 * The peer has closed the connection; or memory is short, and
		 * the peer is informed.
		 */
		sock_abort(fd);
		free(p);
		return 0;
	}
	p->fd = fd;
	p->seq = make_seq(s);
	for (at = &s->pending; *at; at = &(*at)->next)
		;
	*at = p;
	if (sock_is_inet(s->kind)) {
		s->npending++;
	} else {
		p->silent = true;
		s->nsilent++;
	}
	return 0;
}

/*
 * Finds silent callers that have sent their address by now. A caller that was
 * just accepted is looked at again, although the listener found no address: see
 * loop/call.h.
 */
static void hear_silent(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	struct sock_pending *p, *next;
	int said;

	for (p = s->pending; p; p = next) {
		next = p->next;
		if (!p->silent)
			continue;
		said = loop_hear_call(ep, p);
		if (!said && !p->told_nothing) {
			p->told_nothing = true;
			loop_say_looked(p);
			said = loop_hear_call(ep, p);
		}
		if (said > 0) {
			p->silent = false;
			s->nsilent--;
			s->npending++;
		} else if (said < 0 || s->nsilent > SILENT_MAX) {
			/* The oldest of too many silent callers is dropped. */
			sock_pending_drop(s, p);
		}
	}
}

static bool has_caller(struct endpoint *ep)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* Takes connections from the socket until there is one to report, or no more. */
static int fetch_connections(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	int error = 0, tries = TRIES;

	if (s->nsilent)
		hear_silent(ep);
	while (!error && !find_unreported(s) && s->npending < s->qlen && tries-- &&
	       has_caller(ep)) {
		error = accept_one(ep);
		if (s->nsilent)
			hear_silent(ep);
	}
	return error;
}

/*
 * Nothing is taken from the socket before the user wants it, so that the
 * descriptor stays readable. With ticots only the connection itself shows
 * whether there is a call: the descriptor is made readable again.
 */
int sock_listen_peek_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	int error = 0;

	if (find_lost(s)) {
		*type = T_DISCON_IND;
		return 0;
	}
	if (sock_is_inet(s->kind)) {
		if (s->npending < s->qlen && has_caller(ep))
			*type = T_CONN_IND;
		return 0;
	}
	error = fetch_connections(ep);
	if (find_unreported(s)) {
		*type = T_CONN_IND;
		if (!has_caller(ep))
			loop_wake_listener(ep);
	}
	return error;
}

static int report_connection(struct endpoint *ep, struct tpi_msg *msg, void *data,
			     size_t size)
{
	struct T_conn_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;
	struct sock_pending *p;
	int error = fetch_connections(ep);

	p = find_unreported(s);
	if (!p)
		return error ? error : TNODATA;
	*ind = (struct T_conn_ind){
		.PRIM_type = T_CONN_IND,
		.SRC_length = p->addr.len,
		.SEQ_number = p->seq,
	};
	ind->SRC_offset = sock_append(msg, p->addr.bytes, p->addr.len);
	sock_spill_copy(s, msg, data, size, p->udata, p->udata_len);
	p->reported = true;
	atomic_store(&s->state, TS_WRES_CIND);
	return 0;
}

static int report_lost(struct endpoint *ep, struct tpi_msg *msg, void *data,
		       size_t size)
{
	struct T_discon_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;
	struct sock_pending *p = find_lost(s);
	int failed = 0;
	socklen_t len = sizeof(failed);
	struct loop_frame frame;
	struct sock_addr addr;
	struct msghdr m = {};

	if (!sock_is_inet(s->kind)) {
		failed = ECONNABORTED;
		loop_take_frame(ep, p->fd, &frame, &addr, msg, data, size, &m);
	} else {
		getsockopt(p->fd, SOL_SOCKET, SO_ERROR, &failed, &len);
	}
	*ind = (struct T_discon_ind){
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = failed ? failed : ECONNRESET,
		.SEQ_number = p->seq,
	};
	sock_pending_drop(s, p);
	return 0;
}

/* Takes a message of the type that sock_listen_peek_type() returned. */
int sock_listen_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			     size_t size)
{
	return type == T_CONN_IND ? report_connection(ep, msg, data, size) :
				    report_lost(ep, msg, data, size);
}

/* Accepts on the listening endpoint itself: no other indication may be outstanding. */
static int accept_here(struct endpoint *ep, struct sock_pending *p)
{
	struct sock_end *s = ep->sock;
	int listening, error;

	if (s->npending > 1)
		return TINDOUT;
	listening = fcntl(ep->fd, F_DUPFD_CLOEXEC, 0);
	if (listening < 0)
		return sock_errno(TSYSERR);
	error = sock_replace(ep, p->fd);
	if (error) {
		close(listening);
		return error;
	}
	s->listening = listening;
	return 0;
}

/*
 * Accepts on another endpoint, which gets its own address back when the
 * connection ends, if it had one.
 */
static int accept_there(struct endpoint *res, struct sock_pending *p)
{
	struct sock_end *s = res->sock;
	int error = sock_replace(res, p->fd);

	if (error)
		return error;
	s->spent = false;
	s->rebind = false;
	return 0;
}

static int hand_over(struct endpoint *ep, struct endpoint *res,
		     struct sock_pending *p, const struct netbuf *udata)
{
	struct sock_end *s = res->sock;
	int state = sock_state(s), copy = -1, error;

	if (res != ep && s->qlen)
		return TRESQLEN;
	if (res != ep && state != TS_IDLE && state != TS_UNBND)
		return TOUTSTATE;
	if (!sock_is_inet(s->kind)) {
		sock_mark(p->fd, s->kind);
		copy = fcntl(p->fd, F_DUPFD_CLOEXEC, 0);
		if (copy < 0)
			return sock_errno(TSYSERR);
	}
	error = res == ep ? accept_here(ep, p) : accept_there(res, p);
	if (copy < 0)
		return error;
	/* The answer is sent last, when no step can fail any more. */
	if (!error) {
		s->peer = p->addr;
		loop_send_answer(ep, res, copy, udata);
	}
	close(copy);
	return error;
}

int sock_accept(struct endpoint *ep, const struct tpi_req *req)
{
	const struct T_conn_res *prim = req->prim;
	struct sock_end *s = ep->sock;
	struct sock_pending *p;
	struct endpoint *res;
	int error;

	if (sock_state(s) != TS_WRES_CIND)
		return TOUTSTATE;
	p = sock_pending_find(s, prim->SEQ_number);
	if (!p)
		return TBADSEQ;
	error = sock_option_apply(ep, p->fd, req->part[0].from);
	if (error)
		return error;
	/*
	 * t_accept() has found the endpoint before; another thread may have
	 * closed it since.
	 */
	res = endpoint_find(req->resfd);
	if (!res)
		return TBADF;
	if (res->carrier != ep->carrier || res->sock->kind != s->kind)
		error = TPROVMISMATCH;
	else
		error = hand_over(ep, res, p, req->data);
	if (!error) {
		/* The socket stays open, as the endpoint owns it now. */
		p->fd = -1;
		sock_pending_drop(s, p);
		atomic_store(&res->sock->lost, 0);
		atomic_store(&res->sock->state, TS_DATA_XFER);
	}
	endpoint_put(res);
	return error;
}
