/* SPDX-License-Identifier: GPL-2.0-only */
/* The buffers datagrams are sent in */
#ifndef _STRUDP_SKB_H
#define _STRUDP_SKB_H

#include <linux/init.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/sock.h>

/*
 * A buffer with the data of a message, and room for headers before them; the
 * data's sum is in skb->csum, or ip_summed is CHECKSUM_PARTIAL and there is
 * none. Or an error.
 */
struct sk_buff *strudp_skb_make(struct sock *sk, const struct net_device *dev,
				struct msghdr *msg, size_t len, bool charge);
void strudp_skb_free(struct sk_buff *skb);

int __init strudp_skb_init(void);
void strudp_skb_exit(void);

#endif /* _STRUDP_SKB_H */
