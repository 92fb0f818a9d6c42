// SPDX-License-Identifier: GPL-2.0-only
/* The UDP provider over IPv4 */
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/udp.h>
#include <net/inet_sock.h>
#include <sys/xti_inet.h>

#include "end.h"
#include "family.h"
#include "hook.h"
#include "in.h"
#include "ind.h"
#include "opt.h"
#include "send.h"
#include "udp.h"

static void in_bound(const struct sock *sk, union udp_addr *addr)
{
	const struct inet_sock *inet = inet_sk(sk);

	addr->in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = inet->inet_sport,
		.sin_addr.s_addr = inet->inet_saddr,
	};
}

/**
 * strudp_send_control() - add a control message to a datagram to send
 * @s: the datagram
 * @level: SOL_IP ...
 * @type: IP_TTL ...
 * @value: its data
 * @len: their bytes
 *
 * Return: 0, or -EINVAL when there are too many.
 */
int strudp_send_control(struct strudp_send *s, int level, int type,
			const void *value, size_t len)
{
	struct cmsghdr *hdr = (struct cmsghdr *)(s->control + s->control_len);

	if (CMSG_SPACE(len) > sizeof(s->control) - s->control_len)
		return -EINVAL;
	hdr->cmsg_len = CMSG_LEN(len);
	hdr->cmsg_level = level;
	hdr->cmsg_type = type;
	memcpy(CMSG_DATA(hdr), value, len);
	s->control_len += CMSG_SPACE(len);
	return 0;
}

int strudp_in_send_option(struct strudp_send *s, const struct T_opthdr *oh,
			  const void *at)
{
	u32 value;
	int type = strtpi_opt_in(oh, at, &value, &s->flags);

	return type > 0 ? strudp_send_control(s, SOL_IP, type, &value,
					      sizeof(value)) : type;
}

bool strudp_in_meet(struct strudp_end *ep, const union udp_addr *dest, mblk_t *mp,
		    size_t len)
{
	return strudp_send_message(ep->sock->sk, &ep->cache, &dest->in, mp, len);
}

int strudp_in_transmit(struct strudp_end *ep, struct msghdr *msg, size_t len)
{
	return strudp_sendmsg(ep->sock->sk, &ep->cache, msg, len);
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

const struct strudp_family udp_in = {
	.domain = PF_INET,
	.addr_size = sizeof(struct sockaddr_in),
	.tsdu = UDP_MAX_PAYLOAD,
	.opts = &strudp_in_opts,
	.bound = in_bound,
	.send_option = strudp_in_send_option,
	.meet = strudp_in_meet,
	.transmit = strudp_in_transmit,
	.ind_size = strudp_in_ind_size,
	.ind_fill = strudp_in_skb_fill,
	.error_dest = in_error_dest,
};
