// SPDX-License-Identifier: GPL-2.0-only
/*
 * Datagrams that arrive on a socket with a stream
 *
 * The hook makes a T_UNITDATA_IND of a datagram and sends it up. A message
 * that reaches the stream head, perhaps changed by modules, becomes a datagram
 * again and waits there for its reader. If the modules have kept the packet's
 * own buffer, that is still the packet, and nothing is copied; it keeps all
 * its metadata.
 */
#include <linux/filter.h>
#include <linux/inetdevice.h>
#include <linux/skbuff.h>
#include <net/busy_poll.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/route.h>
#include <net/udp.h>

#include "streams/head/lost.h"
#include "streams/message/mblk.h"
#include "tpi/charge.h"
#include "udp/hook.h"
#include "udp/rcv.h"
#include "udp/udp.h"
#include "head.h"
#include "head_queue.h"
#include "head_up.h"
#include "native.h"
#include "sock.h"

#define HEADERS		(sizeof(struct ipv6hdr) + sizeof(struct udphdr))
/* The most of a packet's that are copied: IPv4 with all options, IPv6 without extensions */
#define HEADERS_MAX	(15 * 4 + sizeof(struct udphdr))
/* Most bytes of one buffer that is copied to. */
#define PIECE_MAX	SKB_MAX_HEAD(HEADERS_MAX)
/*
 * Bytes at the stream head of what is not for the socket's queue: one datagram
 * that a getmsg() has taken a part of, and answers.
 */
#define HEAD_MAX	(2 * STRMSGSZ)

/* Counts a lost datagram, of IPv6 or IPv4. */
static void rcv_dropped(struct sock *sk, bool inet6, const char *reason)
{
	struct strsock_head *h = strsock_its_head(sk);

	if (h)
		str_lost(str_rq(&h->sd), reason);
	sk_drops_inc(sk);
	SNMP_INC_STATS(strudp_mib(sk, inet6), UDP_MIB_INERRORS);
}

/* The same; which is UDP_MIB_RCVBUFERRORS, or another shortage of memory. */
static void rcv_full(struct sock *sk, bool inet6, int which)
{
	SNMP_INC_STATS(strudp_mib(sk, inet6), which);
	rcv_dropped(sk, inet6, which == UDP_MIB_RCVBUFERRORS ? "full" : "memory");
}

/*
 * Stores what IP_PKTINFO reports, as ipv4_pktinfo_prepare() of the kernel, which has the route
 * that the datagram came by. IPv6 has stored what it reports.
 */
static void rcv_pktinfo(const struct sock *sk, struct sk_buff *skb)
{
	struct in_pktinfo *info = PKTINFO_SKB_CB(skb);
	const struct rtable *rt = skb_rtable(skb);
	const struct iphdr *iph = ip_hdr(skb);
	/* The flag is read before its place, which is shared, is written. */
	bool slave = ipv4_l3mdev_skb(IPCB(skb)->flags);

	if (strsock_came_by_inet6(skb))
		return;
	if (!(inet_cmsg_flags(inet_sk(sk)) & IP_CMSG_PKTINFO) && !ipv6_sk_rxinfo(sk)) {
		info->ipi_ifindex = 0;
		info->ipi_spec_dst.s_addr = 0;
		return;
	}
	if (!rt || info->ipi_ifindex == LOOPBACK_IFINDEX ||
	    (slave && rt->rt_iif))
		info->ipi_ifindex = inet_iif(skb);
	info->ipi_spec_dst.s_addr = iph->daddr;
	if (rt && (rt->rt_flags & (RTCF_LOCAL | RTCF_BROADCAST |
				   RTCF_MULTICAST)) != RTCF_LOCAL)
		info->ipi_spec_dst.s_addr =
			inet_select_addr(skb->dev, iph->saddr,
					 ipv4_is_zeronet(iph->saddr) ?
					 RT_SCOPE_LINK : RT_SCOPE_UNIVERSE);
}

/*
 * Returns whether modules have room. Messages that a module queues, or has made of those it
 * was given, count against no receive buffer. When its marks are reached, as many bytes as
 * that buffer holds may still be sent to it, so that a burst is not lost.
 */
