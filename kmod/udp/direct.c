// SPDX-License-Identifier: GPL-2.0-only
/*
 * Datagrams between two socks of this host that meet without IP
 *
 * On its way through IP and the loopback device a datagram to the same host
 * nearly always meets no hook (netfilter, taps, traffic control, BPF, IPsec).
 * For each datagram this is verified, and the kernel's UDP is given it
 * directly, as IP would give it, with the receiver that its own tables would
 * find. All counters are updated as if it had passed through IP. In doubt, it
 * does pass through IP.
 */
#include <linux/bottom_half.h>
#include <linux/bpf-cgroup.h>
#include <linux/filter.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/percpu.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/protocol.h>
#include <net/rps.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/udp.h>

#include "streams/head/stat.h"
#include "streams/trace.h"
#include "direct.h"
#include "direct6.h"
#include "hook.h"
#include "rcv.h"
#include "skb.h"
#include "way.h"

/*
 * A receiver's hook may send in its turn. Only the first one is delivered
 * directly; the others go through IP, which does not nest. Used with bottom
 * halves off.
 */
static DEFINE_PER_CPU(bool, delivering);

static __always_inline bool bpf_selects_sockets(void)
{
#ifdef CONFIG_BPF_SYSCALL
	return static_branch_unlikely(&bpf_sk_lookup_enabled);
#else
	return false;
#endif
}

/*
 * Obstacles are all objects and settings that would act on a datagram, see it or delay it
 * if it passed IP. A datagram meets its receiver without IP only if there is no obstacle:
 * X(name, whether it is there). Each name has a test in
 * tests/helpers/socket/udp-obstacles.c, which reads the names from the module.
 *
 * These are the obstacles of the way: its namespace net and loopback device lo, the sender
 * sk, and the path p of len bytes with headers, by IPv4 or IPv6; way.h has those that TCP has
 * too, and STRUDP_ROUTE_OBSTACLES names the reasons for which p->exact is NULL.
 */
#define WAY_OBSTACLES(X)							\
	/* Datagrams of several packets are fragmented and reassembled by IP. */ \
	X(size, len > READ_ONCE(lo->mtu) ||					\
		(family == AF_INET6 && len > strudp6_dev_mtu(lo)))		\
	X(disabled, family == AF_INET6 && strudp6_is_disabled(lo, p->dst))	\
	X(raw, !hlist_empty(p->raw))						\
	X(bpf_lookup, bpf_selects_sockets())					\
	X(bpf_cgroup, way_has_programs(sk, CGROUP_INET_EGRESS))			\
	STR_WAY_OBSTACLES(X, path_was_seen(p))

/*
 * Returns whether a datagram of the path was seen to arrive in the last second. So packet
 * filters see some of each flow as long as it lasts: their state of it does not expire, and
 * a rule that is added later ends it.
 */
static __always_inline bool path_was_seen(const struct strudp_path *p)
{
	return READ_ONCE(p->receiver) && jiffies - READ_ONCE(p->seen) < HZ;
}

/* Returns whether a receiver asks for the interface and the address of datagrams of IPv4. */
static __always_inline bool peer_wants_pktinfo(const struct sock *peer)
{
	return inet_cmsg_flags(inet_sk(peer)) & IP_CMSG_PKTINFO || strudp6_wants_pktinfo(peer);
}

/* Returns the interface by which a datagram to this host arrives. */
static __always_inline int strudp_iif(const struct dst_entry *dst, int family)
{
	return family == AF_INET6 ? strudp6_iif(dst) : LOOPBACK_IFINDEX;
}

/*
 * The obstacles of the receiver, peer, for the route dst: values that are nearly always 0.
 * Some differ for a receiver of AF_INET6, which may have a datagram of either family.
 */
