/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages on their way up the stream of an endpoint */
#ifndef _DLPI_UP_H
#define _DLPI_UP_H

#include "end.h"

void dlpi_up_drop(struct dlpi_end *ep, const char *reason);
/*
 * Sends up a message, behind those that wait. The caller is under RCU and found
 * ep->open set. @later: the caller holds locks of the network, so no procedure
 * may run now.
 */
void dlpi_up_pass(struct dlpi_end *ep, mblk_t *mp, bool later);
/* Sends up the messages that wait; the caller is inside the perimeter. */
void dlpi_up_waiting(struct dlpi_end *ep);
/* Frees the waiting messages; the caller knows that no tap runs any more. */
void dlpi_up_forget(struct dlpi_end *ep);
/* Sends up a primitive with addresses and the data of a frame, both consumed. */
void dlpi_up_frame(struct dlpi_end *ep, mblk_t *mp, struct sk_buff *skb);

/* Returns whether the host sends a frame: the transmit lock of its device is held. */
static inline bool dlpi_up_is_sent(const struct sk_buff *skb)
{
	return skb->pkt_type == PACKET_OUTGOING;
}

#endif /* _DLPI_UP_H */
