// SPDX-License-Identifier: GPL-2.0-only
/* A datagram, from the queue of the kernel's UDP to the receive call */
#include <linux/bpf-cgroup.h>
#include <linux/skbuff.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/transp_v6.h>
#include <net/udp.h>

#include "streams/message/copy.h"
#include "streams/message/keep.h"
#include "udp/udp.h"
#include "datagram.h"

/* Returns whether a datagram came by IPv6; a sock of that family receives both. */
static inline bool rcv_is_inet6(const struct sk_buff *skb, int family)
{
	return IS_ENABLED(CONFIG_IPV6) && family == AF_INET6 &&
	       skb->protocol != htons(ETH_P_IP);
}

/* Returns the counters in which a datagram's outcome is counted. */
static inline struct udp_mib __percpu *rcv_mib(const struct sock *sk,
					       const struct sk_buff *skb,
					       int family)
{
	return strudp_mib(sk, rcv_is_inet6(skb, family));
}

/* Returns whether the data's checksum is right; on the kernel's path it may be unchecked. */
static inline bool rcv_checksum_ok(struct sock *sk, struct sk_buff *skb,
				   int family)
{
	struct udp_mib __percpu *mib;

	if (skb_csum_unnecessary(skb) || !__skb_checksum_complete(skb))
		return true;
	mib = rcv_mib(sk, skb, family);
	SNMP_INC_STATS(mib, UDP_MIB_CSUMERRORS);
	SNMP_INC_STATS(mib, UDP_MIB_INERRORS);
	sk_drops_inc(sk);
	kfree_skb(skb);
	return false;
}

static __always_inline struct sk_buff *rcv_dequeue(struct sock *sk, int flags,
						   int *err, int family)
{
	struct sk_buff *skb;
	int off = 0;

	do
		skb = __skb_recv_udp(sk, flags, &off, err);
	while (skb && !rcv_checksum_ok(sk, skb, family));
	return skb;
}

/**
 * strsock_checksum_ok() - whether a datagram's checksum is right
 * @sk: the socket's sock
 * @skb: the datagram, of the kernel's queue; freed and counted if they are not
 */
bool strsock_checksum_ok(struct sock *sk, struct sk_buff *skb)
{
	return rcv_checksum_ok(sk, skb, sk->sk_family);
}

static void rcv_name6(const struct sk_buff *skb, struct msghdr *msg,
		      int *addr_len)
{
	struct sockaddr_in6 *sin6 = msg->msg_name;

	if (!sin6)
		return;
	sin6->sin6_family = AF_INET6;
	sin6->sin6_port = udp_hdr(skb)->source;
	sin6->sin6_flowinfo = 0;
	if (rcv_is_inet6(skb, AF_INET6)) {
		sin6->sin6_addr = ipv6_hdr(skb)->saddr;
		sin6->sin6_scope_id = ipv6_iface_scope_id(&sin6->sin6_addr,
							  inet6_iif(skb));
	} else {
		ipv6_addr_set_v4mapped(ip_hdr(skb)->saddr, &sin6->sin6_addr);
		sin6->sin6_scope_id = 0;
	}
	*addr_len = sizeof(*sin6);
}

static __always_inline void rcv_name(const struct sk_buff *skb,
				     struct msghdr *msg, int *addr_len)
{
	struct sockaddr_in *sin = msg->msg_name;

	if (!sin)
		return;
	sin->sin_family = AF_INET;
	sin->sin_port = udp_hdr(skb)->source;
	sin->sin_addr.s_addr = ip_hdr(skb)->saddr;
	memset(sin->sin_zero, 0, sizeof(sin->sin_zero));
	*addr_len = sizeof(*sin);
}

/*
 * Copies n bytes of a datagram that has fragments. Fragments that are not
 * mapped here, or that the kernel may not read, are left to the kernel's own
 * copy.
 */
static noinline int rcv_copy_frags(const struct sk_buff *skb, struct msghdr *msg, size_t n)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	size_t part = skb_headlen(skb);
	int i;

	if (IS_ENABLED(CONFIG_HIGHMEM) || skb_has_frag_list(skb) ||
	    !skb_frags_readable(skb) || skb_zcopy((struct sk_buff *)skb))
		return skb_copy_datagram_msg(skb, 0, msg, n);
	if (!str_copy_to_iter(skb->data, skb_end_pointer(skb) - skb->data, part,
			      &msg->msg_iter))
		return -EFAULT;
	n -= part;
	for (i = 0; n; i++, n -= part) {
		const skb_frag_t *frag = &shinfo->frags[i];

		part = min_t(size_t, n, skb_frag_size(frag));
		if (!str_copy_to_iter(skb_frag_address(frag), skb_frag_size(frag), part,
				      &msg->msg_iter))
			return -EFAULT;
	}
	return 0;
}

/* Copies the datagram's first n bytes to the reader. */
static inline int rcv_copy(const struct sk_buff *skb, struct msghdr *msg, size_t n)
{
	if (unlikely(n > skb_headlen(skb)))
		return rcv_copy_frags(skb, msg, n);
	return str_copy_to_iter(skb->data, skb_end_pointer(skb) - skb->data, n,
				&msg->msg_iter) ? 0 : -EFAULT;
}

/* Consumes n bytes of the queue: SO_PEEK_OFF counts from its first byte. */
static inline void rcv_consume(struct sock *sk, struct sk_buff *skb, int n)
{
	sk_peek_offset_bwd(sk, n);
	if (skb_unref(skb))
		str_skb_free(skb);
}