#define PEER_OBSTACLES(X)							\
	X(peer_ipsec, STRUDP_SOCK_POLICIES(peer))				\
	/* Tunnels of other modules may require more than UDP does. */		\
	X(peer_tunnel, READ_ONCE(udp_sk(peer)->encap_type) &&			\
		       !strudp_hooked(peer))					\
	X(peer_interface, family == AF_INET6 ? strudp6_is_elsewhere(peer, dst) :	\
					       READ_ONCE(peer->sk_bound_dev_if)) \
	X(peer_time, READ_ONCE(peer->sk_tsflags) |				\
		     (READ_ONCE(peer->sk_flags) & STAMP_FLAGS))			\
	X(peer_group, BITS(peer->sk_reuseport_cb))				\
	X(peer_filter, BITS(peer->sk_filter))					\
	X(peer_bpf, way_has_programs(peer, CGROUP_INET_INGRESS))			\
	X(peer_pktinfo, family == AF_INET && peer_wants_pktinfo(peer))		\
	X(peer_flow, family == AF_INET6 && strudp6_wants_flow(peer))		\
	/* Rules let datagrams through that arrived elsewhere. */		\
	X(peer_netfilter, unlikely(READ_ONCE(p->receiver)) && p->receiver != peer &&	\
			  way_has_hooks(sock_net(peer), family))

#define ALL_OBSTACLES(X)	STRUDP_ROUTE_OBSTACLES(X) WAY_OBSTACLES(X) PEER_OBSTACLES(X)

enum {
	OBSTACLE_NONE,
#define NUMBER(name, obstacle)	OBSTACLE_##name,
	ALL_OBSTACLES(NUMBER)
	OBSTACLES
};

static const char * const obstacle_names[] = {
	"none",
#define NAME(name, obstacle)	#name,
	ALL_OBSTACLES(NAME)
};

/* Counts how often each obstacle was the first one found. */
static DEFINE_PER_CPU(unsigned long[OBSTACLES], obstacles_met);

static int obstacles_get(char *buffer, const struct kernel_param *kp)
{
	/* The first name is that of no obstacle. */
	return way_obstacles_print(buffer, obstacle_names + 1, OBSTACLES - 1,
				   obstacles_met + 1);
}

static const struct kernel_param_ops obstacles_ops = {
	.get = obstacles_get,
};

module_param_cb(obstacles, &obstacles_ops, NULL, 0400);
MODULE_PARM_DESC(obstacles, "obstacles that sent datagrams of this host through IP, and how often");

const char *strudp_obstacle_name(const struct strudp_cache *cache)
{
	return obstacle_names[READ_ONCE(cache->obstacle)];
}
EXPORT_SYMBOL_GPL(strudp_obstacle_name);

#define FIND(name, obstacle)	(obstacle) ? OBSTACLE_##name :

static __always_inline int way_obstacle(const struct sock *sk, const struct strudp_path *p,
					size_t len, int family)
{
	const struct net *net = sock_net(sk);
	struct net_device *lo = net->loopback_dev;
	const struct dst_entry *dst = p->dst;

	if (!p->exact)
		return STRUDP_ROUTE_OBSTACLES(FIND) OBSTACLE_NONE;
	return WAY_OBSTACLES(FIND) OBSTACLE_NONE;
}

static __always_inline int peer_obstacle(const struct sock *peer,
					 const struct strudp_path *p, int family)
{
	const struct dst_entry *dst = p->dst;

	return PEER_OBSTACLES(FIND) OBSTACLE_NONE;
}

static __always_inline int find_obstacle(const struct sock *sk, const struct strudp_path *p,
					 size_t len, const struct sock *peer, int family)
{
	int found = way_obstacle(sk, p, len, family);

	if (!found && peer)
		found = peer_obstacle(peer, p, family);
	return found;
}

/* Traces which way a datagram is sent; OBSTACLES: it has no receiver here. */
static noinline void trace_datagram(const struct sock *sk, size_t len, int obstacle)
{
	trace_streams_way(STR_KIND_UDP, ntohs(READ_ONCE(inet_sk(sk)->inet_sport)), len,
			  obstacle == OBSTACLES ? "no_receiver" : obstacle_names[obstacle]);
}