static bool rcv_room(struct strsock_head *h, const struct sock *sk,
		     const struct sk_buff *skb)
{
	if (likely(canputnext(h->end.rq))) {
		if (unlikely(atomic_read(&h->over)))
			atomic_set(&h->over, 0);
		return true;
	}
	if (atomic_read(&h->over) > READ_ONCE(sk->sk_rcvbuf))
		return false;
	atomic_add(skb->truesize, &h->over);
	return true;
}

static void rcv_up(struct strsock_head *h, struct sock *sk, struct sk_buff *skb)
{
	bool inet6 = strsock_came_by_inet6(skb);
	mblk_t *mp, *data;

	if (!rcv_room(h, sk, skb)) {
		kfree_skb(skb);
		rcv_full(sk, inet6, UDP_MIB_RCVBUFERRORS);
		return;
	}
	mp = strudp_unitdata_ind(&h->end, skb, GFP_ATOMIC | __GFP_NOWARN);
	if (!mp) {
		kfree_skb(skb);
		rcv_full(sk, inet6, UDP_MIB_MEMERRORS);
		return;
	}
	rcv_pktinfo(sk, skb);
	data = strudp_rcv_data(sk, skb);
	if (!data) {
		freemsg(mp);
		rcv_full(sk, inet6, UDP_MIB_RCVBUFERRORS);
		return;
	}
	linkb(mp, data);
	putnext(h->end.rq, mp);
}

/* The fields used by flow steering and busy polling. */
static void rcv_mark_flow(struct sock *sk, struct sk_buff *skb)
{
	if (READ_ONCE(sk->sk_state) == TCP_ESTABLISHED) {
		sock_rps_save_rxhash(sk, skb);
		sk_mark_napi_id(sk, skb);
		sk_incoming_cpu_update(sk);
	} else {
		sk_mark_napi_id_once(sk, skb);
	}
}

/* The hook: see strudp_hook(). A datagram is counted when it is read. */
static int head_rcv_hook(struct sock *sk, struct sk_buff *skb)
{
	struct strsock_head *h = strsock_its_head(sk);
	bool inet6 = strsock_came_by_inet6(skb);
	struct mem_cgroup *old;

	strudp_uncount(sk, inet6);
	/* Without the stream, which is freed last, the socket is being closed. */
	if (sk_filter_trim_cap(sk, skb, sizeof(struct udphdr)) || !h ||
	    !refcount_inc_not_zero(&h->pins)) {
		kfree_skb(skb);
		rcv_dropped(sk, inet6, "refused");
		return 0;
	}
	udp_csum_pull_header(skb);
	rcv_mark_flow(sk, skb);
	old = set_active_memcg(tpi_memcg(sk));
	rcv_up(h, sk, skb);
	set_active_memcg(old);
	if (refcount_dec_and_test(&h->pins))
		complete(&h->unpinned);
	return 0;
}

/* ICMP errors are for a connected socket, and only if they are not to pass. */
static void head_rcv_icmp(struct sock *sk, struct sk_buff *skb, int err, __be16 port,
			  u32 info, u8 *payload)
{
	struct strsock_head *h = strsock_head_of(sk);
	union tpi_addr dest;

	if (!h || !strudp_hooked(sk) || READ_ONCE(sk->sk_state) != TCP_ESTABLISHED ||
	    !h->end.family->error_dest(skb, port, &dest))
		return;
	WRITE_ONCE(sk->sk_err, err);
	sk_error_report(sk);
}

ENCAP_ERR_RCV(rcv_error_hook, head_rcv_icmp)

/* Arriving datagrams pass the sock's stream from now on. */
void strsock_head_hook(struct sock *sk)
{
	strudp_hook(sk, head_rcv_hook, rcv_error_hook);
}

/* Data of a message, as buffers on their way to be one. */
struct parts {
	struct sk_buff *first;
	struct sk_buff *last;
	bool packet;			/* the first has its headers */
};

static void parts_add(struct parts *p, struct sk_buff *skb)
{
	if (!p->first) {
		p->first = skb;
		p->last = skb;
		return;
	}
	if (p->first == p->last)
		skb_shinfo(p->first)->frag_list = skb;
	else
		p->last->next = skb;
	p->last = skb;
	p->first->len += skb->len;
	p->first->data_len += skb->len;
	p->first->truesize += skb->truesize;
}

/* Allocates a buffer with room for headers, and for n bytes at most. */
static struct sk_buff *part_alloc(size_t n)
{
	struct sk_buff *skb = alloc_skb(HEADERS_MAX + n,
					GFP_ATOMIC | __GFP_NOWARN);

