/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames as they are on the wire */
#ifndef _DLPI_FRAME_H
#define _DLPI_FRAME_H

#include "end.h"

/* The control field of an LLC header */
#define DLPI_LLC_UI	0x03
#define DLPI_LLC_XID	0xaf
#define DLPI_LLC_TEST	0xe3
#define DLPI_LLC_PF	0x10	/* poll or final */

unsigned int dlpi_frame_max_sdu(const struct dlpi_bind *bind,
				const struct net_device *dev);
/* Both functions return NULL when memory is short. */
struct sk_buff *dlpi_frame_segments(struct sk_buff *skb);
struct sk_buff *dlpi_frame_whole(struct sk_buff *skb);
mblk_t *dlpi_frame_data(struct dlpi_end *ep, struct sk_buff *skb);

#endif /* _DLPI_FRAME_H */