/* Notes the obstacle; it may be gone by now, or there is no receiver. */
static noinline struct sock *direct_refuse(const struct sock *sk, struct strudp_cache *cache,
					   const struct strudp_path *p, size_t len,
					   const struct sock *peer)
{
	int found = strudp_key_is_inet6(&p->key) ?
		    find_obstacle(sk, p, len, peer, AF_INET6) :
		    find_obstacle(sk, p, len, peer, AF_INET);

	if (found)
		this_cpu_inc(obstacles_met[found]);
	WRITE_ONCE(cache->obstacle, found);
	len -= sizeof(struct udphdr);
	len -= strudp_key_is_inet6(&p->key) ? STRUDP_IP_HEADER(AF_INET6) :
					      STRUDP_IP_HEADER(AF_INET);
	trace_datagram(sk, len, found ?: OBSTACLES);
	return NULL;
}

#define OR(name, obstacle)	|| (obstacle)
#define OR_BITS(name, obstacle)	| (unsigned long)(obstacle)

static __always_inline bool way_is_free(const struct sock *sk, const struct strudp_path *p,
					size_t len, int family)
{
	const struct net *net = sock_net(sk);
	struct net_device *lo = net->loopback_dev;

	return !(!p->exact WAY_OBSTACLES(OR));
}

static __always_inline bool peer_is_plain(const struct sock *peer,
					  const struct strudp_path *p, int family)
{
	const struct dst_entry *dst = p->dst;

	return !(0 PEER_OBSTACLES(OR_BITS));
}

static __always_inline bool peer_matches4(const struct sock *peer, const struct strudp_path *p)
{
	const struct inet_sock *inet = inet_sk(peer);
	__be32 bound = READ_ONCE(inet->inet_rcv_saddr);
	__be32 far = READ_ONCE(inet->inet_daddr);

	return (!bound || bound == p->key.daddr.in) &&
	       (!far || (far == p->saddr.in &&
			 READ_ONCE(inet->inet_dport) == p->key.sport)) &&
	       !ipv6_only_sock(peer);
}

/* Returns whether a sock is the intended receiver: others may share its slot. */
static __always_inline bool peer_matches(const struct sock *peer, const struct net *net,
					 const struct strudp_path *p, int family)
{
	return net_eq(sock_net(peer), net) &&
	       udp_sk(peer)->udp_port_hash == ntohs(p->key.dport) &&
	       (family == AF_INET6 ? strudp6_peer_matches(peer, p) : peer_matches4(peer, p));
}

/*
 * The sock that the kernel would find for the path. Nearly always there is one
 * sock alone where it looks first.
 */
static __always_inline struct sock *path_sock(struct net *net, const struct strudp_path *p,
					      int family)
{
	struct udp_hslot *slot = p->exact;
	struct hlist_node *node;
	struct sock *peer;

	if (!READ_ONCE(slot->count))
		slot = p->any;
	node = rcu_dereference(hlist_first_rcu(&slot->head));
	if (node && READ_ONCE(slot->count) == 1) {
		peer = (struct sock *)hlist_entry(node, struct udp_sock,
						  udp_portaddr_node);
		if (peer_matches(peer, net, p, family))
			return peer;
	}
	if (family == AF_INET6)
		return strudp6_peer(net, p);
	return __udp4_lib_lookup(net, p->saddr.in, p->key.sport, p->key.daddr.in,
				 p->key.dport, LOOPBACK_IFINDEX, 0, NULL);
}

/* The receiver of a datagram of len bytes of data, if it can have it directly. */
static __always_inline struct sock *direct_peer(const struct sock *sk,
						struct strudp_cache *cache,
						const struct strudp_path *p, size_t len,
						int family)
{
	struct sock *peer;

	len += sizeof(struct udphdr) + STRUDP_IP_HEADER(family);
	if (unlikely(!way_is_free(sk, p, len, family)))
		return direct_refuse(sk, cache, p, len, NULL);
	peer = path_sock(sock_net(sk), p, family);
	if (unlikely(!peer || !peer_is_plain(peer, p, family)))
		return direct_refuse(sk, cache, p, len, peer);
	return peer;
}

static __always_inline bool sender_is_well(const struct sock *sk)
{
	return !READ_ONCE(sk->sk_err) &&
	       !(READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN);
}

