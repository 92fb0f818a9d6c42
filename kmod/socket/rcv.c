// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving on a STREAMS socket
 *
 * A datagram goes straight from the hook to the socket's receive queue, under
 * the kernel's own accounting, and from there to the reader. If the socket has
 * a stream, it passes that before it comes to the queue: see sthead.h.
 */
#include <linux/bpf-cgroup.h>
#include <linux/filter.h>
#include <linux/skbuff.h>
#include <net/busy_poll.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/udp.h>

#include "../streams/copy.h"
#include "../tpi/udp.h"
#include "sock.h"
#include "sthead.h"

static void rcv_drop(struct sock *sk, struct sk_buff *skb)
{
	UDP_INC_STATS(sock_net(sk), UDP_MIB_INERRORS);
	str_count(STR_KIND_UDP, STR_DROPPED, 1);
	kfree_skb(skb);
}

/* What the steering of flows and busy polling go by. */
static void rcv_mark_flow(struct sock *sk, struct sk_buff *skb)
{
	if (inet_sk(sk)->inet_daddr) {
		sock_rps_save_rxhash(sk, skb);
		sk_mark_napi_id(sk, skb);
		sk_incoming_cpu_update(sk);
	} else {
		sk_mark_napi_id_once(sk, skb);
	}
}

/*
 * From here on it is ours; it counts when somebody reads it. false: a filter
 * keeps it out, and it is gone.
 */
static __always_inline bool rcv_take(struct sock *sk, struct sk_buff *skb)
{
	strudp_uncount(sk, false);
	if (sk_filter_trim_cap(sk, skb, sizeof(struct udphdr))) {
		atomic_inc(&sk->sk_drops);
		rcv_drop(sk, skb);
		return false;
	}
	udp_csum_pull_header(skb);
	return true;
}

/*
 * Before a hook the kernel computes a sum that without one it would when it is
 * asked for the data. So it is again: IP_CHECKSUM, set later, tells of what a look
 * has computed, and of nothing that the copying has.
 */
static __always_inline void rcv_forget_sum(const struct sock *sk,
					   struct sk_buff *skb)
{
	if (likely(skb->ip_summed != CHECKSUM_COMPLETE) ||
	    !skb->csum_complete_sw || skb->len <= CHECKSUM_BREAK ||
	    rcu_access_pointer(sk->sk_filter))
		return;
	skb->ip_summed = CHECKSUM_NONE;
	skb->csum_complete_sw = 0;
	skb->csum_valid = 0;
	/* Where the kernel starts from, with the UDP header still to be read. */
	skb->csum = inet_compute_pseudo(skb, IPPROTO_UDP);
}

/* The hook of a socket that has a stream. */
static int rcv_stream_hook(struct sock *sk, struct sk_buff *skb)
{
	if (rcv_take(sk, skb)) {
		rcv_mark_flow(sk, skb);
		sthead_rcv(sk, skb);
	}
	return 0;
}

/* The hook of one that has none: see strudp_hook(). */
static int rcv_hook(struct sock *sk, struct sk_buff *skb)
{
	int err;

	rcv_forget_sum(sk, skb);
	/* These want the packet's route, which the kernel alone looks up. */
	if (inet_cmsg_flags(inet_sk(sk)) & IP_CMSG_PKTINFO)
		return 1;
	if (!rcv_take(sk, skb))
		return 0;
	memset(PKTINFO_SKB_CB(skb), 0, sizeof(*PKTINFO_SKB_CB(skb)));
	skb_dst_drop(skb);
	rcv_mark_flow(sk, skb);
	err = __udp_enqueue_schedule_skb(sk, skb);
	if (err) {
		UDP_INC_STATS(sock_net(sk),
			      err == -ENOMEM ? UDP_MIB_RCVBUFERRORS :
					       UDP_MIB_MEMERRORS);
		rcv_drop(sk, skb);
	}
	return 0;
}

/*
 * ICMP errors are for a connected socket, and only if they are not to pass;
 * one with IP_RECVERR is not hooked and has them queued by the kernel.
 */
static void rcv_icmp(struct sock *sk, struct sk_buff *skb, int err, __be16 port,
		     u32 info, u8 *payload)
{
	if (!strudp_hooked(sk) || !strudp_icmp_is_hard(skb) ||
	    READ_ONCE(sk->sk_state) != TCP_ESTABLISHED)
		return;
	WRITE_ONCE(sk->sk_err, err);
	sk_error_report(sk);
}

