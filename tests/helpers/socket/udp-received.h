/* SPDX-License-Identifier: GPL-2.0-only */
/* udp-received.h - a datagram with its sender's name and its control messages */
#ifndef UDP_RECEIVED_H
#define UDP_RECEIVED_H

#include "udp-same.h"

/* The datagram received last; its data is in buf. */
static struct {
	struct msghdr msg;
	struct iovec iov;
	struct name from;
	char control[1024] __attribute__((aligned(8)));
} r;

static inline ssize_t receive_message(int fd, int flags)
{
	ssize_t n;

	r.iov = (struct iovec){ buf, sizeof(buf) };
	r.from = (struct name){ .len = 0 };
	r.msg = (struct msghdr){
		.msg_name = &r.from, .msg_namelen = sizeof(r.from.in6),
		.msg_iov = &r.iov, .msg_iovlen = 1,
		.msg_control = r.control, .msg_controllen = sizeof(r.control),
	};
	n = recvmsg(fd, &r.msg, flags);
	r.from.len = r.msg.msg_namelen;
	if (n < 0)
		r.msg.msg_controllen = 0;
	return n;
}

#endif /* UDP_RECEIVED_H */
