// SPDX-License-Identifier: GPL-2.0-only
/* The UDP provider over IPv4 */
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/inet_sock.h>
#include <sys/xti_inet.h>

#include "udp.h"
#include "udp_end.h"
#include "udp_family.h"

static void in_bound(const struct sock *sk, union udp_addr *addr)
{
	const struct inet_sock *inet = inet_sk(sk);

	addr->in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = inet->inet_sport,
		.sin_addr.s_addr = inet->inet_saddr,
	};
}

int udp_in_send_option(struct udp_send *s, const struct T_opthdr *oh,
		       const void *at)
{
	u32 value;
	int type = tpi_opt_in(oh, at, &value, &s->flags);

	return type > 0 ? udp_send_control(s, SOL_IP, type, &value,
					   sizeof(value)) : type;
}

bool udp_in_meet(struct udp_end *ep, const union udp_addr *dest, mblk_t *mp,
		 size_t len)
{
	return udp_send_message(ep->sock->sk, &ep->cache, &dest->in, mp, len);
}

int udp_in_transmit(struct udp_end *ep, struct msghdr *msg, size_t len)
{
	return strudp_sendmsg(ep->sock->sk, &ep->cache, msg, len);
}

static size_t options_size(unsigned int rcvopts)
{
	return hweight32(rcvopts) * udp_ind_option_size(sizeof(u32));
}

size_t udp_in_ind_size(unsigned int rcvopts)
{
	return sizeof(struct T_unitdata_ind) + sizeof(struct sockaddr_in) +
	       options_size(rcvopts);
}

/**
 * udp_in_ind_fill() - write the control part of a T_UNITDATA_IND
 * @mp: a block with room for it
 * @rcvopts: RCVOPT_DSTADDR ...: the options that it is to have
 * @iph: the datagram's header
 * @sport: its source port
 */
void udp_in_ind_fill(mblk_t *mp, unsigned int rcvopts, const struct iphdr *iph,
		     __be16 sport)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = sport,
		.sin_addr.s_addr = iph->saddr,
	};
	void *at = udp_ind_begin(mp, &sin, sizeof(sin), options_size(rcvopts));
	u32 tos = iph->tos;

	if (rcvopts & RCVOPT_DSTADDR)
		at = udp_ind_option(at, T_INET_IP, T_IP_RECVDSTADDR,
				    &iph->daddr, sizeof(iph->daddr));
	if (rcvopts & RCVOPT_TTL)
		at = udp_ind_option(at, T_INET_IP, T_IP_TTL, &iph->ttl,
				    sizeof(iph->ttl));
	if (rcvopts & RCVOPT_TOS)
		udp_ind_option(at, T_INET_IP, T_IP_TOS, &tos, sizeof(tos));
}

void udp_in_skb_fill(mblk_t *mp, unsigned int rcvopts,
		     const struct sk_buff *skb)
{
	udp_in_ind_fill(mp, rcvopts, ip_hdr(skb), udp_hdr(skb)->source);
}

static bool in_error_dest(const struct sk_buff *skb, __be16 port,
			  union udp_addr *dest)
{
	const struct iphdr *iph = (const struct iphdr *)skb->data;

	dest->in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = iph->daddr,
	};
	return strudp_icmp_is_hard(skb);
}

const struct udp_family udp_in = {
	.domain = PF_INET,
	.addr_size = sizeof(struct sockaddr_in),
	.tsdu = UDP_MAX_PAYLOAD,
	.opts = &udp_in_opts,
	.bound = in_bound,
	.send_option = udp_in_send_option,
	.meet = udp_in_meet,
	.transmit = udp_in_transmit,
	.ind_size = udp_in_ind_size,
	.ind_fill = udp_in_skb_fill,
	.error_dest = in_error_dest,
};
