/* SPDX-License-Identifier: GPL-2.0-only */
/* Connecting, and the end of connections */
#ifndef _TPI_INET_CONN_H
#define _TPI_INET_CONN_H

#include "sock.h"

void strinet_conn_req(struct inet_end *ep, mblk_t *mp);
void strinet_conn_up(struct inet_end *ep);
void strinet_discon_req(struct inet_end *ep, mblk_t *mp);
void strinet_conn_lost(struct inet_end *ep, int err);
void strinet_conn_over(struct inet_end *ep, enum inet_farewell how);

#endif /* _TPI_INET_CONN_H */
