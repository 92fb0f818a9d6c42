// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The data of connections by sockets
 *
 * The kernel reports an error that ends a connection once, to whichever call
 * comes first. The error is kept until it has been reported to the user of the
 * endpoint.
 */
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "conn.h"
#include "data.h"
#include "over.h"

static bool is_tcp(const struct sock_end *s)
{
	return s->kind->protocol == IPPROTO_TCP;
}

/*
 * Notes after a failed call that the connection has ended; returns TBADF when
 * the number is not a socket's.
 */
static int note_failure(struct sock_end *s)
{
	int none = 0, error = sock_errno(0);

	if (error == TBADF)
		return error;
	/*
	 * The peer released its side of the connection and reset it afterwards.
	 */
	atomic_compare_exchange_strong(&s->lost, &none,
				       errno == EPIPE || errno == ENOTCONN ?
				       ECONNRESET : errno);
	return 0;
}

/* Returns the event that reports the end of the received data. */
static int find_end_type(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	/* The error may have been reported to another process. */
	if (!atomic_load(&s->lost) && sock_state(s) == TS_DATA_XFER &&
	    is_tcp(s) && sock_get_tcp_state(ep->fd) == TCP_CLOSE)
		atomic_store(&s->lost, ECONNRESET);
	return atomic_load(&s->lost) ? T_DISCON_IND : T_ORDREL_IND;
}

/* Returns whether the next byte is the urgent one. */
static bool is_at_mark(int fd)
{
	int mark = 0;

	return !ioctl(fd, SIOCATMARK, &mark) && mark;
}

/*
 * Returns whether there is something to read, and stores whether the next byte
 * is urgent.
 */
static bool conn_is_readable(struct endpoint *ep, bool *urgent)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLIN | POLLPRI };

	/*
	 * A single poll() asks for both: an urgent byte that arrives after it is not
	 * the first of the data found.
	 */
	*urgent = false;
	if (poll(&p, 1, 0) != 1)
		return false;
	*urgent = p.revents & POLLPRI && is_tcp(ep->sock) && is_at_mark(ep->fd);
	return true;
}

static int peek_data_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	bool urgent;
	ssize_t n;
	char c;

	*type = TPI_NONE;
	if (!conn_is_readable(ep, &urgent)) {
		if (atomic_load(&s->lost))
			*type = T_DISCON_IND;
		return 0;
	}
	n = recv(ep->fd, &c, 1, MSG_PEEK | MSG_DONTWAIT);
	if (n > 0)
		*type = urgent ? T_EXDATA_IND : T_DATA_IND;
	else if (n < 0 && errno != EAGAIN && note_failure(s))
		return TBADF;
	else if (n == 0 || atomic_load(&s->lost))
		*type = find_end_type(ep);
	return 0;
}

/*
 * Finds the event of a connection whose peer has sent all its data: an error
 * may still come.
 */
static int peek_released_type(struct endpoint *ep, int *type)
{
	struct pollfd p = { .fd = ep->fd };
	struct sock_end *s = ep->sock;
	socklen_t len = sizeof(errno);

	*type = TPI_NONE;
	if (!atomic_load(&s->lost) && poll(&p, 1, 0) == 1) {
		if (p.revents & POLLNVAL)
			return TBADF;
		if (getsockopt(ep->fd, SOL_SOCKET, SO_ERROR, &errno, &len) ||
		    errno)
			note_failure(s);
		else if (is_tcp(s) && sock_get_tcp_state(ep->fd) == TCP_CLOSE)
			atomic_store(&s->lost, ECONNRESET);
	}
	if (atomic_load(&s->lost))
		*type = T_DISCON_IND;
	return 0;
}

static int conn_peek_type(struct endpoint *ep, int *type)
{
	switch (sock_state(ep->sock)) {
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
		return peek_data_type(ep, type);
	case TS_WREQ_ORDREL:
		return peek_released_type(ep, type);
	default:
		return sock_conn_peek_type(ep, type);
	}
}

static int take_conn_data(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			  size_t size)
{
	struct T_data_ind *ind = &msg->prim->data_ind;
	struct sock_end *s = ep->sock;
	struct iovec iov = { data, size };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	bool urgent, wanted = type == T_EXDATA_IND;
	ssize_t n;

	if (!conn_is_readable(ep, &urgent) || urgent != wanted)
		return TNODATA;
	if (urgent && size)
		iov.iov_len = 1;
	n = size ? recvmsg(ep->fd, &m, MSG_DONTWAIT) :
		   recv(ep->fd, &(char){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT);
	if (n < 0 && errno != EAGAIN && note_failure(s))
		return TBADF;
	if (n <= 0)
		return TNODATA;
	ind->PRIM_type = type;
	ind->MORE_flag = s->kind->tsdu && !(m.msg_flags & MSG_EOR);
	msg->len = sizeof(*ind);
	msg->data_len = size ? n : 0;
	return 0;
}

static int conn_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			     size_t size)
{
	int state = sock_state(ep->sock);

	if (type != T_DATA_IND && type != T_EXDATA_IND)
		return sock_conn_take_message(ep, type, msg);
	if (state != TS_DATA_XFER && state != TS_WIND_ORDREL)
		return TNODATA;
	return take_conn_data(ep, type, msg, data, size);
}

