/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own TCP over IPv4 and IPv6, and the calls of STREAMS sockets in its place */
#ifndef _SOCKET_TCP_NATIVE_H
#define _SOCKET_TCP_NATIVE_H

#include <linux/init.h>
#include <linux/net.h>
#include <net/inet_common.h>
#include <net/sock.h>
#include <net/tcp.h>

/* The kernel's own TCP over IPv6; NULL: there is no IPv6 here. */
extern struct proto *strsock_tcp6_prot;
extern const struct proto_ops *strsock_tcp6_native;
/* The calls of STREAMS sockets, of AF_INET and of AF_INET6. */
extern struct proto_ops strsock_tcp_ops, strsock_tcp6_ops;
/* Each sock has this callback until a module of the kernel replaces it. */
extern void (*strsock_tcp_data_ready)(struct sock *sk);

/* The callback of a transport provider's endpoints; NULL: no provider is loaded. */
extern void (*strsock_tcp_endpoint_ready)(struct sock *sk);

/* Returns the kernel's own protocol of a sock. */
static inline struct proto *strsock_tcp_prot(const struct sock *sk)
{
	return sk->sk_family == AF_INET6 ? strsock_tcp6_prot : &tcp_prot;
}

/* Returns the kernel's own calls of a sock's socket. */
static inline const struct proto_ops *strsock_tcp_native(const struct sock *sk)
{
	return sk->sk_family == AF_INET6 ? strsock_tcp6_native : &inet_stream_ops;
}

int __init strsock_tcp_native_init(void);

#endif /* _SOCKET_TCP_NATIVE_H */
