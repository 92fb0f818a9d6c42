// SPDX-License-Identifier: GPL-2.0-only
/* 6.16: dev_nit_active() enters RCU, and there is one for callers that are in it */
#include <linux/netdevice.h>

bool probe(const struct net_device *dev);
bool probe(const struct net_device *dev)
{
	return dev_nit_active_rcu(dev);
}