/* Returns whether the peer's release or abort has to be reported first. */
static bool conn_is_ended(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	ssize_t n;
	char c;

	if (!atomic_load(&s->lost) && sock_state(s) == TS_DATA_XFER) {
		n = recv(ep->fd, &c, 1, MSG_PEEK | MSG_DONTWAIT);
		if (n == 0)
			return true;
		if (n < 0 && errno != EAGAIN)
			note_failure(s);
	}
	return atomic_load(&s->lost);
}

/* Sends bytes, and adds to took what the socket took; returns 0 or an error. */
static int send_bytes(struct endpoint *ep, const void *data, size_t len, int flags,
		      size_t *took)
{
	ssize_t n = send(ep->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL | flags);

	if (n >= 0) {
		*took += n;
		return 0;
	}
	if (errno == EAGAIN)
		return TFLOW;
	if (errno == ENOMEM || errno == ENOBUFS)
		return TSYSERR;
	return note_failure(ep->sock) ? TBADF : xti_system(EBADMSG);
}

/*
 * Sends expedited data. Only the last byte is urgent, and only when all bytes
 * before it have been sent.
 */
static int send_urgent(struct endpoint *ep, const char *data, size_t len, bool more,
		       size_t *took)
{
	int error = 0;

	if (len > 1 || more)
		error = send_bytes(ep, data, more ? len : len - 1, 0, took);
	if (!error && !more && *took == len - 1)
		error = send_bytes(ep, data + len - 1, 1, MSG_OOB, took);
	return *took ? 0 : error;
}

/*
 * Sends a record as a whole: its parts are kept until the last part is there.
 */
static int send_record(struct endpoint *ep, const void *data, size_t len, bool more,
		       size_t *took)
{
	struct sock_end *s = ep->sock;
	size_t all = s->ngathered + len;
	char *bigger;
	int error;

	if (!more && !s->ngathered)
		return send_bytes(ep, data, len, 0, took);
	if (all > (size_t)s->kind->tsdu)
		return TBADDATA;
	bigger = realloc(s->gathered, all);
	if (!bigger)
		return xti_system(ENOMEM);
	s->gathered = bigger;
	memcpy(bigger + s->ngathered, data, len);
	if (more) {
		s->ngathered = all;
		*took = len;
		return 0;
	}
	error = send_bytes(ep, bigger, all, 0, took);
	if (!error) {
		s->ngathered = 0;
		*took = len;
	}
	return error;
}

static int send_data(struct endpoint *ep, struct tpi_out *out)
{
	const struct T_data_req *req = out->prim;
	bool more = req->MORE_flag;

	out->took = 0;
	if (req->PRIM_type == T_EXDATA_REQ)
		return send_urgent(ep, out->data, out->len, more, &out->took);
	if (ep->sock->kind->tsdu)
		return send_record(ep, out->data, out->len, more, &out->took);
	return send_bytes(ep, out->data, out->len, more ? MSG_MORE : 0, &out->took);
}

static int shut_down_sending(struct endpoint *ep)
{
	if (shutdown(ep->fd, SHUT_WR) && errno != ENOTCONN)
		return sock_errno(TSYSERR);
	sock_note_release(ep);
	return 0;
}

static int conn_send(struct endpoint *ep, struct tpi_out *out)
{
	const union T_primitives *prim = out->prim;
	int error;

	if (out->usual >= 0 && conn_is_ended(ep))
		return xti_system(EBADMSG);
	error = prim->type == T_ORDREL_REQ ? shut_down_sending(ep) :
					     send_data(ep, out);
	/*
	 * The end of the connection is an event; a thread that has looked before finds
	 * it the next time.
	 */
	if (error == TSYSERR && errno == EBADMSG && out->usual < 0) {
		out->took = out->len > 0 ? out->len : 0;
		error = 0;
	}
	return error;
}

static int conn_input_events(const struct sock_end *s)
{
	return atomic_load(&s->state) == TS_WCON_CREQ ? POLLOUT :
							POLLIN | POLLPRI;
}

const struct sock_service sock_conn_service = {
	.peek_type = conn_peek_type,
	.take_message = conn_take_message,
	.send = conn_send,
	.input_events = conn_input_events,
};
