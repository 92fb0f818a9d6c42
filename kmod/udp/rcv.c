// SPDX-License-Identifier: GPL-2.0-only
/*
 * Datagrams that arrive for an endpoint from the network
 *
 * Runs in softirq context and under RCU. A packet's buffer becomes the data of
 * a T_UNITDATA_IND; it stays charged to the sock until the message is freed.
 */
#include <linux/filter.h>
#include <linux/indirect_call_wrapper.h>
#include <linux/ip.h>
#include <linux/percpu.h>
#include <linux/security.h>
#include <linux/skbuff.h>
#include <net/ip.h>
#include <net/sock.h>
#include <net/udp.h>

#include "streams/call/direct.h"
#include "streams/head/lost.h"
#include "streams/head/stat.h"
#include "streams/message/mblk.h"
#include "tpi/charge.h"
#include "end.h"
#include "hook.h"
#include "ind.h"
#include "rcv.h"
#include "udp.h"

#ifdef CONFIG_SECURITY_NETWORK
/* For security modules, see rcv_is_permitted(). */
static DEFINE_PER_CPU(struct sk_buff *, header_skb);
#endif

static void rcv_uncharge(struct sk_buff *skb)
{
	struct sock *sk = skb->sk;
	unsigned long flags;

	spin_lock_irqsave(&sk->sk_receive_queue.lock, flags);
	sk_mem_uncharge(sk, skb->truesize);
	spin_unlock_irqrestore(&sk->sk_receive_queue.lock, flags);
	atomic_sub(skb->truesize, &sk->sk_rmem_alloc);
	sock_put(sk);
}

/* Charges a buffer to the cgroup and to all of UDP; the lock is the kernel's own for that. */
static bool rcv_charge_memory(struct sock *sk, struct sk_buff *skb)
{
	unsigned long flags;
	bool ok;

	spin_lock_irqsave(&sk->sk_receive_queue.lock, flags);
	ok = sk_rmem_schedule(sk, skb, skb->truesize);
	if (ok)
		sk_mem_charge(sk, skb->truesize);
	spin_unlock_irqrestore(&sk->sk_receive_queue.lock, flags);
	return ok;
}

/**
 * strudp_charge() - count a buffer against a sock's receive buffer
 * @sk: a UDP sock
 * @skb: the buffer; it is counted until it is freed or skb_orphan() is called
 *
 * The kernel's functions for that are for socks without memory limits of their
 * protocol: those of UDP are kept under a lock.
 *
 * Context: process or softirq.
 * Return: 0; -ENOBUFS: the limits of memory are reached, or the sock has closed.
 */
int strudp_charge(struct sock *sk, struct sk_buff *skb)
{
	/* The kernel found it without a reference: it may be on its way out. */
	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return -ENOBUFS;
	if (!rcv_charge_memory(sk, skb)) {
		sock_put(sk);
		return -ENOBUFS;
	}
	skb_orphan(skb);
	atomic_add(skb->truesize, &sk->sk_rmem_alloc);
	skb->sk = sk;
	skb->destructor = rcv_uncharge;
	return 0;
}
EXPORT_SYMBOL_GPL(strudp_charge);

static void rcv_count_drop(struct sock *sk, bool inet6, bool full)
{
	const struct strudp_end *ep = rcu_dereference_sk_user_data(sk);
	struct udp_mib __percpu *mib = strudp_mib(sk, inet6);

	strudp_uncount(sk, inet6);
	sk_drops_inc(sk);
	if (full)
		SNMP_INC_STATS(mib, UDP_MIB_RCVBUFERRORS);
	SNMP_INC_STATS(mib, UDP_MIB_INERRORS);
	str_count(STR_KIND_DEVICE, STR_DROPPED, 1);
	if (ep)
		str_lost(ep->rq, full ? "full" : "refused");
}

/*
 * Makes the message of a datagram, which is consumed; skb->data is at the data. more: bytes
 * that count with the buffer
 */
static mblk_t *rcv_data(struct sock *sk, struct sk_buff *skb, unsigned int more)
{
	mblk_t *mp = NULL, *bp;

	skb_dst_drop(skb);
	skb_ext_reset(skb);
	if (udp_rcvbuf_has_room(sk, skb->truesize + more))
		mp = skballoc(skb, GFP_ATOMIC);
	if (!mp) {
		kfree_skb(skb);
		return NULL;
	}
	for (bp = mp->b_cont; bp; bp = bp->b_cont)
		more += MSG_BLOCK_BYTES;
	skb->truesize += more;
	if (!strudp_charge(sk, skb))
		return mp;
	freemsg(mp);
	return NULL;
}

/**
 * strudp_rcv_data() - make a message of a datagram's data
 * @sk: the receiver, whose receive buffer it counts against until it is freed
 * @skb: the datagram, skb->data at its data; consumed
 *
 * The blocks' buffer (str_skb_take(), str_skb_of()) has the headers as well, before the
 * bytes that modules may write to.
 *
 * Context: softirq, under RCU.
 * Return: the message, which may have no bytes; NULL when the buffer is full or
 * memory short.
 */
