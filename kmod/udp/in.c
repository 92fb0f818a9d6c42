// SPDX-License-Identifier: GPL-2.0-only
/* The UDP provider over IPv4 (AF_INET). Datagrams that arrive are received in rcv.c. */
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/inet_sock.h>

#include "end.h"
#include "family.h"
#include "hook.h"
#include "in.h"
#include "ind.h"
#include "opt.h"
#include "send.h"
#include "udp.h"

static void in_bound(const struct sock *sk, union tpi_addr *addr)
{
	const struct inet_sock *inet = inet_sk(sk);

	addr->in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = inet->inet_sport,
		.sin_addr.s_addr = inet->inet_saddr,
	};
}

bool strudp_in_meet(struct strudp_end *ep, const union tpi_addr *dest, mblk_t *mp,
		    size_t len)
{
	return strudp_send_message(ep->sock->sk, &ep->cache, &dest->in, mp, len);
}

int strudp_in_transmit(struct strudp_end *ep, struct msghdr *msg, size_t len)
{
	return strudp_sendmsg(ep->sock->sk, &ep->cache, msg, len);
}

static bool in_error_dest(const struct sk_buff *skb, __be16 port,
			  union tpi_addr *dest)
{
	const struct iphdr *iph = (const struct iphdr *)skb->data;

	dest->in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = iph->daddr,
	};
	return strudp_icmp_is_hard(skb);
}

const struct strudp_family udp_in = {
	.domain = PF_INET,
	.addr_size = sizeof(struct sockaddr_in),
	.tsdu = UDP_MAX_PAYLOAD,
	.opts = &strudp_in_opts,
	.bound = in_bound,
	.meet = strudp_in_meet,
	.transmit = strudp_in_transmit,
	.ind_size = strudp_in_ind_size,
	.ind_fill = strudp_in_skb_fill,
	.ind_fill_head = strudp_in_head_fill,
	.error_dest = in_error_dest,
};