	if (skb)
		skb_reserve(skb, HEADERS_MAX);
	return skb;
}

static bool parts_copy(struct parts *p, const unsigned char *from, size_t left)
{
	while (left) {
		size_t n = min_t(size_t, left, PIECE_MAX);
		struct sk_buff *skb = part_alloc(n);

		if (!skb)
			return false;
		skb_put_data(skb, from, n);
		parts_add(p, skb);
		from += n;
		left -= n;
	}
	return true;
}

/* Returns whether a buffer is the sock's datagram: only those are known to have headers. */
static bool is_packet(const struct sk_buff *skb, const struct sock *sk)
{
	return skb->sk == sk && skb_transport_header_was_set(skb) &&
	       (skb->protocol == htons(ETH_P_IP) || strsock_came_by_inet6(skb));
}

/* A buffer that a block was made of; consumed. false: memory is short. */
static bool head_parts_take(struct parts *p, const struct sock *sk,
			    struct sk_buff *skb)
{
	bool packet = !p->first && is_packet(skb, sk);
	bool done;

	/* The buffer's charge is dropped before the datagram is charged. */
	skb_orphan(skb);
	skb_dst_drop(skb);
	if (packet || (skb->len && (p->first || skb_headroom(skb) >= HEADERS))) {
		p->packet |= packet;
		parts_add(p, skb);
		return true;
	}
	done = parts_copy(p, skb->data, skb->len);
	consume_skb(skb);
	return done;
}

/* Gives the first buffer, the copy of a part of a packet, the packet's metadata and headers. */
static void parts_headers(struct parts *p, const struct sk_buff *packet)
{
	int len = -skb_network_offset(packet);
	struct sk_buff *skb = p->first;

	skb_copy_header(skb, packet);
	skb_shinfo(skb)->gso_size = 0;
	skb_unset_mac_header(skb);
	skb_set_network_header(skb, -len);
	skb_set_transport_header(skb, skb_transport_offset(packet));
	memcpy(skb_network_header(skb), skb_network_header(packet), len);
	p->packet = true;
}

/* Adds a block of data, which is consumed. */
static bool parts_block(struct parts *p, const struct sock *sk, mblk_t *bp)
{
	struct sk_buff *skb = str_skb_take(bp);
	const struct sk_buff *packet;
	bool first = !p->first, done;

	if (skb)
		return head_parts_take(p, sk, skb);
	done = parts_copy(p, bp->b_rptr, mblk_len(bp));
	packet = str_skb_of(bp);
	if (first && p->first && packet && is_packet(packet, sk) &&
	    -skb_network_offset(packet) <= HEADERS_MAX)
		parts_headers(p, packet);
	freeb(bp);
	return done;
}

/* All data of a message, which is consumed. NULL: memory is short. */
static struct sk_buff *parts_of(struct parts *p, const struct sock *sk,
				mblk_t *mp)
{
	mblk_t *next;
	bool ok = true;

	for (; mp && ok; mp = next) {
		next = unlinkb(mp);
		if (DB_TYPE(mp) == M_DATA)
			ok = parts_block(p, sk, mp);
		else
			freeb(mp);
	}
	freemsg(mp);
	if (ok && !p->first)
		p->first = part_alloc(0);
	if (ok)
		return p->first;
	kfree_skb(p->first);
	return NULL;
}

static void headers4(struct sk_buff *skb, const struct sock *sk)
{
	skb_set_network_header(skb, -(int)(sizeof(struct iphdr) + sizeof(struct udphdr)));
	*ip_hdr(skb) = (struct iphdr){
		.version = 4,
		.ihl = sizeof(struct iphdr) / 4,
		.protocol = IPPROTO_UDP,
		.tot_len = htons(min_t(size_t, skb->len + sizeof(struct iphdr) +
				       sizeof(struct udphdr), U16_MAX)),
		.daddr = READ_ONCE(inet_sk(sk)->inet_rcv_saddr),
	};
	skb->protocol = htons(ETH_P_IP);
}

#if IS_ENABLED(CONFIG_IPV6)
/* Returns whether a datagram of this sender comes by IPv6. */
static bool sender_is_inet6(const struct sock *sk, const union tpi_addr *from)
{
	return strsock_is_inet6(sk) && !ipv6_addr_v4mapped(&from->in6.sin6_addr);
}

