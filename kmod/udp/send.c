// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending a datagram through IP
 *
 * The common datagram (unicast, no options, one packet) is built here, in one
 * buffer, its data copied and checksummed at once. Everything else, and
 * everything that is an error, is the kernel's own udp_sendmsg() on the same
 * sock, so that the result is the same as there. For a receiver of this host,
 * strudp_sendmsg() first tries direct.c.
 */
#include <linux/bpf-cgroup.h>
#include <linux/in.h>
#include <linux/security.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/checksum.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/route.h>
#include <net/sock.h>

#include "direct.h"
#include "path.h"
#include "send.h"
#include "send6.h"
#include "skb.h"
#include "udp.h"

#define SEND_FLAGS	(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_BATCH | \
			 MSG_CMSG_COMPAT)
/* The destination and source of a datagram, its route, and the MTU and device of that. */
struct send_path {
	struct strudp_key key;
	struct dst_entry *dst;
	union strudp_addr saddr;
	__be32 daddr;			/* IPv4: as the route has it */
	u32 hash;			/* IPv6: for the flow label; 0: not computed yet */
	unsigned int mtu;
	bool look;			/* where the datagram arrives */
	struct strudp_dev dev;
};

/* The fields are tested together: nearly always none is set. */
static __always_inline bool sock_is_plain(struct sock *sk, int family)
{
	const struct inet_sock *inet = inet_sk(sk);

	return !(READ_ONCE(udp_sk(sk)->pending) | udp_test_bit(CORK, sk) |
		 READ_ONCE(udp_sk(sk)->gso_size) | READ_ONCE(sk->sk_tsflags) |
		 (unsigned long)rcu_access_pointer(inet->inet_opt) |
		 sock_flag(sk, SOCK_LOCALROUTE)) &&
	       (family == AF_INET || strudp6_sock_is_plain(sk));
}

static __always_inline bool addr_is_plain(__be32 addr)
{
	return !ipv4_is_multicast(addr) && !ipv4_is_lbcast(addr);
}

/*
 * Stores the destination of a datagram that can be built here. No check here returns
 * an error: udp_sendmsg() reports the errors of other destinations.
 */
static __always_inline bool send_dest4(const struct sock *sk, const struct msghdr *msg,
				       struct strudp_key *key)
{
	const struct sockaddr_in *sin = msg->msg_name;
	const struct inet_sock *inet = inet_sk(sk);

	if (!sin) {
		if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
			return false;
		key->daddr.in = READ_ONCE(inet->inet_daddr);
		key->dport = READ_ONCE(inet->inet_dport);
	} else {
		if (msg->msg_namelen < sizeof(*sin) ||
		    sin->sin_family != AF_INET ||
		    cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG))
			return false;
		key->daddr.in = sin->sin_addr.s_addr;
		key->dport = sin->sin_port;
	}
	return key->dport && addr_is_plain(key->daddr.in);
}

static __always_inline bool send_dest(const struct sock *sk, const struct msghdr *msg,
				      struct strudp_key *key, int family)
{
	if (family == AF_INET6 ? !strudp6_dest(sk, msg, key) : !send_dest4(sk, msg, key))
		return false;
	strudp_key_init(key, sk, family);
	/* The kernel keeps the routes of unusual socks of IPv6. */
	return family == AF_INET || strudp_path_is_usual(sk, family);
}

static struct dst_entry *send_lookup(struct sock *sk, struct send_path *path)
{
	const struct strudp_key *key = &path->key;
	struct inet_sock *inet = inet_sk(sk);
	struct net *net = sock_net(sk);
	struct rtable *rt;
	struct flowi4 fl4;
	int oif = READ_ONCE(sk->sk_bound_dev_if);

	if (!oif)
		oif = READ_ONCE(inet->uc_index);
	flowi4_init_output(&fl4, oif, READ_ONCE(sk->sk_mark), key->tos,
			   RT_SCOPE_UNIVERSE, IPPROTO_UDP,
			   inet_sk_flowi_flags(sk), key->daddr.in, key->bound.in,
			   key->dport, key->sport, key->uid);
	security_sk_classify_flow(sk, flowi4_to_flowi_common(&fl4));
	rt = ip_route_output_flow(net, &fl4, sk);
	if (IS_ERR(rt)) {
		if (PTR_ERR(rt) == -ENETUNREACH)
			IP_INC_STATS(net, IPSTATS_MIB_OUTNOROUTES);
		return ERR_CAST(rt);
	}
	if ((rt->rt_flags & RTCF_BROADCAST) && !sock_flag(sk, SOCK_BROADCAST)) {
		ip_rt_put(rt);
		return ERR_PTR(-EACCES);
	}
	path->daddr = fl4.daddr;
	path->saddr.in = fl4.saddr;
	return &rt->dst;
}

