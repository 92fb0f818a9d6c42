/* SPDX-License-Identifier: GPL-2.0-only */
/* Ending connections */
#ifndef _TILOOP_DISCON_H
#define _TILOOP_DISCON_H

#include "end.h"

mblk_t *tiloop_discon_req(struct tiloop_end *ep, mblk_t *mp);
void tiloop_discon_ind(struct tiloop_end *ep, mblk_t *mp, int reason);
void tiloop_end_leave(struct tiloop_end *ep);

/* Acts on a message from another endpoint, and owns it. */
void tiloop_discon_arrived(struct tiloop_end *ep, mblk_t *mp);

/* These functions are for calls that wait at a listener. */
void tiloop_call_drop(struct tiloop_end *ep, struct tiloop_call *call);
void tiloop_call_refuse(struct tiloop_end *ep, struct tiloop_call *call, int reason,
			mblk_t *data);
void tiloop_call_gone(struct tiloop_end *ep, struct tiloop_call *call, mblk_t *mp);
struct tiloop_call *tiloop_call_find(struct tiloop_end *ep, u32 seq);

#endif /* _TILOOP_DISCON_H */
