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
#include "skb.h"
#include "udp.h"

#define SEND_FLAGS	(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_BATCH | \
			 MSG_CMSG_COMPAT)
/* The destination and source of a datagram, its route, and the MTU and device of that. */
struct send_path {
	struct strudp_key key;
	struct rtable *rt;
	__be32 daddr;
	__be32 saddr;
	unsigned int mtu;
	struct strudp_dev dev;
};

/* The fields are tested together: nearly always none is set. */
static __always_inline bool sock_is_plain(const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);

	return !(READ_ONCE(udp_sk(sk)->pending) | udp_test_bit(CORK, sk) |
		 READ_ONCE(udp_sk(sk)->gso_size) | READ_ONCE(sk->sk_tsflags) |
		 (unsigned long)rcu_access_pointer(inet->inet_opt) |
		 sock_flag(sk, SOCK_LOCALROUTE));
}

static bool addr_is_plain(__be32 addr)
{
	return !ipv4_is_multicast(addr) && !ipv4_is_lbcast(addr);
}

/*
 * The destination of a datagram that can be built here. No check here returns
 * an error: udp_sendmsg() reports the errors of other destinations.
 */
static bool strudp_send_dest(const struct sock *sk, const struct msghdr *msg,
			     struct send_path *path)
{
	const struct sockaddr_in *sin = msg->msg_name;
	const struct inet_sock *inet = inet_sk(sk);

	if (!sin) {
		if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
			return false;
		path->key.daddr = READ_ONCE(inet->inet_daddr);
		path->key.dport = READ_ONCE(inet->inet_dport);
	} else {
		if (msg->msg_namelen < sizeof(*sin) ||
		    sin->sin_family != AF_INET ||
		    cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG))
			return false;
		path->key.daddr = sin->sin_addr.s_addr;
		path->key.dport = sin->sin_port;
	}
	strudp_key_init(&path->key, sk);
	return path->key.dport && addr_is_plain(path->key.daddr);
}

static struct rtable *send_lookup(struct sock *sk, struct send_path *path)
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
			   inet_sk_flowi_flags(sk), key->daddr, key->bound,
			   key->dport, key->sport, key->uid);
	security_sk_classify_flow(sk, flowi4_to_flowi_common(&fl4));
	rt = ip_route_output_flow(net, &fl4, sk);
	if (IS_ERR(rt)) {
		if (PTR_ERR(rt) == -ENETUNREACH)
			IP_INC_STATS(net, IPSTATS_MIB_OUTNOROUTES);
		return rt;
	}
	if ((rt->rt_flags & RTCF_BROADCAST) && !sock_flag(sk, SOCK_BROADCAST)) {
		ip_rt_put(rt);
		return ERR_PTR(-EACCES);
	}
	path->daddr = fl4.daddr;
	path->saddr = fl4.saddr;
	return rt;
}

/* dst_mtu() inline for the common route, which has no MTU, lock or tunnel of its own */
static unsigned int route_mtu(const struct rtable *rt, const struct net_device *dev)
{
	const struct dst_entry *dst = &rt->dst;

	if (unlikely(rt->rt_pmtu || dst_metric_raw(dst, RTAX_MTU) || ip_mtu_locked(dst) ||
		     dst->lwtstate || dst->flags & DST_XFRM_QUEUE))
		return dst_mtu(dst);
	return min_t(unsigned int, READ_ONCE(dev->mtu), IP_MAX_MTU);
}

/*
 * Looks at the route's device. Under RCU: when the device is removed, the route gets
 * another, and the device is freed.
 */
static void send_look(const struct sock *sk, struct send_path *path, const struct rtable *rt)
{
	const struct net_device *dev = READ_ONCE(rt->dst.dev);

	path->mtu = ip_sk_use_pmtu(sk) ? route_mtu(rt, dev) : READ_ONCE(dev->mtu);
	strudp_dev_init(&path->dev, dev);
}

/*
 * Returns the route that was kept, with a reference; NULL: the caller looks it up. A kept
 * route was looked up by its key. The socket's own route was looked up for the destination
 * of the last connect(), which may differ from the datagram's by now; it serves sockets
 * whose routes are not kept, as in the kernel's UDP.
 */
static __always_inline struct rtable *send_kept(struct sock *sk,
						struct strudp_cache *cache,
						struct send_path *path, bool connected)
{
	struct rtable *rt = NULL;
	struct strudp_path *p;

	path->daddr = path->key.daddr;
	path->saddr = path->key.bound;
	rcu_read_lock();
	p = strudp_path_find(sk, cache, &path->key);
	if (likely(p)) {
		if (dst_hold_safe(&p->rt->dst))
			rt = p->rt;
		path->saddr = p->saddr;
		strudp_direct_retry(sk, cache, p);
	} else if (connected && !strudp_path_is_usual(sk)) {
		rt = (struct rtable *)sk_dst_check(sk, 0);
	}
	if (rt)
		send_look(sk, path, rt);
	rcu_read_unlock();
	return rt;
}

/* A route that is looked up, and kept; 0 or an error. Not inline: it is seldom needed. */
static noinline int send_find(struct sock *sk, struct strudp_cache *cache,
			      struct send_path *path, bool connected)
{
	struct rtable *rt = send_lookup(sk, path);

	if (IS_ERR(rt))
		return PTR_ERR(rt);
	rcu_read_lock();
	send_look(sk, path, rt);
	rcu_read_unlock();
	if (path->daddr == path->key.daddr)
		strudp_path_keep(sk, cache, &path->key, path->saddr, rt);
	if (connected)
		sk_dst_set(sk, dst_clone(&rt->dst));
	path->rt = rt;
	return 0;
}

