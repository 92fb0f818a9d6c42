/* SPDX-License-Identifier: GPL-2.0-only */
/* Listening, and handing connections over */
#ifndef _STRINET_ACCEPT_H
#define _STRINET_ACCEPT_H

#include "end.h"

void strinet_listen_up(struct strinet_end *ep);
/*
 * Returns false if the primitive is tried again later, which has been arranged.
 */
bool strinet_conn_res(struct strinet_end *ep, mblk_t *mp);
struct strinet_pending *strinet_pending_find(struct strinet_end *ep, t_scalar_t seq);
void strinet_pending_end(struct strinet_end *ep, struct strinet_pending *p);

#endif /* _STRINET_ACCEPT_H */
