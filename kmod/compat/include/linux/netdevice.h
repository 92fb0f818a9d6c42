/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_NETDEVICE_H
#define _STRSOCK_COMPAT_LINUX_NETDEVICE_H

#include_next <linux/netdevice.h>
#include "strsock_features.h"

/* Returns whether traffic control has programs for what a device sends or receives. */
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

/*
 * Returns whether packet sockets see what a device sends or receives. The
 * caller holds rcu_read_lock().
 */
static inline bool netdev_has_taps(struct net_device *dev)
{
#ifdef HAVE_DEV_NIT_ACTIVE_RCU
	return dev_nit_active_rcu(dev);
#else
	return dev_nit_active(dev);
#endif
}

/* Gives a device a hardware address, under the RTNL. Returns 0 or an error. */
static inline int compat_set_mac_address(struct net_device *dev,
					 struct sockaddr_storage *ss)
{
#ifdef HAVE_SET_MAC_STORAGE
	return dev_set_mac_address_user(dev, ss, NULL);
#else
	return dev_set_mac_address_user(dev, (struct sockaddr *)ss, NULL);
#endif
}

#endif
