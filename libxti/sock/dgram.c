// SPDX-License-Identifier: LGPL-2.1-or-later
/* The service of datagrams over the Internet: T_UNITDATA_REQ, T_UNITDATA_IND */
#include <time.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <string.h>

#include "cmsg.h"
#include "dgram.h"
#include "spill.h"
#include "uderr.h"

#define CONTROL_MAX	256	/* bytes */

/* Returns the reason why a datagram did not arrive, as ICMP says; 0: ICMP does not say. */
static int find_control_error(struct msghdr *msg)
{
	const struct sock_extended_err *ee;
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (!(c->cmsg_level == SOL_IP && c->cmsg_type == IP_RECVERR) &&
		    !(c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_RECVERR))
			continue;
		ee = (const void *)CMSG_DATA(c);
		return ee->ee_origin == SO_EE_ORIGIN_ICMP ||
		       ee->ee_origin == SO_EE_ORIGIN_ICMP6 ? ee->ee_errno : 0;
	}
	return 0;
}

/*
 * Takes all errors that came back. Returns 0 and stores whether there were any,
 * or returns TBADF.
 */
static int fetch_errors(struct endpoint *ep, bool *any)
{
	char control[CONTROL_MAX] __attribute__((aligned(8)));
	struct sock_end *s = ep->sock;
	struct sock_addr dest;
	struct msghdr msg;
	int error;

	*any = false;
	for (;;) {
		msg = (struct msghdr){
			.msg_name = dest.bytes, .msg_namelen = sizeof(dest.bytes),
			.msg_control = control, .msg_controllen = sizeof(control),
		};
		memset(&dest, 0, sizeof(dest));
		if (recvmsg(ep->fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return errno == EAGAIN ? 0 : sock_errno(TSYSERR);
		*any = true;
		error = find_control_error(&msg);
		dest.len = s->kind->addr;
		if (error)
			sock_uderr_add(s, &dest, error);
	}
}

static int dgram_peek_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	int error = 0, tries;
	bool any = true;

	*type = TPI_NONE;
	/* The next call first reports an error of a datagram that was sent before. */
	for (tries = 0; any && tries < UDERR_MAX; tries++) {
		error = fetch_errors(ep, &any);
		if (error)
			return error;
		if (s->spilled)
			*type = TPI_DATA;
		else if (atomic_load(&s->nerrors))
			*type = T_UDERROR_IND;
		else if (sock_state(s) == TS_IDLE &&
			 recv(ep->fd, NULL, 0, MSG_PEEK | MSG_DONTWAIT) >= 0)
			*type = T_UNITDATA_IND;
		if (*type != TPI_NONE || sock_state(s) != TS_IDLE ||
		    errno == EAGAIN)
			return 0;
		error = sock_errno(0);
		if (error == TBADF)
			return error;
	}
	return 0;
}

static int take_inet_datagram(struct endpoint *ep, struct tpi_msg *msg, void *data,
			      size_t size)
{
	char control[CONTROL_MAX] __attribute__((aligned(8)));
	struct sock_end *s = ep->sock;
	struct T_unitdata_ind *ind = &msg->prim->unitdata_ind;
	char *from = (char *)(ind + 1);
	struct iovec iov[2] = { { data, size }, { NULL, 0 } };
	struct msghdr m = {
		.msg_name = from, .msg_namelen = sizeof(struct sockaddr_in6),
		.msg_iov = iov, .msg_iovlen = 1,
	};
	ssize_t n;
	bool any;

	if (size < (size_t)s->kind->tsdu) {
		if (sock_spill_make_room(s))
			return TSYSERR;
		iov[1] = (struct iovec){ s->spill, SPILL_MAX };
		m.msg_iovlen = 2;
	}
	if (s->controls) {
		m.msg_control = control;
		m.msg_controllen = sizeof(control);
	}
	n = recvmsg(ep->fd, &m, MSG_DONTWAIT);
	if (n < 0) {
		if (errno == EAGAIN)
			return TNODATA;
		if (sock_errno(0) == TBADF)
			return TBADF;
		/* The error is reported as an event. */
		fetch_errors(ep, &any);
		return TNODATA;
	}
	if (s->kind->type == SOCK_RAW)
		((struct sockaddr_in *)from)->sin_port = 0;
	*ind = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = m.msg_namelen,
		.SRC_offset = sizeof(*ind),
	};
	msg->len = sizeof(*ind) + m.msg_namelen;
	if (s->controls) {
		ind->OPT_offset = msg->len;
		ind->OPT_length = sock_cmsg_options(s->kind, &m,
						    (char *)ind + msg->len,
						    sizeof(msg->room) - msg->len);
		msg->len += ind->OPT_length;
	}
	sock_spill_note(s, msg, size, n);
	return 0;
}

