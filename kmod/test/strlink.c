// SPDX-License-Identifier: GPL-2.0-only
/*
 * strlink: Ethernet devices whose frames are sent under a transmit lock
 *
 * The frames are counted and dropped. Devices of software have no such lock as a
 * rule, those of hardware have.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <net/rtnetlink.h>

static netdev_tx_t strlink_xmit(struct sk_buff *skb, struct net_device *dev)
{
	DEV_STATS_INC(dev, tx_packets);
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops strlink_ops = {
	.ndo_start_xmit = strlink_xmit,
};

static void strlink_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &strlink_ops;
	dev->needs_free_netdev = true;
	/*
	 * A sender waits for the lock, and does not leave the frame in a queue.
	 */
	dev->priv_flags |= IFF_NO_QUEUE;
	eth_hw_addr_random(dev);
}

static struct rtnl_link_ops strlink_kind = {
	.kind = "strlink",
	.setup = strlink_setup,
};

static int __init strlink_init(void)
{
	return rtnl_link_register(&strlink_kind);
}

static void __exit strlink_exit(void)
{
	rtnl_link_unregister(&strlink_kind);
}

module_init(strlink_init);
module_exit(strlink_exit);

MODULE_DESCRIPTION("Ethernet devices with a transmit lock, for tests of STREAMS");
MODULE_LICENSE("GPL");
