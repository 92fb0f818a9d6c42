/* SPDX-License-Identifier: GPL-2.0-only */
/* Primitives from the user */
#ifndef _TPI_UDP_PRIM_H
#define _TPI_UDP_PRIM_H

#include "end.h"

bool udp_prim_urgent(const mblk_t *mp);
bool udp_prim(queue_t *q, mblk_t *mp);
void udp_prim_finish(queue_t *q);
void udp_wput_back(queue_t *q, mblk_t *mp);
void udp_prim_work(struct work_struct *work);
mblk_t *strudp_request(struct udp_end *ep, mblk_t *mp);

#endif /* _TPI_UDP_PRIM_H */
