// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The service of ticlts: datagrams within the host
 *
 * No datagram is lost for want of room: its sender waits until the receiver has some.
 */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/wait.h"
#include "sock/dgram.h"
#include "sock/uderr.h"
#include "dgram.h"
#include "frame.h"
#include "name.h"

static int loop_dgram_peek_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	char byte;

	*type = TPI_NONE;
	if (s->spilled)
		*type = TPI_DATA;
	else if (atomic_load(&s->nerrors))
		*type = T_UDERROR_IND;
	else if (recv(ep->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
		*type = sock_state(s) == TS_IDLE ? T_UNITDATA_IND : TPI_NONE;
	else if (sock_errno(0) == TBADF)
		return TBADF;
	return 0;
}

static int take_loop_datagram(struct endpoint *ep, struct tpi_msg *msg, void *data,
			      size_t size)
{
	struct T_unitdata_ind *ind = sock_fill(msg, sizeof(*ind));
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	struct sockaddr_un name;
	struct sock_addr from;
	struct msghdr m;
	ssize_t n;

	do {
		m = (struct msghdr){
			.msg_name = &name, .msg_namelen = sizeof(name),
		};
		n = loop_take_frame(ep, ep->fd, &frame, &from, msg, data, size, &m);
		if (n < 0 && errno == EAGAIN)
			return TNODATA;
		if (n < 0 && sock_errno(0) == TBADF)
			return TBADF;
		/*
		 * A datagram that this library did not send, or not from that address,
		 * is dropped.
		 */
	} while (n < (ssize_t)sizeof(frame) || frame.what != LOOP_UNITDATA ||
		 !loop_name_has_addr(s->kind, &from, &name, m.msg_namelen));
	*ind = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = from.len,
	};
	ind->SRC_offset = sock_append(msg, from.bytes, from.len);
	return 0;
}

static int loop_dgram_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
				   size_t size)
{
	return sock_dgram_take_message(ep, type, msg, data, size, take_loop_datagram);
}

static void copy_destination(const struct tpi_out *out, struct sock_addr *dest)
{
	const struct T_unitdata_req *req = out->prim;

	dest->len = req->DEST_length < SOCK_ADDR_MAX ? req->DEST_length :
						       SOCK_ADDR_MAX;
	memcpy(dest->bytes, (const char *)req + req->DEST_offset, dest->len);
}

/* Sends a datagram to a name; returns 0 or an errno. */
static int send_datagram_to(struct endpoint *ep, const struct tpi_out *out,
			    const struct sockaddr_un *name, socklen_t len)
{
	const struct sock_addr *from = &ep->sock->bound;
	struct loop_frame frame = { .what = LOOP_UNITDATA, .addr_len = from->len };
	struct iovec iov[3] = {
		{ &frame, sizeof(frame) },
		{ (void *)from->bytes, from->len },
		{ (void *)out->data, out->len },
	};
	struct msghdr m = {
		.msg_name = (void *)name, .msg_namelen = len,
		.msg_iov = iov, .msg_iovlen = 3,
	};

	return sendmsg(ep->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

static int loop_dgram_send(struct endpoint *ep, struct tpi_out *out)
{
	struct sock_end *s = ep->sock;
	int failed = ECONNREFUSED, i, n;
	struct sockaddr_un name;
	struct sock_addr dest;
	uid_t user[2];
	socklen_t len;

	if (out->usual >= 0 && atomic_load(&s->nerrors))
		return xti_system(EBADMSG);
	copy_destination(out, &dest);
	n = loop_list_users(user);
	for (i = 0; failed == ECONNREFUSED && i < n; i++) {
		len = loop_make_name(s->kind, user[i], &dest, &name);
		failed = send_datagram_to(ep, out, &name, len);
	}
	if (failed == EAGAIN)
		return TFLOW;
	if (failed == EBADF || failed == ENOTSOCK)
		return TBADF;
	if (failed)
		sock_uderr_add(s, &dest, failed);
	return 0;
}

/*
 * Waits until the receiver has room: a socket connected to it is writable then.
 * The endpoint's own socket, which sends to any receiver, does not show that.
 */
static int loop_dgram_await_room(struct endpoint *ep, const struct tpi_out *out,
				 unsigned int woken)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), i, n, error = 0;
	struct sockaddr_un name;
	struct sock_addr dest;
	uid_t user[2];
	socklen_t len;

	if (fd < 0)
		return TSYSERR;
	copy_destination(out, &dest);
	n = loop_list_users(user);
	for (i = 0; i < n; i++) {
		len = loop_make_name(ep->sock->kind, user[i], &dest, &name);
		if (!connect(fd, (struct sockaddr *)&name, len))
			break;
	}
	/* The receiver has been closed: the next attempt reports it. */
	if (i < n)
		error = endpoint_wait(ep, &(struct pollfd){
			.fd = fd, .events = POLLOUT }, woken);
	close(fd);
	return error;
}

static int loop_dgram_input_events(const struct sock_end *s)
{
	return POLLIN;
}

const struct sock_service sock_loop_dgram_service = {
	.peek_type = loop_dgram_peek_type,
	.take_message = loop_dgram_take_message,
	.send = loop_dgram_send,
	.await_room = loop_dgram_await_room,
	.input_events = loop_dgram_input_events,
};