/*
 * Returns whether the next datagram through IP is to show where it arrives: it may be that
 * rules of netfilter are all that is in the way.
 */
static bool direct_may_follow(const struct sock *sk, const struct strudp_cache *cache)
{
	return (cache->obstacle == OBSTACLE_netfilter ||
		cache->obstacle == OBSTACLE_peer_netfilter) &&
	       strudp_shortcut(sock_net(sk)) == STRUDP_ESTABLISHED;
}

bool strudp_direct_try(struct sock *sk, struct strudp_cache *cache,
		       const struct strudp_path *p)
{
	if (strudp_key_is_inet6(&p->key) ? !direct_peer(sk, cache, p, 0, AF_INET6) :
					   !direct_peer(sk, cache, p, 0, AF_INET))
		return direct_may_follow(sk, cache);
	WRITE_ONCE(cache->obstacle, OBSTACLE_NONE);
	WRITE_ONCE(cache->direct, true);
	return false;
}

/* Returns whether a buffer is a sent one's, with nothing about it changed. */
static bool skb_is_same(const struct sk_buff *skb, const struct sk_buff *sent)
{
#ifdef CONFIG_NETWORK_SECMARK
	if (skb->secmark != sent->secmark)
		return false;
#endif
	return skb->head == sent->head && skb_tail_pointer(skb) == skb_tail_pointer(sent) &&
	       skb->mark == sent->mark && skb->priority == sent->priority;
}

void strudp_direct_look(struct sock *sk, struct strudp_cache *cache, struct strudp_path *p,
			const struct sk_buff *sent)
{
	struct net *net = sock_net(sk);
	struct sk_buff *last;
	struct sock *peer;
	bool arrived;

	/* The path may be another than the one that was looked at. */
	if (!p->exact)
		return;
	peer = strudp_key_is_inet6(&p->key) ? path_sock(net, p, AF_INET6) :
					      path_sock(net, p, AF_INET);
	if (!peer)
		return;
	spin_lock_bh(&peer->sk_receive_queue.lock);
	last = skb_peek_tail(&peer->sk_receive_queue);
	arrived = last && skb_is_same(last, sent);
	spin_unlock_bh(&peer->sk_receive_queue.lock);
	if (!arrived)
		return;
	WRITE_ONCE(p->receiver, peer);
	WRITE_ONCE(p->seen, jiffies);
	/* The next datagram looks whether there is another obstacle. */
	cache->indirect = 0;
}

/* The header it would have arrived with, as far as a receiver can ask. */
static __always_inline void direct_ip_header(const struct sock *sk, struct strudp_head *head,
					     const struct strudp_path *p, size_t len,
					     int family)
{
	if (family == AF_INET6) {
		strudp6_direct_header(sk, &head->in6, p, len);
		return;
	}
	head->in = (struct iphdr){
		.version = 4,
		.ihl = sizeof(head->in) / 4,
		.tos = READ_ONCE(inet_sk(sk)->tos),
		.tot_len = htons(len + sizeof(struct udphdr) + sizeof(head->in)),
		.ttl = strudp_ttl(sk, p->dst, AF_INET),
		.protocol = IPPROTO_UDP,
		.saddr = p->saddr.in,
		.daddr = p->key.daddr.in,
	};
}

static __always_inline void direct_headers(const struct sock *sk, struct sk_buff *skb,
					   const struct strudp_path *p, int family)
{
	struct net_device *lo = sock_net(sk)->loopback_dev;
	struct udphdr *uh;

	direct_ip_header(sk, (void *)(skb->data - sizeof(*uh) - STRUDP_IP_HEADER(family)), p,
			 skb->len, family);
	uh = __skb_push(skb, sizeof(*uh));
	skb_reset_transport_header(skb);
	skb_set_network_header(skb, -(int)STRUDP_IP_HEADER(family));
	uh->source = p->key.sport;
	uh->dest = p->key.dport;
	uh->len = htons(skb->len);
	/* UDP over IPv6 takes no datagram without a checksum, and does not look at this one. */
	uh->check = family == AF_INET6 ? CSUM_MANGLED_0 : 0;
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	skb->protocol = family == AF_INET6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	skb->priority = READ_ONCE(sk->sk_priority);
	skb->dev = lo;
	skb->skb_iif = lo->ifindex;
	if (family == AF_INET6)
		strudp6_control(skb, p->dst);
	else
		IPCB(skb)->iif = lo->ifindex;
}

