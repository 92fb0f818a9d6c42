/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of direct.c for IPv6 */
#ifndef _STRUDP_DIRECT6_H
#define _STRUDP_DIRECT6_H

#include "path6.h"
#include "send6.h"

#if IS_ENABLED(CONFIG_IPV6)

#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/protocol.h>

/* Returns whether IPv6 would drop a datagram, sent on a route and received from lo. */
static inline bool strudp6_is_disabled(const struct net_device *lo, const struct dst_entry *dst)
{
	const struct inet6_dev *in = __in6_dev_get(lo), *out = ip6_dst_idev(dst);

	return !in || !out ||
	       READ_ONCE(in->cnf.disable_ipv6) | READ_ONCE(out->cnf.disable_ipv6);
}

/*
 * Returns the interface by which a datagram to this host arrives. It is that of the address,
 * not the loopback device. The caller is under RCU.
 */
static inline int strudp6_iif(const struct dst_entry *dst)
{
	return ip6_dst_idev(dst)->dev->ifindex;
}

/* Returns whether a receiver is bound to another interface. */
static inline bool strudp6_is_elsewhere(const struct sock *peer, const struct dst_entry *dst)
{
	int bound = READ_ONCE(peer->sk_bound_dev_if);

	return bound && bound != strudp6_iif(dst);
}

/* Returns whether a receiver asks for flow labels, which only IP computes. */
static inline bool strudp6_wants_flow(const struct sock *peer)
{
	return inet6_sk(peer)->rxopt.bits.rxflow;
}

/* Returns whether a receiver asks for the interface and the address of its datagrams. */
static inline bool strudp6_wants_pktinfo(const struct sock *peer)
{
	const struct ipv6_pinfo *np = peer->sk_family == AF_INET6 ? inet6_sk(peer) : NULL;

	return np && (np->rxopt.bits.rxinfo || np->rxopt.bits.rxoinfo);
}

static inline bool strudp6_peer_matches(const struct sock *peer, const struct strudp_path *p)
{
	const struct in6_addr *bound = &peer->sk_v6_rcv_saddr, *far = &peer->sk_v6_daddr;
	__be16 port = READ_ONCE(inet_sk(peer)->inet_dport);

	return peer->sk_family == AF_INET6 &&
	       (ipv6_addr_any(bound) || ipv6_addr_equal(bound, &p->key.daddr.in6)) &&
	       (ipv6_addr_any(far) || ipv6_addr_equal(far, &p->saddr.in6)) &&
	       (!port || port == p->key.sport);
}

/* Returns the sock that the kernel finds for a path. Under RCU. */
static inline struct sock *strudp6_peer(struct net *net, const struct strudp_path *p)
{
	return __udp6_lib_lookup(net, &p->saddr.in6, p->key.sport, &p->key.daddr.in6,
				 p->key.dport, strudp6_iif(p->dst), 0, NULL);
}

/* Writes the header as direct_ip_header() does. Under RCU. */
static inline void strudp6_direct_header(const struct sock *sk, struct ipv6hdr *hdr,
					 const struct strudp_path *p, size_t len)
{
	ip6_flow_hdr(hdr, p->key.tos, 0);
	hdr->payload_len = htons(len + sizeof(struct udphdr));
	hdr->nexthdr = IPPROTO_UDP;
	hdr->hop_limit = strudp6_ttl(sk, p->dst);
	hdr->saddr = p->saddr.in6;
	hdr->daddr = p->key.daddr.in6;
}

/* Sets what IPv6 remembers about a packet that arrives; the rest is 0 in a new buffer. */
static inline void strudp6_control(struct sk_buff *skb, const struct dst_entry *dst)
{
	IP6CB(skb)->iif = strudp6_iif(dst);
	IP6CB(skb)->nhoff = offsetof(struct ipv6hdr, nexthdr);
}

/* Gives a packet to UDP over IPv6. */
static inline void strudp6_deliver(struct sk_buff *skb)
{
	rcu_dereference(inet6_protos[IPPROTO_UDP])->handler(skb);
}

/* Counts a datagram in the counters of IPv6, of the namespace and of both interfaces. */
static inline void strudp6_count(struct net *net, const struct dst_entry *dst,
				 unsigned int len, u8 tclass)
{
	struct inet6_dev *in = __in6_dev_get(net->loopback_dev), *out = ip6_dst_idev(dst);

	count_out_request6(net, out, len);
	count_out6(net, out, len);
	__IP6_UPD_PO_STATS(net, in, IPSTATS_MIB_IN, len);
	__IP6_ADD_STATS(net, in, IPSTATS_MIB_NOECTPKTS + (tclass & INET_ECN_MASK), 1);
	__IP6_INC_STATS(net, out, IPSTATS_MIB_INDELIVERS);
}

#else

/* No receiver is of AF_INET6, and the others are never called. */
static inline bool strudp6_wants_pktinfo(const struct sock *peer)
{
	return false;
}

bool strudp6_is_disabled(const struct net_device *lo, const struct dst_entry *dst);
int strudp6_iif(const struct dst_entry *dst);
bool strudp6_is_elsewhere(const struct sock *peer, const struct dst_entry *dst);
bool strudp6_wants_flow(const struct sock *peer);
bool strudp6_peer_matches(const struct sock *peer, const struct strudp_path *p);
struct sock *strudp6_peer(struct net *net, const struct strudp_path *p);
void strudp6_direct_header(const struct sock *sk, struct ipv6hdr *hdr,
			   const struct strudp_path *p, size_t len);
void strudp6_control(struct sk_buff *skb, const struct dst_entry *dst);
void strudp6_deliver(struct sk_buff *skb);
void strudp6_count(struct net *net, const struct dst_entry *dst, unsigned int len, u8 tclass);

#endif

#endif /* _STRUDP_DIRECT6_H */
