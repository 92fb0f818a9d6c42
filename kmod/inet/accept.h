/* SPDX-License-Identifier: GPL-2.0-only */
/* Listening, and handing connections over */
#ifndef _TPI_INET_ACCEPT_H
#define _TPI_INET_ACCEPT_H

#include "end.h"

void strinet_listen_up(struct inet_end *ep);
/* false: it is tried again later, which has been arranged. */
bool strinet_conn_res(struct inet_end *ep, mblk_t *mp);
struct inet_pending *strinet_pending_find(struct inet_end *ep, t_scalar_t seq);
void strinet_pending_end(struct inet_end *ep, struct inet_pending *p);

#endif /* _TPI_INET_ACCEPT_H */
