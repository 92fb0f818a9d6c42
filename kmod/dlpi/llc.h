/* SPDX-License-Identifier: GPL-2.0-only */
/* Logical Link Control: XID and TEST */
#ifndef _DLPI_LLC_H
#define _DLPI_LLC_H

#include "end.h"

bool dlpi_llc_req(queue_t *q, mblk_t *mp, u32 prim);
/* Handles a frame for an LLC SAP, skb->data at its link header; consumes it. */
void dlpi_llc_rcv(struct dlpi_end *ep, const struct dlpi_bind *bind,
		  struct sk_buff *skb, struct net_device *dev);

#endif /* _DLPI_LLC_H */