static void headers6(struct sk_buff *skb, const struct sock *sk, const union tpi_addr *from)
{
	skb_set_network_header(skb, -(int)HEADERS);
	*ipv6_hdr(skb) = (struct ipv6hdr){
		.version = 6,
		.nexthdr = IPPROTO_UDP,
		.payload_len = htons(min_t(size_t, skb->len + sizeof(struct udphdr), U16_MAX)),
		.daddr = sk->sk_v6_rcv_saddr,
	};
	skb->protocol = htons(ETH_P_IPV6);
	/* The scope of a link-local sender is read from here. */
	IP6CB(skb)->iif = from->in6.sin6_scope_id;
}

static void set_sender(struct sk_buff *skb, const struct sock *sk,
		       const union tpi_addr *from)
{
	if (sender_is_inet6(sk, from))
		ipv6_hdr(skb)->saddr = from->in6.sin6_addr;
	else if (strsock_is_inet6(sk))
		ip_hdr(skb)->saddr = from->in6.sin6_addr.s6_addr32[3];
	else
		ip_hdr(skb)->saddr = from->in.sin_addr.s_addr;
}
#else
static bool sender_is_inet6(const struct sock *sk, const union tpi_addr *from)
{
	return false;
}

static void headers6(struct sk_buff *skb, const struct sock *sk, const union tpi_addr *from)
{
}

static void set_sender(struct sk_buff *skb, const struct sock *sk,
		       const union tpi_addr *from)
{
	ip_hdr(skb)->saddr = from->in.sin_addr.s_addr;
}
#endif

/*
 * The sender is the one in the control part; nothing else may be known. false: a module has
 * replaced it by one of the other version of IP, whose headers have no room.
 */
static bool datagram_headers(struct sk_buff *skb, const struct sock *sk,
			     const union tpi_addr *from, bool packet)
{
	bool inet6 = sender_is_inet6(sk, from);

	if (!packet || strsock_came_by_inet6(skb) != inet6) {
		if (skb_headroom(skb) < HEADERS)
			return false;
		memset(skb->cb, 0, sizeof(skb->cb));
		if (inet6)
			headers6(skb, sk, from);
		else
			headers4(skb, sk);
		skb_set_transport_header(skb, -(int)sizeof(struct udphdr));
		*udp_hdr(skb) = (struct udphdr){
			.dest = READ_ONCE(inet_sk(sk)->inet_sport),
			.len = htons(min_t(size_t, skb->len + sizeof(struct udphdr), U16_MAX)),
		};
	}
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	set_sender(skb, sk, from);
	udp_hdr(skb)->source = from->in.sin_port;
	return true;
}

/*
 * Reads the sender of a datagram, an address of size bytes; data without a control part has
 * none. false: the control part is not that of a datagram.
 */
static bool message_from(const mblk_t *mp, union tpi_addr *from, t_scalar_t size)
{
	struct T_unitdata_ind ind;
	const void *src;

	memset(from, 0, sizeof(*from));
	if (DB_TYPE(mp) == M_DATA)
		return true;
	if (!tpi_get(mp, &ind, sizeof(ind)) || ind.SRC_length != size)
		return false;
	src = tpi_span(mp, ind.SRC_offset, ind.SRC_length);
	if (!src)
		return false;
	memcpy(from, src, size);
	return true;
}

/* Puts what came out of the stream on the socket's queue. */
static void rput_datagram(struct strsock_head *h, struct sock *sk, mblk_t *mp)
{
	struct parts parts = {};
	union tpi_addr from;
	struct sk_buff *skb;
	bool inet6;
	int err;

	/*
	 * UDP has no larger ones. After a hangup receive calls take what was
	 * queued, and return 0 then.
	 */
	if (READ_ONCE(h->sd.sd_flag) & STR_HUP ||
	    !message_from(mp, &from, h->end.family->addr_size) || msgdsize(mp) > U16_MAX) {
		freemsg(mp);
		rcv_full(sk, strsock_is_inet6(sk), UDP_MIB_RCVBUFERRORS);
		return;
	}
	inet6 = sender_is_inet6(sk, &from);
	skb = parts_of(&parts, sk, mp);
	if (!skb) {
		rcv_full(sk, inet6, UDP_MIB_MEMERRORS);
		return;
	}
	err = datagram_headers(skb, sk, &from, parts.packet) ? strsock_head_enqueue(h, skb) :
							       -ENOBUFS;
	if (err) {
		kfree_skb(skb);
		rcv_full(sk, inet6, err == -ENOMEM ? UDP_MIB_RCVBUFERRORS : UDP_MIB_MEMERRORS);
	} else if (unlikely(READ_ONCE(h->sd.sd_rwatch)) &&
		   skb_queue_len_lockless(&h->queue) == 1) {
		/*
		 * Checked after it was queued: a reader that found none is
		 * woken.
		 */
		str_notify_read(&h->sd, EPOLLIN | EPOLLRDNORM);
	}
}

