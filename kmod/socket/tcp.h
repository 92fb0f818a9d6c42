/* SPDX-License-Identifier: GPL-2.0-only */
/* STREAMS sockets of SOCK_STREAM: the kernel's TCP, and a short way on this host */
#ifndef _SOCKET_TCP_H
#define _SOCKET_TCP_H

#include <linux/init.h>
#include <linux/types.h>

struct sock;
struct socket;

int __init strsock_tcp_init(void);
void __init strsock_tcp_register(void);
void strsock_tcp_unregister(void);

/* The transport provider whose endpoints are over kernel sockets calls these. */
void strsock_tcp_endpoints(void (*ready)(struct sock *sk));
void strsock_tcp_adopt(struct socket *sock);
size_t strsock_tcp_in_ring(struct socket *sock);
size_t strsock_tcp_next(struct socket *sock, bool *ring);

#endif /* _SOCKET_TCP_H */
