// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Connections of ticots and ticotsord by sockets
 *
 * A caller connects, and sends LOOP_CALL. Between the two the listener may have
 * accepted and found nothing, and nothing would make its descriptor readable
 * again when the call comes. So it says LOOP_LOOKED, and looks once more; a
 * caller that finds this after its call knocks: it connects another socket, and
 * closes it. Whichever was first, the listener finds the call. A silent caller
 * delays no other.
 */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "loop.h"

/* The first frame's kind, -1: there is none, -2: nor will there be; -3: TBADF. */
enum { NOTHING = -1, THE_END = -2, NO_SOCKET = -3 };

static int first(int fd, struct loop_frame *frame)
{
	ssize_t n;

	/* An error means that the peer has closed with data unread; continue. */
	do {
		n = recv(fd, frame, sizeof(*frame), MSG_PEEK | MSG_DONTWAIT);
	} while (n < 0 && errno == ECONNRESET);
	if (n < 0)
		return errno == EAGAIN ? NOTHING :
		       sock_errno(0) == TBADF ? NO_SOCKET : THE_END;
	return n == sizeof(*frame) ? (int)frame->what : THE_END;
}

static void skip(int fd)
{
	char byte;

	recv(fd, &byte, sizeof(byte), MSG_DONTWAIT);
}

/* Whether the other side belongs to that user. */
static bool is_user(int fd, uid_t user)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
	       cred.uid == user;
}

/* Makes the listener look again. */
static void knock(const struct sockaddr_un *name, socklen_t len)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return;
	connect(fd, (const struct sockaddr *)name, len);
	close(fd);
}

void loop_knock(struct endpoint *ep)
{
	struct sockaddr_un name;
	socklen_t len = sizeof(name);

	if (!getsockname(ep->fd, (struct sockaddr *)&name, &len))
		knock(&name, len);
}

/* 0 or an errno. */
static int call_as(struct endpoint *ep, const struct sockaddr_un *name,
		   socklen_t len, uid_t user)
{
	if (connect(ep->fd, (const struct sockaddr *)name, len))
		return errno;
	if (is_user(ep->fd, user))
		return 0;
	/*
	 * The frame only reports it. The socket is connected to it, and of no
	 * further use.
	 */
	shutdown(ep->fd, SHUT_RDWR);
	ep->sock->spent = true;
	return EPERM;
}

/* An errno; ECONNREFUSED says that no endpoint has that address. */
int loop_call(struct endpoint *ep, const struct sock_addr *to,
	      const struct netbuf *udata)
{
	struct sock_end *s = ep->sock;
	struct loop_frame frame = { .what = LOOP_CALL, .addr_len = s->bound.len };
	struct sockaddr_un name;
	uid_t user[2];
	int n = loop_users(user), i, failed = ECONNREFUSED;
	socklen_t len = 0;

	if (s->borrowed)
		frame.addr_len = 0;
	for (i = 0; failed && !s->spent && i < n; i++) {
		len = loop_name(s->kind, user[i], to, &name);
		failed = call_as(ep, &name, len, user[i]);
	}
	if (failed)
		return ECONNREFUSED;
	if (loop_send(ep->fd, &frame, &s->bound, udata ? udata->buf : NULL,
		      udata ? udata->len : 0) < 0)
		return ECONNREFUSED;
	if (first(ep->fd, &frame) == LOOP_LOOKED) {
		skip(ep->fd);
		knock(&name, len);
	}
	return 0;
}

void loop_farewell(int fd, int reason, const struct netbuf *udata)
{
	struct loop_frame frame = { .what = LOOP_DISCON, .value = reason };

	loop_send(fd, &frame, NULL, udata ? udata->buf : NULL,
		  udata ? udata->len : 0);
}

void loop_answer(struct endpoint *ep, struct endpoint *res, int fd,
		 const struct netbuf *udata)
{
	struct sock_end *s = res->sock;
	struct loop_frame frame = { .what = LOOP_ANSWER };

	/* Bound by this, to where the caller called. */
	if (sock_state(s) == TS_UNBND) {
		s->bound = ep->sock->bound;
		s->borrowed = true;
	}
	frame.addr_len = s->bound.len;
	loop_send(fd, &frame, &s->bound, udata ? udata->buf : NULL,
		  udata ? udata->len : 0);
}