/* These return the bytes of a datagram with its headers, and its traffic class. */
static __always_inline unsigned int head_len(const struct strudp_head *head, int family)
{
	return family == AF_INET6 ? ntohs(head->in6.payload_len) + sizeof(head->in6) :
				    ntohs(head->in.tot_len);
}

static __always_inline u8 head_tos(const struct strudp_head *head, int family)
{
	return family == AF_INET6 ? ipv6_get_dsfield(&head->in6) : head->in.tos;
}

/* Counts a datagram in the counters of all layers on the way through IP. */
static __always_inline void direct_count(const struct sock *sk, const struct strudp_path *p,
					 unsigned int len, u8 tos, int family)
{
	struct net *net = sock_net(sk);
	struct net_device *lo = net->loopback_dev;

	__SNMP_INC_STATS(strudp_mib(sk, family == AF_INET6), UDP_MIB_OUTDATAGRAMS);
	if (family == AF_INET6) {
		strudp6_count(net, p->dst, len, tos);
	} else {
		count_out_request(net);
		__IP_UPD_PO_STATS(net, IPSTATS_MIB_OUT, len);
		__IP_UPD_PO_STATS(net, IPSTATS_MIB_IN, len);
		__IP_ADD_STATS(net, IPSTATS_MIB_NOECTPKTS + (tos & INET_ECN_MASK), 1);
		__IP_INC_STATS(net, IPSTATS_MIB_INDELIVERS);
	}
	dev_lstats_add(lo, len);
	str_count(STR_KIND_UDP, STR_DIRECT, 1);
}

/*
 * With bottom halves off, so that datagrams sent through IP from here have
 * arrived: order is kept.
 */
static __always_inline bool direct_enter(void)
{
	const struct softnet_data *sd = this_cpu_ptr(&softnet_data);

	if (__this_cpu_read(delivering) ||
	    READ_ONCE(sd->input_pkt_queue.qlen) |
	    READ_ONCE(sd->process_queue.qlen))
		return false;
	__this_cpu_write(delivering, true);
	return true;
}

static __always_inline void direct_leave(void)
{
	__this_cpu_write(delivering, false);
}

/*
 * On its way through IP each datagram makes room in the send buffer when it is
 * freed: an edge for pollers, before the receiver has it.
 */
static __always_inline void direct_wake_pollers(struct sock *sk)
{
	struct socket_wq *wq = rcu_dereference(sk->sk_wq);

	/* No barrier: here it took no room, so no task waits for any. */
	if (unlikely(wq && waitqueue_active(&wq->wait)))
		sk->sk_write_space(sk);
}

/* Gives the datagram to UDP as IP does when it has found the receiver early. */
static __always_inline bool direct_deliver(struct sock *sk, struct sock *peer,
					   struct sk_buff *skb, const struct strudp_path *p,
					   int family)
{
	const struct strudp_head *head;
	unsigned int len;
	bool entered;
	u8 tos;

	direct_headers(sk, skb, p, family);
	head = (const void *)skb_network_header(skb);
	len = head_len(head, family);
	tos = head_tos(head, family);
	local_bh_disable();
	entered = direct_enter();
	if (entered) {
		direct_wake_pollers(sk);
		skb_dst_set_noref(skb, p->dst);
		/*
		 * The buffer needs no reference to the sock: its place in the table is under
		 * RCU.
		 */
		skb->sk = peer;
		skb->destructor = sock_pfree;
		if (family == AF_INET6)
			strudp6_deliver(skb);
		else
			rcu_dereference(inet_protos[IPPROTO_UDP])->handler(skb);
		direct_leave();
		direct_count(sk, p, len, tos, family);
	}
	local_bh_enable();
	return entered;
}

