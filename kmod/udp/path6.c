// SPDX-License-Identifier: GPL-2.0-only
/* Looking up the routes of IPv6, and which of them are kept */
#include <linux/security.h>
#include <net/flow.h>
#include <net/flow_dissector.h>

#include "path6.h"

static void flow_init(struct flowi6 *fl6, struct sock *sk, const struct strudp_key *key)
{
	*fl6 = (struct flowi6){
		.flowi6_oif = key->oif,
		.flowi6_mark = READ_ONCE(sk->sk_mark),
		.flowi6_proto = IPPROTO_UDP,
		.flowi6_uid = key->uid,
		.daddr = key->daddr.in6,
		.saddr = key->bound.in6,
		.flowlabel = ip6_make_flowinfo(key->tos, 0),
		.fl6_dport = key->dport,
		.fl6_sport = key->sport,
	};
	security_sk_classify_flow(sk, flowi6_to_flowi_common(fl6));
}

static struct dst_entry *flow_lookup(struct sock *sk, struct flowi6 *fl6)
{
	return ip6_dst_lookup_flow(sock_net(sk), sk, fl6, NULL);
}

struct dst_entry *strudp6_lookup(struct sock *sk, const struct strudp_key *key,
				 struct in6_addr *saddr)
{
	struct dst_entry *dst;
	struct flowi6 fl6;

	flow_init(&fl6, sk, key);
	dst = flow_lookup(sk, &fl6);
	*saddr = fl6.saddr;
	return dst;
}

/*
 * The kernel chooses for each datagram of a sock that is not connected: among routers that
 * are reachable, among routes of equal cost, and among the host's addresses by preferences.
 * A choice is not marked stale when another would be made.
 */
static bool route_is_choice(const struct strudp_path *p)
{
	const struct rt6_info *rt = dst_rt6_info(p->dst);
	const struct fib6_info *from;
	bool choice;

	if (p->key.connected)
		return false;
	if (rt->rt6i_flags & RTF_GATEWAY ||
	    (ipv6_addr_any(&p->key.bound.in6) &&
	     !ipv6_addr_equal(&p->saddr.in6, &p->key.daddr.in6)))
		return true;
	rcu_read_lock();
	from = rcu_dereference(rt->from);
	choice = !from || from->nh || from->fib6_nsiblings;
	rcu_read_unlock();
	return choice;
}

bool strudp6_path_finish(struct sock *sk, struct strudp_path *p)
{
	struct dst_entry *again;
	struct flow_keys keys;
	struct flowi6 fl6;

	if (route_is_choice(p))
		return false;
	p->local = strudp6_local_state(sock_net(sk));
	p->cookie = rt6_get_cookie(dst_rt6_info(p->dst));
	/*
	 * The route may have been replaced before its cookie was read: it is kept if it is
	 * found again.
	 */
	flow_init(&fl6, sk, &p->key);
	again = flow_lookup(sk, &fl6);
	if (IS_ERR(again))
		return false;
	dst_release(again);
	fl6.saddr = p->saddr.in6;
	p->hash = __get_hash_from_flowi6(&fl6, &keys);
	return again == p->dst;
}
