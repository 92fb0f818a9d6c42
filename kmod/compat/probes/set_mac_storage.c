// SPDX-License-Identifier: GPL-2.0-only
/* 6.16: dev_set_mac_address_user() takes a struct sockaddr_storage */
#include <linux/netdevice.h>

int probe(struct net_device *dev, struct sockaddr_storage *ss);
int probe(struct net_device *dev, struct sockaddr_storage *ss)
{
	return dev_set_mac_address_user(dev, ss, NULL);
}