/* dst_mtu() inline for the common route, which has no MTU, lock or tunnel of its own */
static __always_inline unsigned int route_mtu(const struct dst_entry *dst,
					      const struct net_device *dev, int family)
{
	if (unlikely(strudp_route_has_mtu(dst, family) ||
		     (family == AF_INET && ip_mtu_locked(dst)) ||
		     dst->lwtstate || dst->flags & DST_XFRM_QUEUE))
		return dst_mtu(dst);
	return family == AF_INET6 ? strudp6_dev_mtu(dev) :
		min_t(unsigned int, READ_ONCE(dev->mtu), IP_MAX_MTU);
}

/*
 * Looks at the route's device. Under RCU: when the device is removed, the route gets
 * another, and the device is freed.
 */
static __always_inline void send_look(const struct sock *sk, struct send_path *path,
				      const struct dst_entry *dst, int family)
{
	const struct net_device *dev = READ_ONCE(dst->dev);

	path->mtu = (family == AF_INET6 ? strudp6_uses_pmtu(sk) : ip_sk_use_pmtu(sk)) ?
		route_mtu(dst, dev, family) : READ_ONCE(dev->mtu);
	strudp_dev_init(&path->dev, dev, family);
	/* The device must not compute a checksum either, where checksums are off. */
	path->dev.sums |= family == AF_INET && sk->sk_no_check_tx;
}

/*
 * Returns the route that was kept, with a reference; NULL: the caller looks it up. A kept
 * route was looked up by its key. The socket's own route was looked up for the destination
 * of the last connect(), which may differ from the datagram's by now; it serves sockets
 * whose routes are not kept, as in the kernel's UDP.
 */
static __always_inline struct dst_entry *send_kept(struct sock *sk,
						   struct strudp_cache *cache,
						   struct send_path *path, bool connected,
						   int family)
{
	struct dst_entry *dst = NULL;
	struct strudp_path *p;

	path->daddr = path->key.daddr.in;
	path->saddr = path->key.bound;
	path->look = false;
	rcu_read_lock();
	p = strudp_path_find(sk, cache, &path->key, family);
	if (likely(p)) {
		if ((family == AF_INET || strudp6_route_works(p->dst)) &&
		    dst_hold_safe(p->dst))
			dst = p->dst;
		path->saddr = p->saddr;
		path->hash = p->hash;
		path->look = strudp_direct_retry(sk, cache, p);
	} else if (family == AF_INET && connected && !strudp_path_is_usual(sk, family)) {
		dst = sk_dst_check(sk, 0);
	}
	if (dst)
		send_look(sk, path, dst, family);
	rcu_read_unlock();
	return dst;
}

/* A route that is looked up, and kept; 0 or an error. Not inline: it is seldom needed. */
static noinline int send_find(struct sock *sk, struct strudp_cache *cache,
			      struct send_path *path, bool connected)
{
	struct dst_entry *dst = send_lookup(sk, path);

	if (IS_ERR(dst))
		return PTR_ERR(dst);
	rcu_read_lock();
	send_look(sk, path, dst, AF_INET);
	rcu_read_unlock();
	if (path->daddr == path->key.daddr.in && strudp_path_is_wanted(cache, &path->key) &&
	    strudp_path_is_usual(sk, AF_INET))
		strudp_path_keep(sk, cache, &path->key, &path->saddr, dst);
	if (connected)
		sk_dst_set(sk, dst_clone(dst));
	path->dst = dst;
	return 0;
}

/*
 * Does the same for IPv6. 1: the kernel is to send the datagram, and keeps the route of a
 * connected sock for its own use too.
 */
static noinline int send_find6(struct sock *sk, struct strudp_cache *cache,
			       struct send_path *path, bool connected)
{
	bool wanted = strudp_path_is_wanted(cache, &path->key);
	struct dst_entry *dst;