ENCAP_ERR_RCV(rcv_error_hook, rcv_icmp)

void str_sock_hook(struct sock *sk, bool stream)
{
	strudp_hook(sk, stream ? rcv_stream_hook : rcv_hook, rcv_error_hook);
}

/* Whether it came by IPv6; to a sock of that family both come. */
static inline bool rcv_is_inet6(const struct sk_buff *skb, int family)
{
	return IS_ENABLED(CONFIG_IPV6) && family == AF_INET6 &&
	       skb->protocol != htons(ETH_P_IP);
}

/* Where what becomes of it is counted. */
static inline struct udp_mib __percpu *rcv_mib(const struct sock *sk,
					       const struct sk_buff *skb,
					       int family)
{
	return strudp_mib(sk, rcv_is_inet6(skb, family));
}

/* Whether the data are what was sent; only the kernel's path may not know. */
static inline bool rcv_checksum_ok(struct sock *sk, struct sk_buff *skb,
				   int family)
{
	struct udp_mib __percpu *mib;

	if (skb_csum_unnecessary(skb) || !__skb_checksum_complete(skb))
		return true;
	mib = rcv_mib(sk, skb, family);
	SNMP_INC_STATS(mib, UDP_MIB_CSUMERRORS);
	SNMP_INC_STATS(mib, UDP_MIB_INERRORS);
	atomic_inc(&sk->sk_drops);
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
 * Copies the datagram's first n bytes to the reader. Pieces that are not mapped
 * here, or not ours to read, are the kernel's business.
 */
static int rcv_copy(const struct sk_buff *skb, struct msghdr *msg, size_t n)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	size_t part = min_t(size_t, n, skb_headlen(skb));
	int i;

	if (n > part && (IS_ENABLED(CONFIG_HIGHMEM) || skb_has_frag_list(skb) ||
			 !skb_frags_readable(skb) ||
			 skb_zcopy((struct sk_buff *)skb)))
		return skb_copy_datagram_msg(skb, 0, msg, n);
	if (!str_copy_to_iter(skb->data, part, &msg->msg_iter))
		return -EFAULT;
	n -= part;
	for (i = 0; n; i++, n -= part) {
		const skb_frag_t *frag = &shinfo->frags[i];

		part = min_t(size_t, n, skb_frag_size(frag));
		if (!str_copy_to_iter(skb_frag_address(frag), part,
				      &msg->msg_iter))
			return -EFAULT;
	}
	return 0;
}

/* As skb_consume_udp(). */
static void rcv_consume(struct sock *sk, struct sk_buff *skb, int len)
{
	if (unlikely(READ_ONCE(sk->sk_peek_off) >= 0)) {
		skb_consume_udp(sk, skb, len);
		return;
	}
	if (skb_unref(skb))
		strudp_skb_free(skb);
}

/* What a reader is told of a datagram besides its data. */
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