/* The datagram passes through IP, and so do the next ones unless it shows where they arrive. */
static void direct_failed(const struct sock *sk, struct strudp_cache *cache)
{
	WRITE_ONCE(cache->direct, false);
	cache->indirect = !direct_may_follow(sk, cache);
}

/* Returns whether a sock is that of a stream of the UDP provider. */
static __always_inline bool peer_is_stream(const struct sock *sk)
{
	return READ_ONCE(udp_sk(sk)->encap_rcv) == strudp_rcv_hook;
}

static __always_inline bool direct_message(struct sock *sk, struct strudp_cache *cache,
					   const struct strudp_key *key, mblk_t *mp,
					   size_t len, int family)
{
	struct strudp_head head __uninitialized;
	struct strudp_path *p;
	struct sock *peer;
	bool taken = false;

	if (!sender_is_well(sk))
		return false;
	rcu_read_lock();
	p = strudp_path_find(sk, cache, key, family);
	peer = p ? direct_peer(sk, cache, p, len, family) : NULL;
	if (peer && peer_is_stream(peer) && strudp_end_may_meet(peer, mp)) {
		direct_ip_header(sk, &head, p, len, family);
		head.iif = strudp_iif(p->dst, family);
		head.sport = key->sport;
		local_bh_disable();
		taken = direct_enter();
		if (taken) {
			direct_wake_pollers(sk);
			strudp_end_meet(peer, &head, mp, family);
			direct_leave();
			/*
			 * The hook has subtracted the count that its caller
			 * adds.
			 */
			__SNMP_INC_STATS(strudp_mib(sk, family == AF_INET6), UDP_MIB_INDATAGRAMS);
			direct_count(sk, p, head_len(&head, family), head_tos(&head, family),
				     family);
		}
		local_bh_enable();
	}
	rcu_read_unlock();
	if (unlikely(trace_streams_way_enabled()) && taken)
		trace_datagram(sk, len, OBSTACLE_NONE);
	return taken;
}

static __always_inline bool direct_send(struct sock *sk, struct strudp_cache *cache,
					const struct strudp_key *key, struct msghdr *msg,
					size_t len, int family)
{
	struct net *net = sock_net(sk);
	struct strudp_dev dev;
	struct strudp_path *p;
	struct sk_buff *skb;
	struct sock *peer;
	bool done = false;

	if (!sender_is_well(sk))
		return false;
	strudp_dev_init(&dev, net->loopback_dev, family);
	skb = strudp_skb_make(sk, &dev, msg, len, false);
	if (IS_ERR(skb))
		goto revert;
	rcu_read_lock();
	p = strudp_path_find(sk, cache, key, family);
	peer = p ? direct_peer(sk, cache, p, len, family) : NULL;
	if (peer)
		done = direct_deliver(sk, peer, skb, p, family);
	rcu_read_unlock();
	if (done) {
		if (unlikely(trace_streams_way_enabled()))
			trace_datagram(sk, len, OBSTACLE_NONE);
		return true;
	}
	kfree_skb(skb);
	direct_failed(sk, cache);
revert:
	iov_iter_revert(&msg->msg_iter, len - msg_data_left(msg));
	return false;
}

bool strudp_direct(struct sock *sk, struct strudp_cache *cache,
		   const struct strudp_key *key, struct msghdr *msg, size_t len)
{
	return direct_send(sk, cache, key, msg, len, AF_INET);
}

bool strudp_direct_message(struct sock *sk, struct strudp_cache *cache,
			   const struct strudp_key *key, mblk_t *mp, size_t len)
{
	return direct_message(sk, cache, key, mp, len, AF_INET);
}

#if IS_ENABLED(CONFIG_IPV6)
bool strudp_direct6(struct sock *sk, struct strudp_cache *cache,
		    const struct strudp_key *key, struct msghdr *msg, size_t len)
{
	return direct_send(sk, cache, key, msg, len, AF_INET6);
}

bool strudp_direct_message6(struct sock *sk, struct strudp_cache *cache,
			    const struct strudp_key *key, mblk_t *mp, size_t len)
{
	return direct_message(sk, cache, key, mp, len, AF_INET6);
}
#endif