mblk_t *strudp_rcv_data(struct sock *sk, struct sk_buff *skb)
{
	mblk_t *mp = rcv_data(sk, skb, 0);

	if (mp)
		DB_BASE(mp) = mp->b_rptr;
	return mp;
}
EXPORT_SYMBOL_GPL(strudp_rcv_data);

/**
 * strudp_unitdata_ind() - make the control part of a datagram that arrived
 * @ep: the endpoint, which knows the options that it is to have
 * @skb: the datagram, with its headers
 * @gfp: how to allocate it
 *
 * Return: the T_UNITDATA_IND, or NULL when memory is short.
 */
mblk_t *strudp_unitdata_ind(const struct strudp_end *ep, const struct sk_buff *skb,
			    gfp_t gfp)
{
	unsigned int rcvopts = READ_ONCE(ep->kept.rcvopts);
	const struct strudp_family *family = ep->family;
	mblk_t *mp = allocb_written(INDIRECT_CALL_1(family->ind_size, strudp_in_ind_size,
						    rcvopts), gfp);

	if (mp)
		INDIRECT_CALL_1(family->ind_fill, strudp_in_skb_fill, mp, rcvopts,
				skb);
	return mp;
}
EXPORT_SYMBOL_GPL(strudp_unitdata_ind);

static mblk_t *rcv_message(struct sock *sk, const struct strudp_end *ep,
			   struct sk_buff *skb)
{
	mblk_t *mp, *data;

	mp = strudp_unitdata_ind(ep, skb, GFP_ATOMIC | __GFP_NOWARN);
	if (!mp) {
		kfree_skb(skb);
		return NULL;
	}
	__skb_pull(skb, sizeof(struct udphdr));
	data = rcv_data(sk, skb, MSG_RECEIVED);
	if (!data) {
		freemsg(mp);
		return NULL;
	}
	linkb(mp, data);
	return mp;
}

/* The hook: see strudp_hook(). */
int strudp_rcv_hook(struct sock *sk, struct sk_buff *skb)
{
	struct strudp_end *ep = rcu_dereference_sk_user_data(sk);
	bool inet6 = skb->protocol == htons(ETH_P_IPV6);
	mblk_t *mp;

	if (!ep || sk_filter_trim_cap(sk, skb, sizeof(struct udphdr))) {
		rcv_count_drop(sk, inet6, false);
		kfree_skb(skb);
		return 0;
	}
	if (!canputnext(ep->rq) || !pskb_may_pull(skb, sizeof(struct udphdr))) {
		rcv_count_drop(sk, inet6, true);
		kfree_skb(skb);
		return 0;
	}
	mp = rcv_message(sk, ep, skb);
	if (mp)
		tpi_putnext(sk, ep->rq, mp);
	else
		rcv_count_drop(sk, inet6, true);
	return 0;
}

/*
 * Whether the socket hook of a security module lets a datagram in of which
 * there are only headers, in a buffer that is used again and again.
 */
static __always_inline bool rcv_is_permitted(struct sock *sk, const struct strudp_head *head,
					     int family)
{
#ifdef CONFIG_SECURITY_NETWORK
	struct sk_buff *skb = this_cpu_read(header_skb);
	bool inet6 = family == AF_INET6;
	size_t len = inet6 ? sizeof(head->in6) : sizeof(head->in);

	skb_reset_network_header(skb);
	if (inet6)
		memcpy(skb->data, &head->in6, sizeof(head->in6));
	else
		memcpy(skb->data, &head->in, sizeof(head->in));
	skb_set_transport_header(skb, len);
	*udp_hdr(skb) = (struct udphdr){
		.source = head->sport,
		.dest = inet_sk(sk)->inet_sport,
		.len = inet6 ? head->in6.payload_len :
			       htons(ntohs(head->in.tot_len) - sizeof(head->in)),
	};
	skb->protocol = inet6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	skb->dev = sock_net(sk)->loopback_dev;
	skb->skb_iif = skb->dev->ifindex;
	return !security_sock_rcv_skb(sk, skb);
#else
	return true;
#endif
}

/*
 * Returns whether all that may wait at stream heads is at most an eighth of the protocol's
 * limit.
 */
static bool rcv_heads_are_small(const struct sock *sk)
{
	return atomic_long_read(&strudp_heads_hiwat) >> PAGE_SHIFT <=
	       sk_prot_mem_limits(sk, 2) >> 3;
}

/* Not inline: it is seldom needed. */
static noinline bool rcv_is_within_least(const struct sock *sk, queue_t *rq,
					 const mblk_t *mp)
{
	size_t waits = str_up_waits(rq);

	return waits != SIZE_MAX &&
	       waits + max(msgdsize(mp), msg_least(mp)) <= sk_get_rmem0(sk, sk->sk_prot);
}

