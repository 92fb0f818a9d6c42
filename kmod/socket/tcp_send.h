/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending the short way from one TCP socket to another of this host */
#ifndef _SOCKET_TCP_SEND_H
#define _SOCKET_TCP_SEND_H

#include <linux/types.h>

struct msghdr;
struct strsock_tcp;

/* Puts a message into the peer's ring; returns how many bytes. TCP has to send the rest. */
size_t strsock_tcp_put_ring(struct strsock_tcp *s, struct msghdr *msg, size_t len);

#endif /* _SOCKET_TCP_SEND_H */