void loop_looked(struct sock_pending *p)
{
	struct loop_frame frame = { .what = LOOP_LOOKED };

	loop_send(p->fd, &frame, NULL, NULL, 0);
}

int loop_asked(struct endpoint *ep, struct sock_pending *p)
{
	struct {
		struct loop_frame frame;
		char rest[SOCK_ADDR_MAX + SOCK_UDATA_MAX];
	} call;
	struct sockaddr_un name;
	socklen_t len = sizeof(name);
	ssize_t n;

	switch (first(p->fd, &call.frame)) {
	case NOTHING:
		return 0;
	case LOOP_CALL:
		break;
	default:
		return -1;
	}
	n = recv(p->fd, &call, sizeof(call), MSG_DONTWAIT);
	if (n < (ssize_t)sizeof(call.frame) ||
	    call.frame.addr_len > SOCK_ADDR_MAX ||
	    call.frame.addr_len > n - sizeof(call.frame))
		return -1;
	p->addr.len = call.frame.addr_len;
	memcpy(p->addr.bytes, call.rest, p->addr.len);
	p->udata_len = n - sizeof(call.frame) - p->addr.len;
	if (p->udata_len > sizeof(p->udata))
		return -1;
	memcpy(p->udata, call.rest + p->addr.len, p->udata_len);
	if (!p->addr.len)
		return 1;
	return !getpeername(p->fd, (struct sockaddr *)&name, &len) &&
	       loop_is_name(ep->sock->kind, &p->addr, &name, len) ? 1 : -1;
}

/* The event that the first frame means. */
static int frame_type(struct endpoint *ep, int what, const struct loop_frame *frame)
{
	int state = sock_state(ep->sock);
	bool receives = state == TS_DATA_XFER || state == TS_WIND_ORDREL;

	if (what == LOOP_DISCON)
		return T_DISCON_IND;
	if (state == TS_WCON_CREQ && what == LOOP_ANSWER)
		return T_CONN_CON;
	if (receives && what == LOOP_DATA)
		return T_DATA_IND;
	if (receives && what == LOOP_EXDATA)
		return T_EXDATA_IND;
	if (receives && what == LOOP_ORDREL)
		return T_ORDREL_IND;
	return TPI_NONE;
}

static int loop_front(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	int state = sock_state(s), what;

	if (s->spilled) {
		*type = TPI_DATA;
		return 0;
	}
	if (state == TS_UNBND || state == TS_IDLE || state == TS_WRES_CIND)
		return sock_conn_front(ep, type);
	*type = TPI_NONE;
	while (!atomic_load(&s->lost)) {
		what = first(ep->fd, &frame);
		if (what == NO_SOCKET)
			return TBADF;
		if (what == NOTHING)
			return 0;
		if (what == THE_END) {
			atomic_store(&s->lost, state == TS_WCON_CREQ ?
				     ECONNREFUSED : ECONNRESET);
			break;
		}
		*type = frame_type(ep, what, &frame);
		if (*type != TPI_NONE)
			return 0;
		/* This library sends no such frame there. */
		skip(ep->fd);
	}
	*type = T_DISCON_IND;
	return 0;
}

static int take_data(struct endpoint *ep, struct tpi_msg *msg, void *data,
		     size_t size)
{
	struct T_data_ind *ind = sock_fill(msg, sizeof(*ind));
	struct loop_frame frame;
	struct sock_addr addr;
	struct msghdr m = {};

	if (loop_take(ep, ep->fd, &frame, &addr, msg, data, size, &m) <= 0)
		return TNODATA;
	ind->PRIM_type = frame.what == LOOP_EXDATA ? T_EXDATA_IND : T_DATA_IND;
	ind->MORE_flag = frame.value;
	return 0;
}

static int take_answer(struct endpoint *ep, struct tpi_msg *msg, void *data,
		       size_t size)
{
	struct T_conn_con *con = sock_fill(msg, sizeof(*con));
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	struct msghdr m = {};

	if (loop_take(ep, ep->fd, &frame, &s->peer, msg, data, size, &m) <= 0)
		return TNODATA;
	*con = (struct T_conn_con){
		.PRIM_type = T_CONN_CON,
		.RES_length = s->peer.len,
	};
	con->RES_offset = sock_append(msg, s->peer.bytes, s->peer.len);
	atomic_store(&s->state, TS_DATA_XFER);
	return 0;
}

