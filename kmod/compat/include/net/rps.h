/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_RPS_H
#define _STRSOCK_COMPAT_NET_RPS_H

#include <net/sock.h>
#include "strsock_features.h"

#ifdef HAVE_NET_RPS
#include_next <net/rps.h>
#include <net/netdev_rx_queue.h>
#endif

/* Returns whether packets that a device receives on its first queue may change processor. */
static inline bool netdev_steers_packets(const struct net_device *dev)
{
#ifdef CONFIG_RPS
	/* The flow table is a pointer, or a number that contains one. */
	return (unsigned long)rcu_access_pointer(dev->_rx->rps_map) |
	       (__force unsigned long)READ_ONCE(dev->_rx->rps_flow_table);
#else
	return false;
#endif
}

#endif
