/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own UDP, of a socket's family */
#ifndef _SOCKET_NATIVE_H
#define _SOCKET_NATIVE_H

#include <linux/if_ether.h>
#include <linux/init.h>
#include <linux/skbuff.h>
#include <net/inet_common.h>
#include <net/sock.h>
#include <net/udp.h>

/* These are read from a socket of IPv6; NULL: there is no IPv6 here. */
extern struct proto *strsock_udp6_native;
extern const struct proto_ops *strsock_udp6_native_ops;

static inline bool strsock_is_inet6(const struct sock *sk)
{
	return IS_ENABLED(CONFIG_IPV6) && sk->sk_family == AF_INET6;
}

static inline struct proto *strsock_native(const struct sock *sk)
{
	return strsock_is_inet6(sk) ? strsock_udp6_native : &udp_prot;
}

static inline const struct proto_ops *strsock_native_ops(const struct sock *sk)
{
	return strsock_is_inet6(sk) ? strsock_udp6_native_ops : &inet_dgram_ops;
}

/* Returns whether a datagram came by IPv6; a sock of AF_INET6 receives those of IPv4 too. */
static inline bool strsock_came_by_inet6(const struct sk_buff *skb)
{
	return IS_ENABLED(CONFIG_IPV6) && skb->protocol == htons(ETH_P_IPV6);
}

/* Returns 0, also without IPv6, or an error. */
int __init strsock_native_init(void);

#endif /* _SOCKET_NATIVE_H */