	if (connected && !wanted)
		return 1;
	dst = strudp6_lookup(sk, &path->key, &path->saddr.in6);
	if (IS_ERR(dst))
		return connected ? 1 : PTR_ERR(dst);
	if (wanted)
		strudp_path_keep(sk, cache, &path->key, &path->saddr, dst);
	if (connected) {
		dst_release(dst);
		return 1;
	}
	rcu_read_lock();
	send_look(sk, path, dst, AF_INET6);
	rcu_read_unlock();
	path->hash = 0;
	path->dst = dst;
	return 0;
}

/*
 * Fills in path->dst, which the caller has to put, and the addresses. 0; 1: the kernel is to
 * send the datagram; or an error.
 */
static __always_inline int send_route(struct sock *sk, struct strudp_cache *cache,
				      struct send_path *path, bool connected, int family)
{
	path->dst = send_kept(sk, cache, path, connected, family);
	if (likely(path->dst))
		return 0;
	return family == AF_INET6 ? send_find6(sk, cache, path, connected) :
				    send_find(sk, cache, path, connected);
}

/* Returns whether a datagram is one packet, and nothing on its way needs room of its own. */
static __always_inline bool route_is_plain(const struct send_path *path, size_t len,
					   int family)
{
	const struct dst_entry *dst = path->dst;

	if (len + sizeof(struct udphdr) + STRUDP_IP_HEADER(family) > path->mtu ||
	    dst->header_len || dst->trailer_len || dst_xfrm(dst))
		return false;
	return family == AF_INET6 ? path->mtu >= IPV6_MIN_MTU :
		path->mtu >= IPV4_MIN_MTU && strudp_rt(dst)->rt_type != RTN_MULTICAST;
}

/* Returns the sum of the pseudo header and of csum, as it is in the header. */
static __always_inline __sum16 send_sum(const struct send_path *path, unsigned int len,
					__wsum csum, int family)
{
	return family == AF_INET6 ?
		csum_ipv6_magic(&path->saddr.in6, &path->key.daddr.in6, len, IPPROTO_UDP, csum) :
		csum_tcpudp_magic(path->saddr.in, path->daddr, len, IPPROTO_UDP, csum);
}

static __always_inline void send_udp_header(struct sock *sk, struct sk_buff *skb,
					    const struct send_path *path, int family)
{
	struct udphdr *uh = __skb_push(skb, sizeof(*uh));

	skb_reset_transport_header(skb);
	uh->source = path->key.sport;
	uh->dest = path->key.dport;
	uh->len = htons(skb->len);
	uh->check = 0;
	if (family == AF_INET && sk->sk_no_check_tx) {
		skb->ip_summed = CHECKSUM_NONE;
	} else if (skb->ip_summed == CHECKSUM_PARTIAL) {
		/*
		 * The kernel's udp4_hwcsum() does this for a buffer without a list of
		 * fragments.
		 */
		skb->csum_start = skb_transport_header(skb) - skb->head;
		skb->csum_offset = offsetof(struct udphdr, check);
		uh->check = ~send_sum(path, skb->len, 0, family);
	} else {
		skb->csum = csum_partial(uh, sizeof(*uh), skb->csum);
		uh->check = send_sum(path, skb->len, skb->csum, family);
		if (!uh->check)
			uh->check = CSUM_MANGLED_0;
	}
}

static __always_inline void send_ip_header(struct sock *sk, struct sk_buff *skb,
					   const struct send_path *path)
{
	const struct inet_sock *inet = inet_sk(sk);
	struct iphdr *iph;

	iph = __skb_push(skb, sizeof(*iph));
	skb_reset_network_header(skb);
	iph->version = 4;
	iph->ihl = sizeof(*iph) / 4;
	iph->tos = READ_ONCE(inet->tos);
	iph->frag_off = 0;
	/*
	 * route_is_plain() has found it to be no longer than the MTU. If the path's has
	 * become less since, IP fragments it, or refuses it if that is not allowed.
	 */
	if (READ_ONCE(inet->pmtudisc) == IP_PMTUDISC_PROBE ||
	    ip_dont_fragment(sk, path->dst))
		iph->frag_off = htons(IP_DF);
	iph->ttl = strudp_ttl(sk, path->dst, AF_INET);
	iph->protocol = IPPROTO_UDP;
	iph->saddr = path->saddr.in;
	iph->daddr = path->daddr;
	skb->ignore_df = ip_sk_ignore_df(sk);
	ip_select_ident(sock_net(sk), skb, sk);
}

/* No other task runs on this processor meanwhile, where IP does not sleep for its locks. */
static void send_stay(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
}

static void send_go_on(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
}

