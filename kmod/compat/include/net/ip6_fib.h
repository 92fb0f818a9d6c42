/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_IP6_FIB_H
#define _STRSOCK_COMPAT_NET_IP6_FIB_H

#include_next <net/ip6_fib.h>

/* The first releases of Linux 6.1 do not have it, and take a route that may be written to. */
#ifndef dst_rt6_info

#define dst_rt6_info(dst_)	container_of_const(dst_, struct rt6_info, dst)

static inline struct inet6_dev *ip6_compat_dst_idev(const struct dst_entry *dst)
{
	return dst_rt6_info(dst)->rt6i_idev;
}

#define ip6_dst_idev	ip6_compat_dst_idev

#endif

#endif
