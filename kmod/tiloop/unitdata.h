/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams */
#ifndef _TPI_LOOP_UNITDATA_H
#define _TPI_LOOP_UNITDATA_H

#include "end.h"

bool tiloop_unitdata_req(struct loop_end *ep, mblk_t *mp);
void tiloop_waiters_enable(struct loop_end *ep);
void tiloop_wait_end(struct loop_end *ep);

#endif /* _TPI_LOOP_UNITDATA_H */
