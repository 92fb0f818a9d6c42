/* SPDX-License-Identifier: GPL-2.0-only */
/* The buffers datagrams are sent in */
#ifndef _STRUDP_SKB_H
#define _STRUDP_SKB_H

#include <linux/init.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/sock.h>

/* Properties of a device that buffers depend on: it may be removed meanwhile. */
struct strudp_dev {
	unsigned int head;		/* bytes for the device's header */
	netdev_features_t features;
};

/* Under RCU, unless the device cannot be removed */
static inline void strudp_dev_init(struct strudp_dev *to, const struct net_device *dev)
{
	to->head = LL_RESERVED_SPACE(dev);
	to->features = READ_ONCE(dev->features);
}

/*
 * Returns a buffer with the data of a message, and room for headers before them, or an
 * error. The sum of the data is in skb->csum, or ip_summed is CHECKSUM_PARTIAL and there is
 * no sum.
 */
struct sk_buff *strudp_skb_make(struct sock *sk, const struct strudp_dev *dev,
				struct msghdr *msg, size_t len, bool charge);
void strudp_skb_free(struct sk_buff *skb);

int __init strudp_skb_init(void);
void strudp_skb_exit(void);

#endif /* _STRUDP_SKB_H */
