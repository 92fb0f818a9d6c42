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
#include <net/sock.h>
#include <net/udp.h>

#include "path.h"

static void path_free(struct rcu_head *rcu)
{
	struct strudp_path *p = container_of(rcu, struct strudp_path, rcu);

	ip_rt_put(p->rt);
	kfree(p);
}

static void path_replace(struct strudp_cache *cache, struct strudp_path *p)
{
	p = unrcu_pointer(xchg(&cache->path, RCU_INITIALIZER(p)));
	if (p)
		call_rcu(&p->rcu, path_free);
}

/* A local address, reached through the loopback device and nothing else. */
static bool route_is_direct(const struct net *net, const struct rtable *rt)
{
#define OR(name, obstacle)	|| (obstacle)
	return !(0 STRUDP_ROUTE_OBSTACLES(OR));
#undef OR
}

static void path_find_slots(struct net *net, struct strudp_path *p)
{
	struct udp_table *table = net_udp_table(net);
	u16 port = ntohs(p->key.dport);

	if (!route_is_direct(net, p->rt))
		return;
	p->exact = udp_hashslot2(table, ipv4_portaddr_hash(net, p->key.daddr,
							   port));
	p->any = udp_hashslot2(table, ipv4_portaddr_hash(net,
							 htonl(INADDR_ANY),
							 port));
	p->raw = &raw_v4_hashinfo.ht[raw_hashfunc(net, IPPROTO_UDP)];
}

void strudp_path_keep(struct sock *sk, struct strudp_cache *cache,
		      const struct strudp_key *key, __be32 saddr, struct rtable *rt)
{
	struct strudp_path *p;

	/* A sender to many destinations in turn gains nothing by a path. */
	if (READ_ONCE(cache->missed_addr) != key->daddr ||
	    READ_ONCE(cache->missed_port) != key->dport) {
		WRITE_ONCE(cache->missed_addr, key->daddr);
		WRITE_ONCE(cache->missed_port, key->dport);
		return;
	}
	if (!strudp_path_is_usual(sk) || dst_xfrm(&rt->dst))
		return;
	/* The kernel asks for SO_BROADCAST when a route is looked up. */
	if (rt->rt_flags & RTCF_BROADCAST)
		return;
	p = kzalloc(sizeof(*p), GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!p)
		return;
	p->key = *key;
	p->saddr = saddr;
	p->rt = rt;
	dst_hold(&rt->dst);
	path_find_slots(sock_net(sk), p);
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