#if IS_ENABLED(CONFIG_IPV6)
/* Stores the control messages that a program has asked IPv6 for, as the kernel's UDP does. */
static void rcv_control6(struct sock *sk, struct sk_buff *skb, struct msghdr *msg)
{
	const struct ipv6_pinfo *np = inet6_sk(sk);
	struct in6_pktinfo info;

	if (rcv_is_inet6(skb, AF_INET6)) {
		if (np->rxopt.all)
			ip6_datagram_recv_ctl(sk, msg, skb);
		return;
	}
	if (np->rxopt.bits.rxinfo) {
		info.ipi6_ifindex = PKTINFO_SKB_CB(skb)->ipi_ifindex;
		ipv6_addr_set_v4mapped(ip_hdr(skb)->daddr, &info.ipi6_addr);
		put_cmsg(msg, SOL_IPV6, IPV6_PKTINFO, sizeof(info), &info);
	}
	if (inet_cmsg_flags(inet_sk(sk)))
		ip_cmsg_recv_offset(msg, sk, skb, sizeof(struct udphdr), 0);
}
#else
static void rcv_control6(struct sock *sk, struct sk_buff *skb, struct msghdr *msg)
{
}
#endif

/* Stores the control messages that come with a datagram. */
static __always_inline void rcv_tell(struct sock *sk, struct sk_buff *skb,
				     struct msghdr *msg, int *addr_len,
				     int family)
{
	sock_recv_cmsgs(msg, sk, skb);
	if (family == AF_INET6)
		rcv_name6(skb, msg, addr_len);
	else
		rcv_name(skb, msg, addr_len);
	if (family == AF_INET && inet_cmsg_flags(inet_sk(sk)))
		ip_cmsg_recv_offset(msg, sk, skb, sizeof(struct udphdr), 0);
}

static __always_inline int rcv_next(struct sock *sk, struct msghdr *msg,
				    size_t len, int flags, int *addr_len,
				    int family)
{
	struct sk_buff *skb;
	size_t copied;
	int err;

	skb = rcv_dequeue(sk, flags, &err, family);
	if (!skb)
		return err;
	copied = min_t(size_t, len, skb->len);
	if (copied < skb->len)
		msg->msg_flags |= MSG_TRUNC;
	err = rcv_copy(skb, msg, copied);
	if (err) {
		sk_drops_inc(sk);
		SNMP_INC_STATS(rcv_mib(sk, skb, family), UDP_MIB_INERRORS);
		kfree_skb(skb);
		return err;
	}
	SNMP_INC_STATS(rcv_mib(sk, skb, family), UDP_MIB_INDATAGRAMS);
	rcv_tell(sk, skb, msg, addr_len, family);
	err = flags & MSG_TRUNC ? skb->len : copied;
	rcv_consume(sk, skb, err);
	return err;
}

/**
 * strsock_datagram() - receive a datagram, without peeking
 * @sk: a STREAMS socket's sock, of AF_INET
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_DONTWAIT, MSG_TRUNC
 * @addr_len: set to the length of the sender's name, if it is wanted
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 */
int strsock_datagram(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len)
{
	return rcv_next(sk, msg, len, flags, addr_len, AF_INET);
}

/**
 * strsock_give() - copy a part of a datagram to the receive call
 * @sk: the socket's sock
 * @skb: the datagram, skb->data behind its UDP header; stays the caller's
 * @off: bytes of it that are passed over
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_TRUNC
 * @addr_len: set to the length of the sender's name, if it is wanted
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 */
int strsock_give(struct sock *sk, struct sk_buff *skb, int off,
		 struct msghdr *msg, size_t len, int flags, int *addr_len)
{
	size_t left = skb->len - off, copied = min(len, left);
	int err;

	if (copied < left)
		msg->msg_flags |= MSG_TRUNC;
	err = off ? skb_copy_datagram_msg(skb, off, msg, copied) :
		    rcv_copy(skb, msg, copied);
	if (err)
		return err;
	rcv_tell(sk, skb, msg, addr_len, sk->sk_family);
	if (msg->msg_name)
		bpf_recvmsg_name(sk, msg->msg_name, addr_len);
	if (sk->sk_family == AF_INET6)
		rcv_control6(sk, skb, msg);
	return flags & MSG_TRUNC ? left : copied;
}

#if IS_ENABLED(CONFIG_IPV6)
/**
 * strsock_datagram_is_plain6() - whether strsock_datagram6() may be called
 * @sk: a STREAMS socket's sock, of AF_INET6
 * @msg: as for recvmsg(2)
 * @flags: MSG_PEEK ...
 *
 * A call that asks for more than the sender's name is left to the kernel too.
 */
bool strsock_datagram_is_plain6(const struct sock *sk, const struct msghdr *msg,
				int flags)
{
	return !(flags & (MSG_PEEK | MSG_ERRQUEUE)) &&
	       !READ_ONCE(inet6_sk(sk)->rxopt.all) &&
	       !inet_cmsg_flags(inet_sk(sk)) &&
	       !udp_test_bit(GRO_ENABLED, sk) &&
	       !(msg->msg_name && cgroup_bpf_enabled(CGROUP_UDP6_RECVMSG));
}

/* Receives from a sock of AF_INET6 what strsock_datagram() does from one of AF_INET. */
int strsock_datagram6(struct sock *sk, struct msghdr *msg, size_t len,
		      int flags, int *addr_len)
{
	return rcv_next(sk, msg, len, flags, addr_len, AF_INET6);
}
#endif
