// SPDX-License-Identifier: GPL-2.0-only
/* T_UNITDATA_IND: the control part of a datagram for the user */
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <sys/xti_inet.h>

#include "tpi/opt.h"
#include "end.h"
#include "ind.h"

size_t strudp_in_ind_size(unsigned int rcvopts)
{
	return strudp_in_size(rcvopts);
}

/*
 * Writes the control part of a T_UNITDATA_IND: mp has room for it, rcvopts are the options
 * that it is to have, iph and sport the datagram's header and its source port.
 */
static __always_inline void in_ind_fill(mblk_t *mp, unsigned int rcvopts,
					const struct iphdr *iph, __be16 sport)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = sport,
		.sin_addr.s_addr = iph->saddr,
	};
	void *at = tpi_unitdata_ind(mp, &sin, sizeof(sin), strudp_in_options_size(rcvopts));
	u32 tos = iph->tos;

	if (rcvopts & TPI_RCV_DSTADDR)
		at = strtpi_opt_put(at, T_INET_IP, T_IP_RECVDSTADDR, T_SUCCESS,
				    &iph->daddr, sizeof(iph->daddr));
	if (rcvopts & TPI_RCV_TTL)
		at = strtpi_opt_put(at, T_INET_IP, T_IP_TTL, T_SUCCESS, &iph->ttl,
				    sizeof(iph->ttl));
	if (rcvopts & TPI_RCV_TOS)
		strtpi_opt_put(at, T_INET_IP, T_IP_TOS, T_SUCCESS, &tos, sizeof(tos));
}

void strudp_in_skb_fill(mblk_t *mp, unsigned int rcvopts,
			const struct sk_buff *skb)
{
	in_ind_fill(mp, rcvopts, ip_hdr(skb), udp_hdr(skb)->source);
}

void strudp_in_head_fill(mblk_t *mp, unsigned int rcvopts, const struct strudp_head *head)
{
	in_ind_fill(mp, rcvopts, &head->in, head->sport);
}