/**
 * strudp_end_may_meet() - whether a stream may be given a sender's message itself
 * @sk: the receiver's sock
 * @mp: the T_UNITDATA_REQ
 *
 * Such messages are not counted in the protocol's memory, net.ipv4.udp_mem. So all that
 * may wait has to be a small part of its limit, or all that the stream would have no more
 * than each sock may have beyond the limit, net.ipv4.udp_rmem_min. Else the data is sent
 * in a buffer, which is counted.
 *
 * Context: under RCU.
 */
bool strudp_end_may_meet(const struct sock *sk, const mblk_t *mp)
{
	const struct strudp_end *ep = rcu_dereference_sk_user_data(sk);

	if (unlikely(!ep))
		return false;
	if (likely(rcv_heads_are_small(sk)))
		return str_up_waits(ep->rq) != SIZE_MAX;
	return rcv_is_within_least(sk, ep->rq, mp);
}

static inline bool end_is_inet(const struct strudp_end *ep)
{
	return likely(ep->family->domain == PF_INET);
}

static __always_inline void end_meet(struct sock *sk, const struct strudp_head *head,
				     mblk_t *mp, int family)
{
	struct strudp_end *ep = rcu_dereference_sk_user_data(sk);
	unsigned int rcvopts;

	if (!ep || !rcv_is_permitted(sk, head, family)) {
		rcv_count_drop(sk, family == AF_INET6, false);
		freemsg(mp);
		return;
	}
	rcvopts = READ_ONCE(ep->kept.rcvopts);
	if (canputnext(ep->rq))
		mp = strtpi_room(mp, end_is_inet(ep) ? strudp_in_size(rcvopts) :
						       ep->family->ind_size(rcvopts));
	else
		goto full;
	if (!mp)
		goto lost;
	if (end_is_inet(ep))
		strudp_in_head_fill(mp, rcvopts, head);
	else
		ep->family->ind_fill_head(mp, rcvopts, head);
	str_put_up(ep->rq, mp);
	return;

full:
	freemsg(mp);
lost:
	rcv_count_drop(sk, family == AF_INET6, true);
}

/**
 * strudp_end_meet() - take a datagram from another stream of this host
 * @sk: the receiver's sock, to be checked for its filter by the caller
 * @head: its headers as IP would make them
 * @mp: the T_UNITDATA_REQ with the data; consumed
 * @family: AF_INET or AF_INET6: the version of IP that @head has
 *
 * The message itself arrives, its data untouched. Waiting messages count
 * against the water marks of the stream head, which are those of the receive
 * buffer; see strudp_end_may_meet() for the protocol's memory.
 *
 * Context: under RCU, bottom halves off.
 */
void strudp_end_meet(struct sock *sk, const struct strudp_head *head, mblk_t *mp,
		     int family)
{
	if (family == AF_INET6)
		end_meet(sk, head, mp, AF_INET6);
	else
		end_meet(sk, head, mp, AF_INET);
}

/* skb->data is at the IP header of the datagram that could not be delivered. */
static void strudp_rcv_icmp(struct sock *sk, struct sk_buff *skb, int err, __be16 port,
			    u32 info, u8 *payload)
{
	struct strudp_end *ep = rcu_dereference_sk_user_data(sk);
	union tpi_addr dest;
	struct mem_cgroup *old;
	mblk_t *mp;

	if (!ep || !ep->family->error_dest(skb, port, &dest) ||
	    !canputnext(ep->rq))
		return;
	old = set_active_memcg(tpi_memcg(sk));
	mp = strtpi_uderror_ind(NULL, &dest, ep->family->addr_size, err);
	if (mp)
		putnext(ep->rq, mp);
	set_active_memcg(old);
}

ENCAP_ERR_RCV(rcv_error_hook, strudp_rcv_icmp)

void strudp_end_hook(struct strudp_end *ep)
{
	strudp_hook_enable();
	strudp_hook(ep->sock->sk, strudp_rcv_hook, rcv_error_hook);
}

void strudp_rcv_exit(void)
{
#ifdef CONFIG_SECURITY_NETWORK
	int cpu;

	for_each_possible_cpu(cpu)
		kfree_skb(per_cpu(header_skb, cpu));
#endif
}

int __init strudp_rcv_init(void)
{
#ifdef CONFIG_SECURITY_NETWORK
	int cpu;

	for_each_possible_cpu(cpu) {
		size_t size = sizeof(struct ipv6hdr) + sizeof(struct udphdr);
		struct sk_buff *skb = alloc_skb(size, GFP_KERNEL);

		if (!skb) {
			strudp_rcv_exit();
			return -ENOMEM;
		}
		skb_put_zero(skb, size);
		per_cpu(header_skb, cpu) = skb;
	}
#endif
	return 0;
}
