/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames that arrive for an endpoint from its device */
#ifndef _DLPI_RCV_H
#define _DLPI_RCV_H

#include "end.h"

/* A tap's function runs in softirq. */
int dlpi_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
	     struct net_device *orig_dev);

#endif /* _DLPI_RCV_H */
