/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of send.c for IPv6 */
#ifndef _STRUDP_SEND6_H
#define _STRUDP_SEND6_H

#include "path6.h"

struct msghdr;

#if IS_ENABLED(CONFIG_IPV6)

#include <linux/bpf-cgroup.h>
#include <net/ip6_checksum.h>

/* Returns whether a sock sends without extension headers, flow labels and the like. */
static inline bool strudp6_sock_is_plain(struct sock *sk)
{
	const struct ipv6_pinfo *np = inet6_sk(sk);

	return !((unsigned long)rcu_access_pointer(np->opt) | (__force u32)np->flow_label |
		 READ_ONCE(np->frag_size) | udp_get_no_check6_tx(sk));
}

/* Returns whether an address is that of one host; the kernel has its ways with the others. */
static inline bool strudp6_addr_is_plain(const struct in6_addr *addr)
{
	/* The unspecified and the loopback address begin so, and those of IPv4. */
	if (!(addr->s6_addr32[0] | addr->s6_addr32[1]))
		return ipv6_addr_loopback(addr);
	return !ipv6_addr_is_multicast(addr);
}

static inline bool strudp6_addr_has_scope(const struct in6_addr *addr)
{
	return (addr->s6_addr32[0] & htonl(0xffc00000)) == htonl(0xfe800000);
}

/* Does what send_dest4() does. */
static inline bool strudp6_dest(const struct sock *sk, const struct msghdr *msg,
				struct strudp_key *key)
{
	const struct sockaddr_in6 *sin6 = msg->msg_name;
	const struct inet_sock *inet = inet_sk(sk);
	bool scoped;

	key->oif = 0;
	if (!sin6) {
		if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
			return false;
		key->daddr.in6 = sk->sk_v6_daddr;
		key->dport = READ_ONCE(inet->inet_dport);
		key->connected = true;
		scoped = strudp6_addr_has_scope(&key->daddr.in6);
	} else {
		if (msg->msg_namelen < SIN6_LEN_RFC2133 || sin6->sin6_family != AF_INET6 ||
		    sin6->sin6_flowinfo || cgroup_bpf_enabled(CGROUP_UDP6_SENDMSG))
			return false;
		key->daddr.in6 = sin6->sin6_addr;
		key->dport = sin6->sin6_port;
		key->connected = false;
		scoped = strudp6_addr_has_scope(&key->daddr.in6);
		if (scoped && msg->msg_namelen >= sizeof(*sin6))
			key->oif = sin6->sin6_scope_id;
	}
	if (!key->oif)
		key->oif = READ_ONCE(sk->sk_bound_dev_if);
	return key->dport && (key->oif || !scoped) && strudp6_addr_is_plain(&key->daddr.in6);
}

/* Returns whether a sock's datagrams are as long as the path allows, not the device. */
static inline bool strudp6_uses_pmtu(const struct sock *sk)
{
	return inet6_sk(sk)->pmtudisc < IPV6_PMTUDISC_PROBE;
}

/* Returns the MTU of a device, as ip6_mtu() does. Under RCU. */
static inline unsigned int strudp6_dev_mtu(const struct net_device *dev)
{
	const struct inet6_dev *idev = __in6_dev_get(dev);

	return idev ? min_t(unsigned int, READ_ONCE(idev->cnf.mtu6), IP6_MAX_MTU) :
		      IPV6_MIN_MTU;
}

/* Returns whether the device of a route works: the kernel may choose another. Under RCU. */
static inline bool strudp6_route_works(const struct dst_entry *dst)
{
	return netif_carrier_ok(READ_ONCE(dst->dev));
}

static inline bool strudp6_wants_errors(const struct sock *sk)
{
	return inet6_test_bit(RECVERR6, sk);
}

static inline void strudp6_count_discard(const struct sock *sk, const struct dst_entry *dst)
{
	rcu_read_lock();
	IP6_INC_STATS(sock_net(sk), ip6_dst_idev(dst), IPSTATS_MIB_OUTDISCARDS);
	rcu_read_unlock();
}

/* Returns the flow label of a packet; hash is that of its flow, 0: not known. */
static inline __be32 strudp6_flow_label(const struct sock *sk, struct sk_buff *skb,
					const struct strudp_key *key,
					const struct in6_addr *saddr, u32 hash)
{
	struct net *net = sock_net(sk);
	struct flowi6 fl6;
	bool label = inet6_test_bit(AUTOFLOWLABEL_SET, sk) ?
		     inet6_test_bit(AUTOFLOWLABEL, sk) : ip6_default_np_autolabel(net);

	if (!label && READ_ONCE(net->ipv6.sysctl.auto_flowlabels) != IP6_AUTO_FLOW_LABEL_FORCED)
		return 0;
	if (!skb->l4_hash && !skb->sw_hash && hash) {
		__skb_set_sw_hash(skb, hash, true);
	} else {
		fl6 = (struct flowi6){
			.flowi6_proto = IPPROTO_UDP,
			.daddr = key->daddr.in6,
			.saddr = *saddr,
			.fl6_dport = key->dport,
			.fl6_sport = key->sport,
		};
	}
	return ip6_make_flowlabel(net, skb, 0, label, &fl6);
}

/* Does what send_ip_header() does. */
static inline void strudp6_header(struct sock *sk, struct sk_buff *skb,
				  const struct strudp_key *key, const struct in6_addr *saddr,
				  const struct dst_entry *dst, u32 hash)
{
	__be32 label = strudp6_flow_label(sk, skb, key, saddr, hash);
	struct ipv6hdr *hdr = __skb_push(skb, sizeof(*hdr));

	skb_reset_network_header(skb);
	ip6_flow_hdr(hdr, key->tos, label);
	hdr->nexthdr = IPPROTO_UDP;
	rcu_read_lock();
	hdr->hop_limit = strudp6_ttl(sk, dst);
	rcu_read_unlock();
	hdr->saddr = *saddr;
	hdr->daddr = key->daddr.in6;
	skb->ignore_df = ip6_sk_ignore_df(sk);
}

/* Passes a packet to IPv6 and counts it; 0 or an error, as ip6_send_skb(). */
static inline int strudp6_out(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	struct inet6_dev *idev;
	int err;

	rcu_read_lock();
	idev = ip6_dst_idev(skb_dst(skb));
	count_out_request6(net, idev, skb->len);
	err = ip6_local_out(net, sk, skb);
	if (err > 0)
		err = net_xmit_errno(err);
	if (err)
		IP6_INC_STATS(net, idev, IPSTATS_MIB_OUTDISCARDS);
	rcu_read_unlock();
	return err;
}

#else

/* Never called. */
bool strudp6_sock_is_plain(struct sock *sk);
bool strudp6_dest(const struct sock *sk, const struct msghdr *msg, struct strudp_key *key);
bool strudp6_uses_pmtu(const struct sock *sk);
unsigned int strudp6_dev_mtu(const struct net_device *dev);
bool strudp6_route_works(const struct dst_entry *dst);
bool strudp6_wants_errors(const struct sock *sk);
void strudp6_count_discard(const struct sock *sk, const struct dst_entry *dst);
void strudp6_header(struct sock *sk, struct sk_buff *skb, const struct strudp_key *key,
		    const struct in6_addr *saddr, const struct dst_entry *dst, u32 hash);
int strudp6_out(struct net *net, struct sock *sk, struct sk_buff *skb);
__sum16 csum_ipv6_magic(const struct in6_addr *saddr, const struct in6_addr *daddr, __u32 len,
			__u8 proto, __wsum sum);

#endif

#endif /* _STRUDP_SEND6_H */
