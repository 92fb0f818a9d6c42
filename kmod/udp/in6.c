// SPDX-License-Identifier: GPL-2.0-only
/*
 * The UDP provider over IPv6
 *
 * Its socks are the kernel's of both families: an address of IPv4, mapped to
 * one of IPv6, is reached by IPv4 and handled by in.c.
 */
#include <linux/icmpv6.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <sys/xti_inet.h>

#include "end.h"
#include "family.h"
#include "hook.h"
#include "in.h"
#include "in6.h"
#include "ind.h"
#include "opt.h"
#include "send.h"

static void in6_bound(const struct sock *sk, union tpi_addr *addr)
{
	const struct in6_addr *own = &inet6_sk(sk)->saddr;

	if (ipv6_addr_any(own))
		own = &sk->sk_v6_rcv_saddr;
	addr->in6 = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_sport,
		.sin6_addr = *own,
		.sin6_scope_id = ipv6_iface_scope_id(own, sk->sk_bound_dev_if),
	};
}

/* Returns whether a destination is reached by IPv4, and sets it as IPv4 has it. */
static bool dest_is_mapped(const struct sock *sk, const struct sockaddr_in6 *sin6,
			   struct sockaddr_in *sin)
{
	*sin = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = sin6->sin6_port,
		.sin_addr.s_addr = sin6->sin6_addr.s6_addr32[3],
	};
	return ipv6_addr_v4mapped(&sin6->sin6_addr) && !ipv6_only_sock(sk);
}

static bool in6_meet(struct strudp_end *ep, const union tpi_addr *dest, mblk_t *mp,
		     size_t len)
{
	struct sock *sk = ep->sock->sk;
	struct sockaddr_in sin;

	if (dest_is_mapped(sk, &dest->in6, &sin))
		return strudp_send_message(sk, &ep->cache, &sin, mp, len);
	return strudp_send_message6(sk, &ep->cache, &dest->in6, mp, len);
}

static int in6_transmit(struct strudp_end *ep, struct msghdr *msg, size_t len)
{
	struct sock *sk = ep->sock->sk;
	struct sockaddr_in sin;

	/* A socket's call to its peer has no name. */
	if (!msg->msg_name || !dest_is_mapped(sk, msg->msg_name, &sin))
		return strudp_sendmsg6(sk, &ep->cache, msg, len);
	msg->msg_name = &sin;
	msg->msg_namelen = sizeof(sin);
	return strudp_sendmsg(sk, &ep->cache, msg, len);
}

static size_t strudp_in6_options_size(unsigned int rcvopts)
{
	size_t size = 0;

	if (rcvopts & TPI_RCV_DSTADDR)
		size += strudp_ind_option_size(sizeof(struct in6_pktinfo));
	if (rcvopts & TPI_RCV_TTL)
		size += strudp_ind_option_size(sizeof(u32));
	if (rcvopts & TPI_RCV_TOS)
		size += strudp_ind_option_size(sizeof(u32));
	return size;
}

static size_t in6_ind_size(unsigned int rcvopts)
{
	return sizeof(struct T_unitdata_ind) + sizeof(struct sockaddr_in6) +
	       strudp_in6_options_size(rcvopts);
}

/* Converts options from a datagram's header, of either version of IP. */
struct in6_head {
	struct in6_addr saddr;
	struct in6_pktinfo info;
	u32 hops;
	u32 tclass;
};

/* The headers are at hdr, and the datagram arrived by the interface iif. */
static void head_read(struct in6_head *head, const void *hdr, int iif)
{
	const struct iphdr *iph = hdr;
	const struct ipv6hdr *ip6h = hdr;

	head->info.ipi6_ifindex = iif;
	if (iph->version == 4) {
		ipv6_addr_set_v4mapped(iph->saddr, &head->saddr);
		ipv6_addr_set_v4mapped(iph->daddr, &head->info.ipi6_addr);
		head->hops = iph->ttl;
		head->tclass = iph->tos;
	} else {
		head->saddr = ip6h->saddr;
		head->info.ipi6_addr = ip6h->daddr;
		head->hops = ip6h->hop_limit;
		head->tclass = ipv6_get_dsfield(ip6h);
	}
}