static __always_inline int send_out(struct sock *sk, struct sk_buff *skb, int family)
{
	struct net *net = sock_net(sk);

	return family == AF_INET6 ? strudp6_out(net, sk, skb) : ip_local_out(net, sk, skb);
}

/*
 * Sends as send_out() does, and looks where the datagram arrives: within the call, unless something
 * delays it. The receiver, should it run on this processor, may not take it before the look.
 */
static noinline int send_out_look(struct sock *sk, struct strudp_cache *cache,
				  struct sk_buff *skb, const struct send_path *path, int family)
{
	struct sk_buff *sent = skb_clone(skb, GFP_ATOMIC | __GFP_NOWARN);
	struct strudp_path *p;
	int err;

	rcu_read_lock();
	p = strudp_path_find(sk, cache, &path->key, family);
	/* The path may be another by now. */
	if (p && p->dst != path->dst)
		p = NULL;
	send_stay();
	err = send_out(sk, skb, family);
	if (p && sent)
		strudp_direct_look(sk, cache, p, sent);
	send_go_on();
	rcu_read_unlock();
	consume_skb(sent);
	return err;
}

/* Passes the packet, and the reference to its route, to IP. */
static __always_inline int strudp_send_out(struct sock *sk, struct strudp_cache *cache,
					   struct sk_buff *skb, const struct send_path *path,
					   int family)
{
	struct net *net = sock_net(sk);
	int err;

	skb->priority = READ_ONCE(sk->sk_priority);
	skb->mark = READ_ONCE(sk->sk_mark);
	skb_dst_set(skb, path->dst);
	err = unlikely(path->look) ? send_out_look(sk, cache, skb, path, family) :
				     send_out(sk, skb, family);
	if (family == AF_INET && err > 0)
		err = net_xmit_errno(err);
	if (!err) {
		SNMP_INC_STATS(strudp_mib(sk, family == AF_INET6), UDP_MIB_OUTDATAGRAMS);
		return 0;
	}
	if (family == AF_INET)
		IP_INC_STATS(net, IPSTATS_MIB_OUTDISCARDS);
	if (err == -ENOBUFS &&
	    !(family == AF_INET6 ? strudp6_wants_errors(sk) : inet_test_bit(RECVERR, sk))) {
		SNMP_INC_STATS(strudp_mib(sk, family == AF_INET6), UDP_MIB_SNDBUFERRORS);
		err = 0;
	}
	return err;
}

/* Counts failures; returns the value for sendmsg(). */
static __always_inline int send_result(struct sock *sk, int err, size_t len, int family)
{
	struct socket *sock = sk->sk_socket;

	if (!err)
		return len;
	if (err == -ENOBUFS || (sock && test_bit(SOCK_NOSPACE, &sock->flags)))
		SNMP_INC_STATS(strudp_mib(sk, family == AF_INET6), UDP_MIB_SNDBUFERRORS);
	return err;
}

/**
 * strudp_send_message() - send a datagram to another stream of this host
 * @sk: a UDP sock of IPv4, bound to a port
 * @cache: its cache of destinations
 * @sin: where it is to go
 * @mp: the T_UNITDATA_REQ with the data
 * @len: bytes of data
 *
 * Context: any but a hard interrupt.
 * Return: true when the message was consumed; false when it is still the
 * caller's, to be sent by strudp_sendmsg().
 */
bool strudp_send_message(struct sock *sk, struct strudp_cache *cache,
			 const struct sockaddr_in *sin, mblk_t *mp, size_t len)
{
	struct strudp_key key __uninitialized;

	if (!READ_ONCE(cache->direct) || !sock_is_plain(sk, AF_INET) ||
	    cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG))
		return false;
	key.daddr.in = sin->sin_addr.s_addr;
	key.dport = sin->sin_port;
	strudp_key_init(&key, sk, AF_INET);
	return strudp_direct_message(sk, cache, &key, mp, len);
}

/* Has the kernel send a datagram. */
static __always_inline int send_native(struct sock *sk, struct msghdr *msg, size_t len,
				       int family)
{
	/* The function for IPv6 is that of the protocol which a sock of AF_INET6 has. */
	return family == AF_INET6 ? READ_ONCE(sk->sk_prot)->sendmsg(sk, msg, len) :
				    udp_sendmsg(sk, msg, len);
}

