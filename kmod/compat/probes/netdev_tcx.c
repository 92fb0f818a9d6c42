// SPDX-License-Identifier: GPL-2.0-only
/* 6.6: tc's programs for a device are in tcx_ingress, tcx_egress */
#include <linux/netdevice.h>

bool probe(const struct net_device *dev);
bool probe(const struct net_device *dev)
{
	return rcu_access_pointer(dev->tcx_ingress) ||
	       rcu_access_pointer(dev->tcx_egress);
}
