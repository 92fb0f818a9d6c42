/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_IP_H
#define _STRSOCK_COMPAT_NET_IP_H

#include_next <net/ip.h>
#include "strsock_features.h"

/*
 * Asks IP to send a packet, with bottom halves off; the packets sent are
 * counted too.
 */
static inline void count_out_request(struct net *net)
{
#ifdef HAVE_IPSTATS_OUT_REQUESTS
	__IP_INC_STATS(net, IPSTATS_MIB_OUTREQUESTS);
#endif
}

#endif
