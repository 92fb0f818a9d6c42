/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream of a TCP socket: its lifetime */
#ifndef _SOCKET_TCP_HEAD_LIFE_H
#define _SOCKET_TCP_HEAD_LIFE_H

#include "tcp_head.h"

/* The calls of sockets that have a stream, of AF_INET and of AF_INET6. */
extern struct proto_ops strsock_tcp_head_ops, strsock_tcp6_head_ops;

struct strsock_tcp_head *strsock_tcp_head_get(struct socket *sock);
int strsock_tcp_head_inherit(struct strsock_tcp_head *h, struct socket *sock);
void strsock_tcp_head_close(struct socket *sock);

#endif /* _SOCKET_TCP_HEAD_LIFE_H */
