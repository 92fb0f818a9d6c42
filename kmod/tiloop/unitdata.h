/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams */
#ifndef _TILOOP_UNITDATA_H
#define _TILOOP_UNITDATA_H

#include "end.h"

bool tiloop_unitdata_req(struct tiloop_end *ep, mblk_t *mp);
bool tiloop_waiters_enable_some(struct tiloop_end *ep);
void tiloop_waiters_enable(struct tiloop_end *ep);
void tiloop_wait_end(struct tiloop_end *ep);

#endif /* _TILOOP_UNITDATA_H */