/* Builds the packet and passes it to IP; consumes the reference to its route. */
static __always_inline int send_packet(struct sock *sk, struct strudp_cache *cache,
				       struct msghdr *msg, size_t len, struct send_path *path,
				       int family)
{
	struct sk_buff *skb = strudp_skb_make(sk, &path->dev, msg, len, true);

	if (IS_ERR(skb)) {
		if (family == AF_INET6)
			strudp6_count_discard(sk, path->dst);
		else
			IP_INC_STATS(sock_net(sk), IPSTATS_MIB_OUTDISCARDS);
		dst_release(path->dst);
		return PTR_ERR(skb);
	}
	send_udp_header(sk, skb, path, family);
	if (family == AF_INET6)
		strudp6_header(sk, skb, &path->key, &path->saddr.in6, path->dst, path->hash);
	else
		send_ip_header(sk, skb, path);
	return strudp_send_out(sk, cache, skb, path, family);
}

static __always_inline int send_datagram(struct sock *sk, struct strudp_cache *cache,
					 struct msghdr *msg, size_t len, int family)
{
	size_t most = family == AF_INET6 ? UDP6_MAX_PAYLOAD : UDP_MAX_PAYLOAD;
	bool connected = !msg->msg_name;
	/* All fields are set that are read; clearing them costs as much as a look-up. */
	struct send_path path __uninitialized;
	int err;

	if ((msg->msg_flags & ~SEND_FLAGS) || msg->msg_controllen ||
	    len > most || !sock_is_plain(sk, family) ||
	    !send_dest(sk, msg, &path.key, family))
		return send_native(sk, msg, len, family);
	if (READ_ONCE(cache->direct)) {
		if (family == AF_INET6 ? strudp_direct6(sk, cache, &path.key, msg, len) :
					 strudp_direct(sk, cache, &path.key, msg, len))
			return len;
		/* The sock may have been connected again while the data was copied. */
		connected = false;
	}
	err = send_route(sk, cache, &path, connected, family);
	if (err > 0)
		return send_native(sk, msg, len, family);
	if (err)
		return send_result(sk, err, len, family);
	if (!route_is_plain(&path, len, family)) {
		dst_release(path.dst);
		return send_native(sk, msg, len, family);
	}
	err = send_packet(sk, cache, msg, len, &path, family);
	return send_result(sk, err, len, family);
}

/**
 * strudp_sendmsg() - send a datagram
 * @sk: a UDP sock of IPv4, bound to a port
 * @cache: its cache of destinations
 * @msg: as for sendmsg(2), with the data in user or kernel memory
 * @len: bytes of data
 *
 * Context: as udp_sendmsg() of the kernel; does not sleep when MSG_DONTWAIT is
 * set, the data and sk->sk_allocation allow it and there are no control
 * messages that make it.
 * Return: @len or a negative error, as sendmsg(2).
 * Source: RFC 768, RFC 1122 section 4.1; POSIX.1-2017 sendmsg().
 */
int strudp_sendmsg(struct sock *sk, struct strudp_cache *cache,
		   struct msghdr *msg, size_t len)
{
	return send_datagram(sk, cache, msg, len, AF_INET);
}
EXPORT_SYMBOL_GPL(strudp_sendmsg);

#if IS_ENABLED(CONFIG_IPV6)
/**
 * strudp_sendmsg6() - send a datagram by IPv6
 * @sk: a UDP sock of AF_INET6, bound to a port
 * @cache: its cache of destinations
 * @msg: as for sendmsg(2), to an address that IPv6 does not reach by IPv4
 * @len: bytes of data
 *
 * Context and return: as strudp_sendmsg().
 * Source: RFC 768, RFC 8200; RFC 3493 section 3.
 */
int strudp_sendmsg6(struct sock *sk, struct strudp_cache *cache,
		    struct msghdr *msg, size_t len)
{
	return send_datagram(sk, cache, msg, len, AF_INET6);
}
EXPORT_SYMBOL_GPL(strudp_sendmsg6);

/* Does for a destination of IPv6 what strudp_send_message() does. */
bool strudp_send_message6(struct sock *sk, struct strudp_cache *cache,
			  const struct sockaddr_in6 *sin6, mblk_t *mp, size_t len)
{
	struct msghdr msg = {
		.msg_name = (void *)sin6,
		.msg_namelen = sizeof(*sin6),
	};
	struct strudp_key key __uninitialized;

	return READ_ONCE(cache->direct) && sock_is_plain(sk, AF_INET6) &&
	       send_dest(sk, &msg, &key, AF_INET6) &&
	       strudp_direct_message6(sk, cache, &key, mp, len);
}
#endif
