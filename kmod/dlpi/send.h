/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames that an endpoint sends */
#ifndef _DLPI_SEND_H
#define _DLPI_SEND_H

#include "end.h"

bool dlpi_unitdata_req(queue_t *q, mblk_t *mp);
bool dlpi_raw_req(queue_t *q, mblk_t *mp);
bool dlpi_send_has_room(struct dlpi_end *ep);
/*
 * Sends a frame. Returns a DL error, or -1 when the frame was sent. @ctl: the
 * LLC control field, @rsp: a response.
 */
int dlpi_send(struct dlpi_end *ep, struct net_device *dev,
	      const struct dlpi_addr *to, u8 ctl, bool rsp, const mblk_t *data);
/* Sends the provider's own answer to a frame, with the data given. */
void dlpi_send_answer(struct dlpi_end *ep, const struct dlpi_bind *bind,
		      struct net_device *dev, const u8 *hw, u8 dsap, u8 ctl,
		      const void *data, size_t len);
int dlpi_send_header(struct dlpi_end *ep, struct net_device *dev,
		     const struct dlpi_addr *to, struct ethhdr *eth);

#endif /* _DLPI_SEND_H */
