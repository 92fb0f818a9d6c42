/* SPDX-License-Identifier: GPL-2.0-only */
/* Primitives from the user */
#ifndef _STRUDP_PRIM_H
#define _STRUDP_PRIM_H

#include "end.h"

bool strudp_prim(queue_t *q, mblk_t *mp);
void strudp_prim_finish(queue_t *q);
void strudp_wput_back(queue_t *q, mblk_t *mp);
void strudp_prim_work(struct work_struct *work);
mblk_t *strudp_request(struct strudp_end *ep, mblk_t *mp);

#endif /* _STRUDP_PRIM_H */
