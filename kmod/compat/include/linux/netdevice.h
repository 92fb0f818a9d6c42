/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_NETDEVICE_H
#define _STRSOCK_COMPAT_LINUX_NETDEVICE_H

#include_next <linux/netdevice.h>
#include "strsock_features.h"

/* Whether traffic control has programs for what a device sends or receives. */
static inline bool netdev_has_tc(const struct net_device *dev)
{
#ifdef CONFIG_NET_CLS_ACT
#ifdef HAVE_NETDEV_TCX
	return (unsigned long)rcu_access_pointer(dev->tcx_ingress) |
	       (unsigned long)rcu_access_pointer(dev->tcx_egress);
#else
	return (unsigned long)rcu_access_pointer(dev->miniq_ingress) |
	       (unsigned long)rcu_access_pointer(dev->miniq_egress);
#endif
#else
	return false;
#endif
}

#endif
