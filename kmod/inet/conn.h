/* SPDX-License-Identifier: GPL-2.0-only */
/* Connecting, and the end of connections */
#ifndef _TPI_INET_CONN_H
#define _TPI_INET_CONN_H

#include "sock.h"

void inet_conn_req(struct inet_end *ep, mblk_t *mp);
void inet_conn_up(struct inet_end *ep);
void inet_discon_req(struct inet_end *ep, mblk_t *mp);
void inet_conn_lost(struct inet_end *ep, int err);
void inet_conn_over(struct inet_end *ep, enum inet_farewell how);

#endif /* _TPI_INET_CONN_H */
