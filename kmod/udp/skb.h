/* SPDX-License-Identifier: GPL-2.0-only */
/* The buffers datagrams are sent in */
#ifndef _STRUDP_SKB_H
#define _STRUDP_SKB_H

#include <linux/ip.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/udp.h>
#include <net/ipv6.h>
#include <net/sock.h>

/* Properties of a device that buffers depend on: it may be removed meanwhile. */
struct strudp_dev {
	unsigned int head;		/* bytes for headers, the device's among them */
	unsigned int spare;		/* bytes that the kernel leaves beyond */
	bool sums;			/* it computes checksums */
	bool pages;			/* it sends data in fragments */
};

#define STRUDP_IP_HEADER(family)						\
	((family) == AF_INET6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr))

/* Under RCU, unless the device cannot be removed */
static __always_inline void strudp_dev_init(struct strudp_dev *to,
					    const struct net_device *dev, int family)
{
	netdev_features_t features = READ_ONCE(dev->features);

	to->head = LL_RESERVED_SPACE(dev) + STRUDP_IP_HEADER(family) + sizeof(struct udphdr);
	/* IPv6 leaves room for a header of fragments. */
	to->spare = family == AF_INET6 ? sizeof(struct frag_hdr) : 15;
	to->sums = features & (NETIF_F_HW_CSUM | (family == AF_INET6 ? NETIF_F_IPV6_CSUM :
								       NETIF_F_IP_CSUM));
	to->pages = !IS_ENABLED(CONFIG_HIGHMEM) && features & NETIF_F_SG;
}

/*
 * Returns a buffer with the data of a message, and room for headers before them, or an
 * error. The sum of the data is in skb->csum, or ip_summed is CHECKSUM_PARTIAL and there is
 * no sum.
 */
struct sk_buff *strudp_skb_make(struct sock *sk, const struct strudp_dev *dev,
				struct msghdr *msg, size_t len, bool charge);

void strudp_skb_exit(void);

#endif /* _STRUDP_SKB_H */
