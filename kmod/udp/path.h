/* SPDX-License-Identifier: GPL-2.0-only */
/* The path of a sock's datagrams to the peer it sent to last */
#ifndef _STRUDP_PATH_H
#define _STRUDP_PATH_H

#include <linux/rcupdate.h>
#include <linux/uidgid.h>
#include <net/dst.h>
#include <net/inet_sock.h>
#include <net/route.h>

#include "udp.h"

/* The key that a route is looked up by. */
struct strudp_key {
	__be32 daddr;
	__be32 bound;			/* the sender's own address, or any */
	__be16 dport;
	__be16 sport;
	unsigned int tos;
	kuid_t uid;
};

/*
 * Properties of a route that only IP applies, so that a datagram to it may not meet its
 * receiver without IP: X(name, whether the route has it). See also direct.c.
 */
#define STRUDP_ROUTE_OBSTACLES(X)						\
	X(host, rt->rt_type != RTN_LOCAL || rt->dst.dev != net->loopback_dev)	\
	X(tunnel, rt->dst.lwtstate)						\
	X(mtu, rt->rt_pmtu || dst_metric_raw(&rt->dst, RTAX_MTU))		\
	X(realm, strudp_realm(rt))

/* Returns the realm of a route, whose datagrams are counted in /proc/net/rt_acct. */
static inline u32 strudp_realm(const struct rtable *rt)
{
#ifdef CONFIG_IP_ROUTE_CLASSID
	return rt->dst.tclassid;
#else
	return 0;
#endif
}

/* Never changed once made; replaced under RCU. */
struct strudp_path {
	struct strudp_key key;
	__be32 saddr;
	struct rtable *rt;
	/*
	 * To a sock of this host: the slots of the kernel's tables for a sock
	 * bound to that address, and to any. NULL: another host.
	 */
	struct udp_hslot *exact;
	struct udp_hslot *any;
	/*
	 * The slot of raw sockets that want UDP: IP gives each a copy. Other raw
	 * sockets may share it.
	 */
	struct hlist_head *raw;
	struct rcu_head rcu;
};

/*
 * Returns whether the sender has set no option, other than those a path remembers, that
 * routes its datagrams differently from others'.
 */
static inline bool strudp_path_is_usual(const struct sock *sk)
{
#ifdef CONFIG_XFRM
	if ((unsigned long)rcu_access_pointer(sk->sk_policy[0]) |
	    (unsigned long)rcu_access_pointer(sk->sk_policy[1]))
		return false;
#endif
	return !inet_sk_flowi_flags(sk) &&
	       !(READ_ONCE(sk->sk_bound_dev_if) | READ_ONCE(sk->sk_mark) |
		 READ_ONCE(inet_sk(sk)->uc_index));
}

/* Sets a key to the sock's present state; the caller sets daddr and dport. */
static inline void strudp_key_init(struct strudp_key *key, const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);

	key->bound = READ_ONCE(inet->inet_saddr);
	key->sport = READ_ONCE(inet->inet_sport);
	key->tos = ip_sock_rt_tos(sk);
	key->uid = sk->sk_uid;
}

/* Returns the cookie that dst_check() takes for a route of IPv4. */
static inline bool strudp_path_is_fresh(const struct net *net, const struct rtable *rt)
{
	return rt->rt_genid == rt_genid_ipv4(net) &&
	       READ_ONCE(rt->dst.obsolete) == DST_OBSOLETE_FORCE_CHK;
}

static inline bool strudp_key_equal(const struct strudp_key *a, const struct strudp_key *b)
{
	return a->daddr == b->daddr && a->bound == b->bound &&
	       a->dport == b->dport && a->sport == b->sport &&
	       a->tos == b->tos && uid_eq(a->uid, b->uid);
}

/* Finds a path, under RCU; NULL: there is none, or it is stale. */
static inline struct strudp_path *strudp_path_find(struct sock *sk,
						   struct strudp_cache *cache,
						   const struct strudp_key *key)
{
	struct strudp_path *p = rcu_dereference(cache->path);

	if (!p || !strudp_key_equal(&p->key, key) || !strudp_path_is_usual(sk) ||
	    !strudp_path_is_fresh(sock_net(sk), p->rt))
		return NULL;
	return p;
}

/* Returns the TTL of a packet on a route, as ip4_dst_hoplimit() does; the namespace is at hand. */
static inline u8 strudp_ttl(const struct sock *sk, const struct rtable *rt)
{
	int ttl = READ_ONCE(inet_sk(sk)->uc_ttl);

	if (ttl < 0)
		ttl = dst_metric_raw(&rt->dst, RTAX_HOPLIMIT) ?:
		      READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
	return ttl;
}

/* Keeps a route that was looked up; rt stays the caller's. */
void strudp_path_keep(struct sock *sk, struct strudp_cache *cache,
		      const struct strudp_key *key, __be32 saddr, struct rtable *rt);

#endif /* _STRUDP_PATH_H */