/* M_FLUSH takes what waits for receive calls too, of band 0 and without error. */
static void rput_flush(struct strsock_head *h, const mblk_t *mp)
{
	if (MBLKL(mp) < 1 || !(*mp->b_rptr & FLUSHR) ||
	    (*mp->b_rptr & FLUSHBAND && (MBLKL(mp) < 2 || mp->b_rptr[1])))
		return;
	strsock_head_purge(h);
}

/*
 * Messages for getmsg() alone, which may never be taken: they must not grow
 * without bound, nor keep datagrams from arriving. An answer to a request, if
 * there is no place for it among the others, is put before them. Returns NULL
 * if there is no room; the message is freed then.
 */
mblk_t *strsock_head_limited(queue_t *q, mblk_t *mp)
{
	/* As what it takes of memory, and of the one band that is counted there. */
	mp->b_flag |= MSGOBJECT;
	mp->b_band = 0;
	if (READ_ONCE(q->q_count) <= HEAD_MAX)
		return mp;
	if (tpi_type(mp) == T_CAPABILITY_ACK && DB_REF(mp) == 1) {
		DB_TYPE(mp) = M_PCPROTO;
		return mp;
	}
	freemsg(mp);
	return NULL;
}

/* The water marks are not for modules to set: see head_init(). Consumes the message. */
mblk_t *strsock_head_options(mblk_t *mp)
{
	struct stroptions so;

	if (!tpi_get(mp, &so, sizeof(so)) ||
	    !(so.so_flags & (SO_HIWAT | SO_LOWAT)))
		return mp;
	if (DB_REF(mp) > 1) {
		mblk_t *copy = copymsg(mp);

		freemsg(mp);
		mp = copy;
	}
	if (mp) {
		so.so_flags &= ~(SO_HIWAT | SO_LOWAT);
		memcpy(mp->b_rptr, &so, sizeof(so));
	}
	return mp;
}

/* Returns whether a message that leaves the stream is for the socket's queue. */
static bool is_datagram(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_DATA ||
	       (DB_TYPE(mp) == M_PROTO && tpi_type(mp) == T_UNITDATA_IND);
}

/* The stream head's put procedure, in the perimeter: see str_rput(). */
static int head_rput(queue_t *q, mblk_t *mp)
{
	struct strsock_head *h = strsock_head_of_queue(q);
	struct sock *sk = strsock_head_sk(h);
	unsigned char type = DB_TYPE(mp);

	if (is_datagram(mp)) {
		rput_datagram(h, sk, mp);
		return 0;
	}
	mp->b_flag &= ~STRSOCK_HEAD_SHOWN;
	switch (type) {
	case M_FLUSH:
		rput_flush(h, mp);
		break;
	case M_PROTO:
	case M_SIG:
		mp = strsock_head_limited(q, mp);
		break;
	case M_SETOPTS:
		mp = strsock_head_options(mp);
		break;
	}
	if (!mp)
		return 0;
	str_rput(q, mp);
	/* Tasks that wait for the socket wait for this too. */
	switch (type) {
	case M_PROTO:
	case M_PCPROTO:
		sk->sk_data_ready(sk);
		break;
	case M_ERROR:
	case M_HANGUP:
		/* Tasks wait for any other event here, too. */
		if (wq_has_sleeper(sk_sleep(sk)))
			wake_up_interruptible_all(sk_sleep(sk));
		break;
	}
	return 0;
}

static struct module_info strsock_head_info = {
	.mi_idname = "strhead",
	.mi_minpsz = 0,
	.mi_maxpsz = STRMSGSZ,
};

struct qinit strsock_head_rinit = {
	.qi_putp = head_rput,
	.qi_minfo = &strsock_head_info,
};
