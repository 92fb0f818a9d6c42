/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams */
#ifndef _TPI_INET_DGRAM_H
#define _TPI_INET_DGRAM_H

#include "end.h"

/* false: the message has to wait for room below. */
bool strinet_unitdata_req(struct inet_end *ep, mblk_t *mp);
extern const struct inet_data_ops inet_dgram_data;

#endif /* _TPI_INET_DGRAM_H */
