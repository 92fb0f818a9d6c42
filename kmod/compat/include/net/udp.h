/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_UDP_H
#define _STRSOCK_COMPAT_NET_UDP_H

#include_next <net/udp.h>
#include "strsock_features.h"

/* Returns the table that a namespace's socks of UDP are in. */
static inline struct udp_table *net_udp_table(struct net *net)
{
#ifdef HAVE_NETNS_UDP_TABLE
	return net->ipv4.udp_table;
#else
	return &udp_table;
#endif
}

#ifndef HAVE_UDP_LOOKUP_NO_TABLE
#define __udp4_lib_lookup(net, saddr, sport, daddr, dport, dif, sdif, skb) \
	__udp4_lib_lookup(net, saddr, sport, daddr, dport, dif, sdif,	\
			  net_udp_table(net), skb)
#define __udp6_lib_lookup(net, saddr, sport, daddr, dport, dif, sdif, skb) \
	__udp6_lib_lookup(net, saddr, sport, daddr, dport, dif, sdif,	\
			  net_udp_table(net), skb)
#endif

/*
 * Returns whether the receive buffer has room for a datagram, by the rule of
 * the kernel's UDP.
 */
static inline bool udp_rcvbuf_has_room(const struct sock *sk, unsigned int size)
{
	unsigned int used = atomic_read(&sk->sk_rmem_alloc);

#ifdef HAVE_UDP_PROD_QUEUE
	return !used || used + size <= READ_ONCE(sk->sk_rcvbuf);
#else
	return used <= READ_ONCE(sk->sk_rcvbuf);
#endif
}

/* Some kernels have separate counters for UDP-Lite. */
#ifndef HAVE_UDP_STATS_PLAIN
#undef UDP_INC_STATS
#define UDP_INC_STATS(net, field)					\
	SNMP_INC_STATS((net)->mib.udp_statistics, field)
#undef __UDP_INC_STATS
#define __UDP_INC_STATS(net, field)					\
	__SNMP_INC_STATS((net)->mib.udp_statistics, field)
#undef UDP6_INC_STATS
#define UDP6_INC_STATS(net, field)					\
	SNMP_INC_STATS((net)->mib.udp_stats_in6, field)
#undef __UDP6_INC_STATS
#define __UDP6_INC_STATS(net, field)					\
	__SNMP_INC_STATS((net)->mib.udp_stats_in6, field)
#endif

/**
 * ENCAP_ERR_RCV() - define an encap_err_rcv() of IPv4 or IPv6
 * @name: the function to define, for udp_sock or udp_tunnel_sock_cfg
 * @handler: the function that it calls, with struct sock *sk, struct sk_buff *skb,
 *	int err (positive), __be16 port (the peer's), u32 info (next hop's MTU
 *	or 0) and u8 *payload (of the datagram that caused the error)
 */
#ifdef HAVE_ENCAP_ERR_RCV_PARSED

#define ENCAP_ERR_RCV(name, handler)					\
static void name(struct sock *sk, struct sk_buff *skb, int err,		\
		 __be16 port, u32 info, u8 *payload)			\
{									\
	handler(sk, skb, err, port, info, payload);			\
}

#else

#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/ip.h>
#include <net/icmp.h>

/*
 * Returns the error of an ICMP message as the UDP of the same kernel takes it.
 */
static inline int encap_err_errno(const struct icmphdr *icmp)
{
	switch (icmp->type) {
	case ICMP_PARAMETERPROB:
		return EPROTO;
	case ICMP_DEST_UNREACH:
		if (icmp->code == ICMP_FRAG_NEEDED)
			return EMSGSIZE;
		if (icmp->code <= NR_ICMP_UNREACH)
			return icmp_err_convert[icmp->code].errno;
		return EHOSTUNREACH;
	default:
		return EHOSTUNREACH;
	}
}

static inline u32 encap_err_info(const struct icmphdr *icmp)
{
	if (icmp->type == ICMP_DEST_UNREACH && icmp->code == ICMP_FRAG_NEEDED)
		return ntohs(icmp->un.frag.mtu);
	if (icmp->type == ICMP_PARAMETERPROB)
		return ntohl(icmp->un.gateway) >> 24;
	return 0;
}

/* Returns the error for an ICMPv6 message. */
static inline int encap_err_errno6(const struct icmp6hdr *icmp)
{
	int err = EPROTO;

#if IS_ENABLED(CONFIG_IPV6)
	icmpv6_err_convert(icmp->icmp6_type, icmp->icmp6_code, &err);
#endif
	return err;
}

static inline u32 encap_err_info6(const struct icmp6hdr *icmp)
{
	return ntohl(icmp->icmp6_mtu);
}

#define ENCAP_ERR_RCV(name, handler)					\
static void name(struct sock *sk, struct sk_buff *skb,			\
		 unsigned int udp_offset)				\
{									\
	struct udphdr *uh = (struct udphdr *)(skb->data + udp_offset);	\
									\
	if (((struct iphdr *)skb->data)->version == 4)			\
		handler(sk, skb, encap_err_errno(icmp_hdr(skb)),	\
			uh->dest, encap_err_info(icmp_hdr(skb)),	\
			(u8 *)(uh + 1));				\
	else								\
		handler(sk, skb, encap_err_errno6(icmp6_hdr(skb)),	\
			uh->dest, encap_err_info6(icmp6_hdr(skb)),	\
			(u8 *)(uh + 1));				\
}

#endif /* HAVE_ENCAP_ERR_RCV_PARSED */

#endif
