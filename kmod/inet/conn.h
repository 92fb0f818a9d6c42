/* SPDX-License-Identifier: GPL-2.0-only */
/* Connecting, and the end of connections */
#ifndef _STRINET_CONN_H
#define _STRINET_CONN_H

#include "sock.h"

void strinet_conn_req(struct strinet_end *ep, mblk_t *mp);
void strinet_conn_up(struct strinet_end *ep);
void strinet_discon_req(struct strinet_end *ep, mblk_t *mp);
void strinet_conn_lost(struct strinet_end *ep, int err);
void strinet_conn_over(struct strinet_end *ep, enum inet_farewell how);

#endif /* _STRINET_CONN_H */
