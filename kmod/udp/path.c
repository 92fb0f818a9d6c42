// SPDX-License-Identifier: GPL-2.0-only
/*
 * The path of a sock's datagrams to the peer it sent to last
 *
 * Looking up a route is an eighth of the cost of a datagram to this host. The
 * last route is kept with all that it depends on. The kernel marks it stale
 * when addresses, routes, rules or policies change, the way it does for the
 * route of a connected socket.
 */
#include <linux/slab.h>
#include <net/dst.h>
#include <net/ip.h>
#include <net/raw.h>
#include <net/rawv6.h>
#include <net/sock.h>
#include <net/udp.h>

#include "path.h"

/*
 * The route is released at once: its memory stays for a grace period, and a route of IPv6
 * must be released while its namespace exists.
 */
static void path_replace(struct strudp_cache *cache, struct strudp_path *p)
{
	p = unrcu_pointer(xchg(&cache->path, RCU_INITIALIZER(p)));
	if (p) {
		dst_release(p->dst);
		kfree_rcu(p, rcu);
	}
}

/* A local address, reached through the loopback device and nothing else. */
static __always_inline bool route_is_direct(const struct net *net,
					    const struct dst_entry *dst, int family)
{
#define OR(name, obstacle)	|| (obstacle)
	return !(0 STRUDP_ROUTE_OBSTACLES(OR));
#undef OR
}

static __always_inline void path_find_slots(struct net *net, struct strudp_path *p, int family)
{
	struct raw_hashinfo *raw = family == AF_INET6 ? strudp6_raw() : &raw_v4_hashinfo;
	struct udp_table *table = net_udp_table(net);
	u16 port = ntohs(p->key.dport);

	if (!route_is_direct(net, p->dst, family))
		return;
	p->exact = udp_hashslot2(table, family == AF_INET6 ?
				 strudp6_addr_hash(net, &p->key.daddr.in6, port) :
				 ipv4_portaddr_hash(net, p->key.daddr.in, port));
	/* Socks of both families have the same slot. */
	p->any = udp_hashslot2(table, ipv4_portaddr_hash(net, htonl(INADDR_ANY), port));
	p->raw = &raw->ht[raw_hashfunc(net, IPPROTO_UDP)];
}

/* A sender to many destinations in turn gains nothing by a path. */
bool strudp_path_is_wanted(struct strudp_cache *cache, const struct strudp_key *key)
{
	u32 addr = strudp_key_is_inet6(key) ? strudp6_addr_fold(&key->daddr.in6) :
					     (__force u32)key->daddr.in;

	if (READ_ONCE(cache->missed_addr) == addr &&
	    READ_ONCE(cache->missed_port) == key->dport)
		return true;
	WRITE_ONCE(cache->missed_addr, addr);
	WRITE_ONCE(cache->missed_port, key->dport);
	return false;
}

static struct strudp_path *path_make(struct sock *sk, const struct strudp_key *key,
				     const union strudp_addr *saddr, struct dst_entry *dst)
{
	struct strudp_path *p = kzalloc(sizeof(*p), GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);

	if (!p)
		return NULL;
	p->key = *key;
	p->saddr = *saddr;
	p->dst = dst;
	if (strudp_key_is_inet6(key))
		path_find_slots(sock_net(sk), p, AF_INET6);
	else
		path_find_slots(sock_net(sk), p, AF_INET);
	return p;
}

void strudp_path_keep(struct sock *sk, struct strudp_cache *cache,
		      const struct strudp_key *key, const union strudp_addr *saddr,
		      struct dst_entry *dst)
{
	struct strudp_path *p;

	if (dst_xfrm(dst))
		return;
	/* The kernel asks for SO_BROADCAST when a route is looked up. */
	if (!strudp_key_is_inet6(key) && strudp_rt(dst)->rt_flags & RTCF_BROADCAST)
		return;
	p = path_make(sk, key, saddr, dst);
	if (!p)
		return;
	if (strudp_key_is_inet6(key) && !strudp6_path_finish(sk, p)) {
		kfree(p);
		return;
	}
	dst_hold(dst);
	path_replace(cache, p);
}

/**
 * strudp_cache_drop() - free a sock's cache
 * @cache: its cache, without users
 */
void strudp_cache_drop(struct strudp_cache *cache)
{
	path_replace(cache, NULL);
}
EXPORT_SYMBOL_GPL(strudp_cache_drop);