int sock_dgram_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			    size_t size, sock_datagram_fn *datagram)
{
	struct sock_end *s = ep->sock;

	switch (type) {
	case TPI_DATA:
		return sock_spill_take(s, msg, data, size);
	case T_UDERROR_IND:
		return sock_uderr_take(s, msg);
	case T_UNITDATA_IND:
		/* An error comes before a datagram. */
		return s->spilled || atomic_load(&s->nerrors) ?
		       TNODATA : datagram(ep, msg, data, size);
	default:
		return TNODATA;
	}
}

static int dgram_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			      size_t size)
{
	return sock_dgram_take_message(ep, type, msg, data, size, take_inet_datagram);
}

/*
 * Makes the destination for the socket; returns 0, or an errno if the datagram
 * cannot be sent.
 */
static int parse_destination(const struct sock_kind *kind, const struct tpi_out *out,
			     struct sock_addr *dest)
{
	const struct T_unitdata_req *req = out->prim;

	memset(&dest->in6, 0, sizeof(dest->in6));
	dest->len = kind->addr;
	memcpy(dest->bytes, (const char *)req + req->DEST_offset,
	       req->DEST_length < kind->addr ? req->DEST_length : kind->addr);
	if (req->DEST_length != kind->addr || dest->sa.sa_family != kind->domain)
		return EINVAL;
	if (kind->type == SOCK_RAW)
		dest->in.sin_port = 0;
	else if (!dest->in.sin_port)
		return EINVAL;
	return 0;
}

/* Sends a datagram; returns its bytes, or -1. */
static ssize_t send_once(struct endpoint *ep, const struct tpi_out *out,
			 struct sock_addr *dest)
{
	char control[CONTROL_MAX] __attribute__((aligned(8)));
	const struct T_unitdata_req *req = out->prim;
	struct iovec iov = { (void *)out->data, out->len };
	struct msghdr msg = {
		.msg_name = dest->bytes, .msg_namelen = dest->len,
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
	};
	int flags = MSG_DONTWAIT | MSG_NOSIGNAL, failed;
	bool mapped;

	if (!req->OPT_length)
		return sendto(ep->fd, out->data, out->len, flags, &dest->sa,
			      dest->len);
	mapped = dest->sa.sa_family == AF_INET6 &&
		 IN6_IS_ADDR_V4MAPPED(&dest->in6.sin6_addr);
	failed = sock_cmsg_make(ep->sock->kind, (const char *)req + req->OPT_offset,
				req->OPT_length, &msg, sizeof(control), mapped,
				&flags);
	if (failed) {
		errno = failed;
		return -1;
	}
	return sendmsg(ep->fd, &msg, flags);
}

/*
 * Returns whether the error may be that of another datagram: sending this one
 * does not cause it, or not in this way.
 */
static bool is_late_error(void)
{
	return errno != EAGAIN && errno != ENOBUFS && errno != EPERM &&
	       errno != EINVAL;
}

static int dgram_send(struct endpoint *ep, struct tpi_out *out)
{
	struct sock_end *s = ep->sock;
	struct sock_addr dest;
	int failed, error;
	bool any;

	if (out->usual >= 0 && atomic_load(&s->nerrors))
		return xti_system(EBADMSG);
	failed = parse_destination(s->kind, out, &dest);
	while (!failed && send_once(ep, out, &dest) < 0) {
		failed = errno;
		if (failed == EAGAIN)
			return TFLOW;
		if (sock_errno(0) == TBADF)
			return TBADF;
		if (!is_late_error())
			break;
		error = fetch_errors(ep, &any);
		if (error)
			return error;
		if (!any)
			break;
		/* The error was that of another datagram, and is an event now. */
		if (out->usual >= 0)
			return xti_system(EBADMSG);
		failed = 0;
	}
	if (failed)
		sock_uderr_add(s, &dest, failed);
	return 0;
}

static int dgram_input_events(const struct sock_end *s)
{
	return POLLIN;
}

const struct sock_service sock_dgram_service = {
	.peek_type = dgram_peek_type,
	.take_message = dgram_take_message,
	.send = dgram_send,
	.input_events = dgram_input_events,
};
