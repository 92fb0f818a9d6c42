// SPDX-License-Identifier: LGPL-2.1-or-later
/* The messages of the loopback transports: a header, an address, data */
#include "sock/spill.h"
#include "frame.h"

int loop_peek_frame(int fd, struct loop_frame *frame)
{
	ssize_t n;

	/*
	 * An error means that the peer has closed with data unread: the reader
	 * continues.
	 */
	do {
		n = recv(fd, frame, sizeof(*frame), MSG_PEEK | MSG_DONTWAIT);
	} while (n < 0 && errno == ECONNRESET);
	if (n < 0)
		return errno == EAGAIN ? LOOP_NOTHING :
		       sock_errno(0) == TBADF ? LOOP_NO_SOCKET : LOOP_THE_END;
	return n == sizeof(*frame) ? (int)frame->what : LOOP_THE_END;
}

void loop_drop_frame(int fd)
{
	char byte;

	recv(fd, &byte, sizeof(byte), MSG_DONTWAIT);
}

ssize_t loop_send_frame(int fd, const struct loop_frame *frame,
			const struct sock_addr *addr, const void *data, size_t len)
{
	struct iovec iov[3] = {
		{ (void *)frame, sizeof(*frame) },
		{ addr ? (void *)addr->bytes : NULL, frame->addr_len },
		{ (void *)data, len },
	};
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 3 };
	ssize_t n = sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);

	return n < 0 ? -1 : (ssize_t)len;
}

/*
 * Returns the length of the frame's address, which has to be known before the
 * frame is read.
 */
static size_t addr_size(int fd, struct loop_frame *frame)
{
	ssize_t n = recv(fd, frame, sizeof(*frame), MSG_PEEK | MSG_DONTWAIT);

	return n == sizeof(*frame) && frame->addr_len <= SOCK_ADDR_MAX ?
	       frame->addr_len : 0;
}

ssize_t loop_take_frame(struct endpoint *ep, int fd, struct loop_frame *frame,
			struct sock_addr *addr, struct tpi_msg *msg, void *data,
		  size_t size, struct msghdr *m)
{
	struct sock_end *s = ep->sock;
	size_t head = sizeof(*frame) + addr_size(fd, frame);
	struct iovec iov[4] = {
		{ frame, sizeof(*frame) },
		{ addr->bytes, head - sizeof(*frame) },
		{ data, size },
		{ NULL, 0 },
	};
	ssize_t n;

	if (size < SPILL_MAX) {
		if (sock_spill_make_room(s))
			return -1;
		iov[3] = (struct iovec){ s->spill, SPILL_MAX };
	}
	m->msg_iov = iov;
	m->msg_iovlen = iov[3].iov_len ? 4 : 3;
	n = recvmsg(fd, m, MSG_DONTWAIT);
	if (n <= 0)
		return n;
	/*
	 * The peer does not use this library: the connection is treated as
	 * ended.
	 */
	if ((size_t)n < head || frame->addr_len != head - sizeof(*frame)) {
		errno = EPROTO;
		return -1;
	}
	addr->len = frame->addr_len;
	sock_spill_note(s, msg, size, n - head);
	return n;
}
