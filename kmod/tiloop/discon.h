/* SPDX-License-Identifier: GPL-2.0-only */
/* Ending connections */
#ifndef _TPI_LOOP_DISCON_H
#define _TPI_LOOP_DISCON_H

#include "end.h"

mblk_t *loop_discon_req(struct loop_end *ep, mblk_t *mp);
void loop_discon_ind(struct loop_end *ep, mblk_t *mp, int reason);
void loop_end_leave(struct loop_end *ep);

/* Acts on a message from another endpoint, and owns it. */
void loop_discon_arrived(struct loop_end *ep, mblk_t *mp);

/* Calls that wait at a listener */
void loop_call_drop(struct loop_end *ep, struct loop_call *call);
void loop_call_refuse(struct loop_end *ep, struct loop_call *call, int reason,
		      mblk_t *data);
void loop_call_gone(struct loop_end *ep, struct loop_call *call, mblk_t *mp);
struct loop_call *loop_call_find(struct loop_end *ep, u32 seq);

#endif /* _TPI_LOOP_DISCON_H */
