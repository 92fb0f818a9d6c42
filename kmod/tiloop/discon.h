/* SPDX-License-Identifier: GPL-2.0-only */
/* Ending connections */
#ifndef _TPI_LOOP_DISCON_H
#define _TPI_LOOP_DISCON_H

#include "end.h"

mblk_t *tiloop_discon_req(struct loop_end *ep, mblk_t *mp);
void tiloop_discon_ind(struct loop_end *ep, mblk_t *mp, int reason);
void tiloop_end_leave(struct loop_end *ep);

/* Acts on a message from another endpoint, and owns it. */
void tiloop_discon_arrived(struct loop_end *ep, mblk_t *mp);

/* Calls that wait at a listener */
void tiloop_call_drop(struct loop_end *ep, struct loop_call *call);
void tiloop_call_refuse(struct loop_end *ep, struct loop_call *call, int reason,
			mblk_t *data);
void tiloop_call_gone(struct loop_end *ep, struct loop_call *call, mblk_t *mp);
struct loop_call *tiloop_call_find(struct loop_end *ep, u32 seq);

#endif /* _TPI_LOOP_DISCON_H */