/* Fills in path->rt, which the caller has to put, and the addresses. */
static __always_inline int send_route(struct sock *sk, struct strudp_cache *cache,
				      struct send_path *path, bool connected)
{
	path->rt = send_kept(sk, cache, path, connected);
	return likely(path->rt) ? 0 : send_find(sk, cache, path, connected);
}

/* Returns whether a datagram is one packet, and nothing on its way needs room of its own. */
static bool route_is_plain(const struct send_path *path, size_t len)
{
	const struct rtable *rt = path->rt;

	return len + sizeof(struct udphdr) + sizeof(struct iphdr) <= path->mtu &&
	       path->mtu >= IPV4_MIN_MTU && !rt->dst.header_len &&
	       !rt->dst.trailer_len && !dst_xfrm(&rt->dst) &&
	       rt->rt_type != RTN_MULTICAST;
}

static void send_udp_header(struct sock *sk, struct sk_buff *skb,
			    const struct send_path *path)
{
	struct udphdr *uh = __skb_push(skb, sizeof(*uh));

	skb_reset_transport_header(skb);
	uh->source = path->key.sport;
	uh->dest = path->key.dport;
	uh->len = htons(skb->len);
	uh->check = 0;
	if (sk->sk_no_check_tx) {
		skb->ip_summed = CHECKSUM_NONE;
	} else if (skb->ip_summed == CHECKSUM_PARTIAL) {
		/*
		 * The kernel's udp4_hwcsum() does this for a buffer without a list of
		 * fragments.
		 */
		skb->csum_start = skb_transport_header(skb) - skb->head;
		skb->csum_offset = offsetof(struct udphdr, check);
		uh->check = ~csum_tcpudp_magic(path->saddr, path->daddr, skb->len,
					       IPPROTO_UDP, 0);
	} else {
		skb->csum = csum_partial(uh, sizeof(*uh), skb->csum);
		uh->check = udp_v4_check(skb->len, path->saddr, path->daddr,
					 skb->csum);
		if (!uh->check)
			uh->check = CSUM_MANGLED_0;
	}
}

static void send_ip_header(struct sock *sk, struct sk_buff *skb,
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
	    ip_dont_fragment(sk, &path->rt->dst))
		iph->frag_off = htons(IP_DF);
	iph->ttl = strudp_ttl(sk, path->rt);
	iph->protocol = IPPROTO_UDP;
	iph->saddr = path->saddr;
	iph->daddr = path->daddr;
	skb->ignore_df = ip_sk_ignore_df(sk);
	ip_select_ident(sock_net(sk), skb, sk);
}

/* Passes the packet, and the reference to its route, to IP. */
static int strudp_send_out(struct sock *sk, struct sk_buff *skb,
			   const struct send_path *path)
{
	struct net *net = sock_net(sk);
	int err;

	skb->priority = READ_ONCE(sk->sk_priority);
	skb->mark = READ_ONCE(sk->sk_mark);
	skb_dst_set(skb, &path->rt->dst);
	err = ip_local_out(net, sk, skb);
	if (err > 0)
		err = net_xmit_errno(err);
	if (!err) {
		UDP_INC_STATS(net, UDP_MIB_OUTDATAGRAMS);
		return 0;
	}
	IP_INC_STATS(net, IPSTATS_MIB_OUTDISCARDS);
	if (err == -ENOBUFS && !inet_test_bit(RECVERR, sk)) {
		UDP_INC_STATS(net, UDP_MIB_SNDBUFERRORS);
		err = 0;
	}
	return err;
}

/* Counts failures; returns the value for sendmsg(). */
static int send_result(struct sock *sk, int err, size_t len)
{
	struct socket *sock = sk->sk_socket;

	if (!err)
		return len;
	if (err == -ENOBUFS || (sock && test_bit(SOCK_NOSPACE, &sock->flags)))
		UDP_INC_STATS(sock_net(sk), UDP_MIB_SNDBUFERRORS);
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
	struct strudp_key key = {
		.daddr = sin->sin_addr.s_addr,
		.dport = sin->sin_port,
	};

	if (!READ_ONCE(cache->direct) || !sock_is_plain(sk) ||
	    cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG))
		return false;
	strudp_key_init(&key, sk);
	return strudp_direct_message(sk, cache, &key, mp, len);
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
	bool connected = !msg->msg_name;
	struct send_path path;
	struct sk_buff *skb;
	int err;

	if ((msg->msg_flags & ~SEND_FLAGS) || msg->msg_controllen ||
	    len > UDP_MAX_PAYLOAD || !sock_is_plain(sk) ||
	    !strudp_send_dest(sk, msg, &path))
		return udp_sendmsg(sk, msg, len);
	if (READ_ONCE(cache->direct)) {
		if (strudp_direct(sk, cache, &path.key, msg, len))
			return len;
		/* The sock may have been connected again while the data was copied. */
		connected = false;
	}
	err = send_route(sk, cache, &path, connected);
	if (err)
		return send_result(sk, err, len);
	if (!route_is_plain(&path, len)) {
		ip_rt_put(path.rt);
		return udp_sendmsg(sk, msg, len);
	}
	skb = strudp_skb_make(sk, &path.dev, msg, len, true);
	if (IS_ERR(skb)) {
		ip_rt_put(path.rt);
		IP_INC_STATS(sock_net(sk), IPSTATS_MIB_OUTDISCARDS);
		return send_result(sk, PTR_ERR(skb), len);
	}
	send_udp_header(sk, skb, &path);
	send_ip_header(sk, skb, &path);
	return send_result(sk, strudp_send_out(sk, skb, &path), len);
}
EXPORT_SYMBOL_GPL(strudp_sendmsg);