static int take_discon(struct endpoint *ep, struct tpi_msg *msg, void *data,
		       size_t size)
{
	struct T_discon_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	struct sock_addr addr;
	struct msghdr m = {};
	int reason = atomic_load(&s->lost);

	if (!reason) {
		if (loop_take(ep, ep->fd, &frame, &addr, msg, data, size, &m) <= 0)
			return TNODATA;
		reason = frame.value;
	}
	*ind = (struct T_discon_ind){
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = reason,
		.SEQ_number = SOCK_NO_SEQ,
	};
	sock_conn_over(ep, true);
	return 0;
}

static int loop_take_message(struct endpoint *ep, int type, struct tpi_msg *msg,
			     void *data, size_t size)
{
	int state = sock_state(ep->sock), front, error;

	if (type == TPI_DATA)
		return sock_take_rest(ep->sock, msg, data, size);
	error = loop_front(ep, &front);
	if (error)
		return error;
	if (front != type)
		return TNODATA;
	if (state == TS_IDLE || state == TS_WRES_CIND)
		return sock_listen_take(ep, type, msg, data, size);
	switch (type) {
	case T_DATA_IND:
	case T_EXDATA_IND:
		return take_data(ep, msg, data, size);
	case T_CONN_CON:
		return take_answer(ep, msg, data, size);
	case T_DISCON_IND:
		return take_discon(ep, msg, data, size);
	case T_ORDREL_IND:
		skip(ep->fd);
		return sock_take_release(ep, msg);
	default:
		return TNODATA;
	}
}

/* Whether the peer's release or abort has to be reported first. */
static bool is_ended(struct endpoint *ep)
{
	struct loop_frame frame;

	switch (first(ep->fd, &frame)) {
	case LOOP_ORDREL:
	case LOOP_DISCON:
	case THE_END:
		return true;
	default:
		return false;
	}
}

static int give(struct endpoint *ep, const struct tpi_out *out, size_t *took)
{
	const struct T_data_req *req = out->prim;
	struct loop_frame frame = {
		.what = req->PRIM_type == T_EXDATA_REQ ? LOOP_EXDATA :
			req->PRIM_type == T_ORDREL_REQ ? LOOP_ORDREL : LOOP_DATA,
	};
	size_t len = out->len > 0 ? out->len : 0;

	*took = len;
	if (frame.what != LOOP_ORDREL)
		frame.value = req->MORE_flag;
	while (loop_send(ep->fd, &frame, NULL, out->data, *took) < 0) {
		if (errno == EAGAIN)
			return TFLOW;
		if (errno == EMSGSIZE && *took > 1) {
			/* More than XTI_SNDBUF */
			*took /= 2;
			frame.value = true;
		} else if (sock_errno(0) == TBADF) {
			return TBADF;
		} else if (errno == EPIPE || errno == ECONNRESET ||
			   errno == ENOTCONN) {
			return xti_system(EBADMSG);
		} else {
			return TSYSERR;
		}
	}
	return 0;
}

static int loop_send_out(struct endpoint *ep, struct tpi_out *out)
{
	const union T_primitives *prim = out->prim;
	struct sock_end *s = ep->sock;
	int error;

	if (out->usual >= 0 && is_ended(ep))
		return xti_system(EBADMSG);
	error = give(ep, out, &out->took);
	/* It is an event, after the data that is still to be read. */
	if (error == TSYSERR && errno == EBADMSG && out->usual < 0)
		error = 0;
	if (!error && prim->type == T_ORDREL_REQ) {
		if (sock_state(s) == TS_WREQ_ORDREL)
			sock_conn_over(ep, false);
		else
			atomic_store(&s->state, TS_WIND_ORDREL);
	}
	return error;
}

static int loop_input(const struct sock_end *s)
{
	return POLLIN;
}

const struct sock_service sock_loop_service = {
	.front = loop_front,
	.take = loop_take_message,
	.send = loop_send_out,
	.input = loop_input,
};
