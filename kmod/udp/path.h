/* SPDX-License-Identifier: GPL-2.0-only */
/* The path of a sock's datagrams to the peer it sent to last */
#ifndef _STRUDP_PATH_H
#define _STRUDP_PATH_H

#include <linux/rcupdate.h>
#include <net/dst.h>
#include <net/inet_sock.h>
#include <net/route.h>

#include "path6.h"
#include "udp.h"

/*
 * Functions with an argument family, AF_INET or AF_INET6, have it as a constant: the compiler
 * keeps one branch of them. Those of IPv6 are in path6.h.
 */
static inline const struct rtable *strudp_rt(const struct dst_entry *dst)
{
	return container_of(dst, const struct rtable, dst);
}

/* Returns the realm of a route, whose datagrams are counted in /proc/net/rt_acct. */
static inline u32 strudp_realm(const struct dst_entry *dst)
{
#ifdef CONFIG_IP_ROUTE_CLASSID
	return dst->tclassid;
#else
	return 0;
#endif
}

#ifdef CONFIG_XFRM
#define STRUDP_SOCK_POLICIES(sk)						\
	((unsigned long)rcu_access_pointer((sk)->sk_policy[0]) |		\
	 (unsigned long)rcu_access_pointer((sk)->sk_policy[1]))
#else
#define STRUDP_SOCK_POLICIES(sk)	0
#endif

/* Returns whether a route is to this host, and through the loopback device. */
static inline bool strudp_route_is_local(const struct dst_entry *dst, int family)
{
	return family == AF_INET6 ? strudp6_route_is_local(dst) :
				    strudp_rt(dst)->rt_type == RTN_LOCAL;
}

/* Returns whether a route has an MTU of its own. */
static inline bool strudp_route_has_mtu(const struct dst_entry *dst, int family)
{
	return dst_metric_raw(dst, RTAX_MTU) ||
	       (family == AF_INET && strudp_rt(dst)->rt_pmtu);
}

/*
 * Properties of a route that only IP applies, so that a datagram to it may not meet its
 * receiver without IP: X(name, whether the route has it). See also direct.c.
 */
#define STRUDP_ROUTE_OBSTACLES(X)						\
	X(host, !strudp_route_is_local(dst, family) ||				\
		READ_ONCE(dst->dev) != net->loopback_dev)			\
	X(tunnel, dst->lwtstate)						\
	X(mtu, strudp_route_has_mtu(dst, family))				\
	X(realm, family == AF_INET && strudp_realm(dst))

/*
 * Returns whether the sender has set no option, other than those a path remembers, that
 * routes its datagrams differently from others'.
 */
static __always_inline bool strudp_path_is_usual(const struct sock *sk, int family)
{
	if (STRUDP_SOCK_POLICIES(sk) || inet_sk_flowi_flags(sk) || READ_ONCE(sk->sk_mark))
		return false;
	if (family == AF_INET6)
		return strudp6_path_is_usual(sk);
	return !(READ_ONCE(sk->sk_bound_dev_if) | READ_ONCE(inet_sk(sk)->uc_index));
}

/* Sets a key to the sock's present state; the caller sets daddr, dport, and connected and oif. */
static __always_inline void strudp_key_init(struct strudp_key *key, const struct sock *sk,
					    int family)
{
	const struct inet_sock *inet = inet_sk(sk);

	key->sport = READ_ONCE(inet->inet_sport);
	key->uid = sk->sk_uid;
	key->family = family;
	if (family == AF_INET6) {
		strudp6_key_init(key, sk);
		return;
	}
	key->bound.in = READ_ONCE(inet->inet_saddr);
	key->tos = ip_sock_rt_tos(sk);
}

/* Returns whether a path is not stale: dst_check(), inline for IPv4. */
static __always_inline bool strudp_path_is_fresh(const struct net *net,
						 const struct strudp_path *p, int family)
{
	if (family == AF_INET6)
		return strudp6_path_is_fresh(net, p);
	return strudp_rt(p->dst)->rt_genid == rt_genid_ipv4(net) &&
	       READ_ONCE(p->dst->obsolete) == DST_OBSOLETE_FORCE_CHK;
}

static __always_inline bool strudp_key_equal(const struct strudp_key *a,
					     const struct strudp_key *b, int family)
{
	if (family == AF_INET6 ? !strudp6_key_equal(a, b) :
				 a->daddr.in != b->daddr.in || a->bound.in != b->bound.in)
		return false;
	return a->family == family && a->dport == b->dport && a->sport == b->sport &&
	       a->tos == b->tos && uid_eq(a->uid, b->uid);
}

/* Finds a path, under RCU; NULL: there is none, or it is stale. */
static __always_inline struct strudp_path *strudp_path_find(struct sock *sk,
							    struct strudp_cache *cache,
							    const struct strudp_key *key,
							    int family)
{
	struct strudp_path *p = rcu_dereference(cache->path);

	if (!p || !strudp_key_equal(&p->key, key, family) ||
	    !strudp_path_is_usual(sk, family) ||
	    !strudp_path_is_fresh(sock_net(sk), p, family))
		return NULL;
	return p;
}

/*
 * Returns the TTL of a packet on a route, as ip4_dst_hoplimit() does, or its hop limit; the
 * namespace is at hand. Under RCU.
 */
static __always_inline u8 strudp_ttl(const struct sock *sk, const struct dst_entry *dst,
				     int family)
{
	int ttl;

	if (family == AF_INET6)
		return strudp6_ttl(sk, dst);
	ttl = READ_ONCE(inet_sk(sk)->uc_ttl);
	if (ttl < 0)
		ttl = dst_metric_raw(dst, RTAX_HOPLIMIT) ?:
		      READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
	return ttl;
}

/* Returns whether the route to a destination is to be kept. */
bool strudp_path_is_wanted(struct strudp_cache *cache, const struct strudp_key *key);
/* Keeps a route that was looked up; dst stays the caller's. */
void strudp_path_keep(struct sock *sk, struct strudp_cache *cache,
		      const struct strudp_key *key, const union strudp_addr *saddr,
		      struct dst_entry *dst);

#endif /* _STRUDP_PATH_H */
