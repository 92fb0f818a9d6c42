/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_IPV6_H
#define _STRSOCK_COMPAT_NET_IPV6_H

#include_next <net/ipv6.h>
#include "strsock_features.h"

#if IS_ENABLED(CONFIG_IPV6)

/* Some kernels keep a socket's options of IPv6 as bit fields, not as flags. */
#ifndef inet6_test_bit

#define inet6_test_bit(nr, sk)	inet6_compat_test_##nr(inet6_sk(sk))

static inline bool inet6_compat_test_RECVERR6(const struct ipv6_pinfo *np)
{
	return np->recverr;
}

static inline bool inet6_compat_test_AUTOFLOWLABEL(const struct ipv6_pinfo *np)
{
	return np->autoflowlabel;
}

static inline bool inet6_compat_test_AUTOFLOWLABEL_SET(const struct ipv6_pinfo *np)
{
	return np->autoflowlabel_set;
}

#endif

/*
 * IP is asked to send a packet of len bytes. Kernels that do not count that apart count the
 * packet as sent.
 */
static inline void count_out_request6(struct net *net, struct inet6_dev *idev,
				      unsigned int len)
{
#ifdef HAVE_IPSTATS_OUT_REQUESTS
	IP6_INC_STATS(net, idev, IPSTATS_MIB_OUTREQUESTS);
#else
	IP6_UPD_PO_STATS(net, idev, IPSTATS_MIB_OUT, len);
#endif
}

/* IP has sent a packet, with bottom halves off. */
static inline void count_out6(struct net *net, struct inet6_dev *idev, unsigned int len)
{
#ifdef HAVE_IPSTATS_OUT_REQUESTS
	__IP6_UPD_PO_STATS(net, idev, IPSTATS_MIB_OUT, len);
#endif
}

#endif

#endif