static __always_inline int rcv_plain(struct sock *sk, struct msghdr *msg,
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
		atomic_inc(&sk->sk_drops);
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
 * str_sock_reading() - lock all that has arrived on a socket
 * @sk: the socket's sock, of AF_INET
 *
 * Return: the queue it is on; the caller unlocks it with spin_unlock_bh().
 */
struct sk_buff_head *str_sock_reading(struct sock *sk)
	__acquires(&udp_sk(sk)->reader_queue.lock)
{
	struct sk_buff_head *reading = &udp_sk(sk)->reader_queue;
	struct sk_buff_head *queue = &sk->sk_receive_queue;

	spin_lock_bh(&reading->lock);
	spin_lock(&queue->lock);
	skb_queue_splice_tail_init(queue, reading);
	spin_unlock(&queue->lock);
	return reading;
}

/**
 * str_sock_take() - take a datagram that was looked at off a socket's queue
 * @sk: the socket's sock, of AF_INET
 * @skb: the datagram, of str_sock_look(); stays the caller's
 *
 * Return: whether it was there still, and nobody else has it.
 */
bool str_sock_take(struct sock *sk, struct sk_buff *skb)
{
	struct sk_buff_head *reading = &udp_sk(sk)->reader_queue;
	bool there;

	/*
	 * It was the first. If it is not, somebody has taken it, or put another one
	 * in its place: MSG_PEEK does so with an empty one that is looked at.
	 */
	spin_lock_bh(&reading->lock);
	there = skb_peek(reading) == skb;
	if (there) {
		__skb_unlink(skb, reading);
		/* The queue's; it is not the last. */
		refcount_dec(&skb->users);
		udp_skb_destructor(sk, skb);
	}
	spin_unlock_bh(&reading->lock);
	return there;
}

/**
 * str_sock_look() - look at the first datagram of a socket's queue
 * @sk: the socket's sock, of AF_INET
 *
 * MSG_PEEK would leave a mark on an empty one, which others who peek by
 * SO_PEEK_OFF pass over then.
 *
 * Return: the first one whose data are what was sent, which stays there, and is
 * the caller's to free; NULL: there is none; or the socket's error.
 */
struct sk_buff *str_sock_look(struct sock *sk)
{
	int err = sock_error(sk);
	struct sk_buff *skb;

	if (err)
		return ERR_PTR(err);
	for (;;) {
		struct sk_buff_head *reading = str_sock_reading(sk);

		skb = skb_peek(reading);
		if (skb)
			skb_get(skb);
		spin_unlock_bh(&reading->lock);
		if (!skb || skb_csum_unnecessary(skb) ||
		    !__skb_checksum_complete(skb))
			return skb;
		/* Who takes it counts it. */
		if (!str_sock_take(sk, skb) ||
		    rcv_checksum_ok(sk, skb, AF_INET))
			kfree_skb(skb);
	}
}

/**
 * str_sock_give() - give a part of a datagram to who receives it
 * @sk: the socket's sock, of AF_INET
 * @skb: the datagram, skb->data behind its UDP header; stays the caller's
 * @off: bytes of it that are passed over
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_TRUNC
 * @addr_len: set to the length of the sender's name, if it is wanted
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 */
int str_sock_give(struct sock *sk, struct sk_buff *skb, int off,
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
	rcv_tell(sk, skb, msg, addr_len, AF_INET);
	return flags & MSG_TRUNC ? left : copied;
}

/**
 * str_sock_recvmsg() - receive a datagram
 * @sk: a STREAMS socket's sock
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_PEEK ...
 * @addr_len: set to the length of the sender's name, if it is wanted
 *
 * Peeking, the error queue, merged datagrams, sums that are told of and BPF
 * programs that change the sender's name are the kernel's own business.
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 * Source: POSIX.1-2017 recvmsg().
 */
int str_sock_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len)
{
	if ((flags & (MSG_PEEK | MSG_ERRQUEUE)) ||
	    udp_test_bit(GRO_ENABLED, sk) ||
	    inet_cmsg_flags(inet_sk(sk)) & IP_CMSG_CHECKSUM ||
	    (msg->msg_name && cgroup_bpf_enabled(CGROUP_UDP4_RECVMSG)))
		return compat_proto_recvmsg(&udp_prot, sk, msg, len, flags,
					    addr_len);
	return rcv_plain(sk, msg, len, flags, addr_len, AF_INET);
}

#if IS_ENABLED(CONFIG_IPV6)
/**
 * str_sock_is_plain6() - whether str_sock_recvmsg6() may be called
 * @sk: a STREAMS socket's sock, of AF_INET6
 * @msg: as for recvmsg(2)
 * @flags: MSG_PEEK ...
 *
 * What tells of more than the sender's name is the kernel's business as well.
 */
bool str_sock_is_plain6(const struct sock *sk, const struct msghdr *msg,
			int flags)
{
	return !(flags & (MSG_PEEK | MSG_ERRQUEUE)) &&
	       !READ_ONCE(inet6_sk(sk)->rxopt.all) &&
	       !inet_cmsg_flags(inet_sk(sk)) &&
	       !udp_test_bit(GRO_ENABLED, sk) &&
	       !(msg->msg_name && cgroup_bpf_enabled(CGROUP_UDP6_RECVMSG));
}

/* As str_sock_recvmsg(). */
int str_sock_recvmsg6(struct sock *sk, struct msghdr *msg, size_t len,
		      int flags, int *addr_len)
{
	return rcv_plain(sk, msg, len, flags, addr_len, AF_INET6);
}
#endif
