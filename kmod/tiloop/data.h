/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of connections */
#ifndef _TILOOP_DATA_H
#define _TILOOP_DATA_H

#include "end.h"

bool tiloop_data_req(struct tiloop_end *ep, mblk_t *mp);
bool tiloop_ordrel_req(struct tiloop_end *ep, mblk_t *mp);
void tiloop_peer_enable(const struct tiloop_end *ep);
void tiloop_data_discard(queue_t *q);

/* These functions act on a message from the peer, and own it. */
void tiloop_data_arrived(struct tiloop_end *ep, mblk_t *mp);
void tiloop_ordrel_arrived(struct tiloop_end *ep, mblk_t *mp);

#endif /* _TILOOP_DATA_H */