static void ind_fill(mblk_t *mp, unsigned int rcvopts, const void *hdr, int iif, __be16 sport)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6,
		.sin6_port = sport,
	};
	struct in6_head head;
	void *at;

	head_read(&head, hdr, iif);
	sin6.sin6_addr = head.saddr;
	sin6.sin6_scope_id = ipv6_iface_scope_id(&head.saddr,
						 head.info.ipi6_ifindex);
	at = tpi_unitdata_ind(mp, &sin6, sizeof(sin6), strudp_in6_options_size(rcvopts));
	if (rcvopts & TPI_RCV_DSTADDR)
		at = strtpi_opt_put(at, T_INET_IPV6, T_IPV6_PKTINFO, T_SUCCESS,
				    &head.info, sizeof(head.info));
	if (rcvopts & TPI_RCV_TTL)
		at = strtpi_opt_put(at, T_INET_IPV6, T_IPV6_HOPLIMIT, T_SUCCESS,
				    &head.hops, sizeof(head.hops));
	if (rcvopts & TPI_RCV_TOS)
		strtpi_opt_put(at, T_INET_IPV6, T_IPV6_TCLASS, T_SUCCESS, &head.tclass,
			       sizeof(head.tclass));
}

static void in6_ind_fill(mblk_t *mp, unsigned int rcvopts,
			 const struct sk_buff *skb)
{
	int iif = skb->protocol == htons(ETH_P_IP) ? inet_iif(skb) : inet6_iif(skb);

	ind_fill(mp, rcvopts, skb_network_header(skb), iif, udp_hdr(skb)->source);
}

static void in6_head_fill(mblk_t *mp, unsigned int rcvopts, const struct strudp_head *head)
{
	ind_fill(mp, rcvopts, head, head->iif, head->sport);
}

/*
 * Does for ICMPv6 what strudp_icmp_is_hard() does: RFC 4443, as the kernel's
 * UDP applies it.
 */
static bool icmp6_is_hard(const struct sk_buff *skb)
{
	const struct icmp6hdr *icmp = icmp6_hdr(skb);
	int err;

	return icmp->icmp6_type == ICMPV6_PKT_TOOBIG ||
	       icmpv6_err_convert(icmp->icmp6_type, icmp->icmp6_code, &err);
}

static bool in6_error_dest(const struct sk_buff *skb, __be16 port,
			   union tpi_addr *dest)
{
	const struct ipv6hdr *hdr = (const struct ipv6hdr *)skb->data;
	const struct iphdr *iph = (const struct iphdr *)skb->data;

	dest->in6 = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_port = port,
	};
	if (iph->version == 4) {
		ipv6_addr_set_v4mapped(iph->daddr, &dest->in6.sin6_addr);
		return strudp_icmp_is_hard(skb);
	}
	dest->in6.sin6_addr = hdr->daddr;
	dest->in6.sin6_scope_id = ipv6_iface_scope_id(&hdr->daddr,
						      inet6_iif(skb));
	return icmp6_is_hard(skb);
}

const struct strudp_family udp_in6 = {
	.domain = PF_INET6,
	.addr_size = sizeof(struct sockaddr_in6),
	.tsdu = UDP6_MAX_PAYLOAD,
	.opts = &strudp_in6_opts,
	.begin = strudp_hook_inet6,
	.bound = in6_bound,
	.meet = in6_meet,
	.transmit = in6_transmit,
	.ind_size = in6_ind_size,
	.ind_fill = in6_ind_fill,
	.ind_fill_head = in6_head_fill,
	.error_dest = in6_error_dest,
};
