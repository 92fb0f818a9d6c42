/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of path.h for IPv6 */
#ifndef _STRUDP_PATH6_H
#define _STRUDP_PATH6_H

#include <net/dst.h>
#include <net/raw.h>
#include <net/rawv6.h>

#include "udp.h"

#if IS_ENABLED(CONFIG_IPV6)

#include <net/addrconf.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/xfrm.h>

static inline bool strudp6_route_is_local(const struct dst_entry *dst)
{
	return dst_rt6_info(dst)->rt6i_flags & RTF_LOCAL;
}

/* Returns whether an IPsec policy may apply to packets that are sent. */
static inline bool strudp6_policies_exist(const struct net *net)
{
#ifdef CONFIG_XFRM
	return READ_ONCE(net->xfrm.policy_count[XFRM_POLICY_OUT]) ||
	       READ_ONCE(net->xfrm.policy_default[XFRM_POLICY_OUT]) !=
		       XFRM_USERPOLICY_ACCEPT;
#else
	return false;
#endif
}

/* Some kernels do not mark routes of IPv6 stale when rules of routing change. */
static inline bool strudp6_path_is_usual(const struct sock *sk)
{
	const struct ipv6_pinfo *np = inet6_sk(sk);

	return !(READ_ONCE(np->ucast_oif) | READ_ONCE(np->sticky_pktinfo.ipi6_ifindex) |
		 np->srcprefs) &&
	       !fib6_has_custom_rules(sock_net(sk)) && !strudp6_policies_exist(sock_net(sk));
}

static inline void strudp6_key_init(struct strudp_key *key, const struct sock *sk)
{
	const struct ipv6_pinfo *np = inet6_sk(sk);

	key->bound.in6 = np->saddr;
	key->tos = READ_ONCE(np->tclass);
}

static inline bool strudp6_key_equal(const struct strudp_key *a, const struct strudp_key *b)
{
	return ipv6_addr_equal(&a->daddr.in6, &b->daddr.in6) &&
	       ipv6_addr_equal(&a->bound.in6, &b->bound.in6) &&
	       a->oif == b->oif && a->connected == b->connected;
}

/*
 * Returns a number that changes when a route is added to the table that is looked up first:
 * one of those may replace a route of the other table, which is not marked stale then.
 */
static inline u32 strudp6_local_state(const struct net *net)
{
	u32 state = 0;

#ifdef CONFIG_IPV6_MULTIPLE_TABLES
	state = READ_ONCE(net->ipv6.fib6_local_tbl->tb6_root.fn_sernum);
	/* The kernel writes it after the route, by __fib6_update_sernum_upto_root(). */
	smp_rmb();
#endif
	return state;
}

/* The kernel keeps the route of a connected sock until its cookie is stale. */
static inline bool strudp6_path_is_fresh(const struct net *net, const struct strudp_path *p)
{
	return (p->key.connected || p->local == strudp6_local_state(net)) &&
	       dst_check(p->dst, p->cookie);
}

/* Returns the hop limit of a packet on a route, as ip6_sk_dst_hoplimit() does. Under RCU. */
static inline u8 strudp6_ttl(const struct sock *sk, const struct dst_entry *dst)
{
	const struct net_device *dev = READ_ONCE(dst->dev);
	const struct inet6_dev *idev;
	int hops = inet6_sk(sk)->hop_limit;

	if (hops >= 0)
		return hops;
	hops = dst_metric_raw(dst, RTAX_HOPLIMIT);
	if (hops)
		return hops;
	idev = __in6_dev_get(dev);
	return idev ? READ_ONCE(idev->cnf.hop_limit) :
		      READ_ONCE(dev_net(dev)->ipv6.devconf_all->hop_limit);
}

/* Returns the hash by which the kernel finds the socks bound to an address and a port. */
static inline u32 strudp6_addr_hash(const struct net *net, const struct in6_addr *addr,
				    u16 port)
{
	return ipv6_portaddr_hash(net, addr, port);
}

static inline struct raw_hashinfo *strudp6_raw(void)
{
	return &raw_v6_hashinfo;
}

#else

/* Never called. */
bool strudp6_route_is_local(const struct dst_entry *dst);
bool strudp6_path_is_usual(const struct sock *sk);
void strudp6_key_init(struct strudp_key *key, const struct sock *sk);
bool strudp6_key_equal(const struct strudp_key *a, const struct strudp_key *b);
bool strudp6_path_is_fresh(const struct net *net, const struct strudp_path *p);
u8 strudp6_ttl(const struct sock *sk, const struct dst_entry *dst);
u32 strudp6_addr_hash(const struct net *net, const struct in6_addr *addr, u16 port);
struct raw_hashinfo *strudp6_raw(void);

#endif

static inline u32 strudp6_addr_fold(const struct in6_addr *addr)
{
	return (__force u32)(addr->s6_addr32[0] ^ addr->s6_addr32[1] ^ addr->s6_addr32[2] ^
			     addr->s6_addr32[3]);
}

/*
 * Looks up the route of a key, with a reference, or an error; and saddr, the source address.
 * Context: any but a hard interrupt.
 */
struct dst_entry *strudp6_lookup(struct sock *sk, const struct strudp_key *key,
				 struct in6_addr *saddr);
/*
 * Makes a path of IPv6 complete whose other fields are set; false: its route may not be kept.
 */
bool strudp6_path_finish(struct sock *sk, struct strudp_path *p);

#endif /* _STRUDP_PATH6_H */
