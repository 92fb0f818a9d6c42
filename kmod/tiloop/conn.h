/* SPDX-License-Identifier: GPL-2.0-only */
/* Making connections */
#ifndef _TILOOP_CONN_H
#define _TILOOP_CONN_H

#include "end.h"

mblk_t *tiloop_conn_req(struct tiloop_end *ep, mblk_t *mp);
mblk_t *tiloop_conn_res(struct tiloop_end *ep, mblk_t *mp);

/* These functions act on a message from another endpoint, and own it. */
void tiloop_call_arrived(struct tiloop_end *ep, mblk_t *mp);
void tiloop_accept_arrived(struct tiloop_end *ep, mblk_t *mp);
void tiloop_accepted_arrived(struct tiloop_end *ep, mblk_t *mp);
void tiloop_answer_arrived(struct tiloop_end *ep, mblk_t *mp);

#endif /* _TILOOP_CONN_H */
