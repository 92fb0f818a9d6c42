/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams */
#ifndef _STRINET_DGRAM_H
#define _STRINET_DGRAM_H

#include "end.h"

/* Returns false if the message has to wait for room below. */
bool strinet_unitdata_req(struct strinet_end *ep, mblk_t *mp);
extern const struct strinet_data_ops inet_dgram_data;

#endif /* _STRINET_DGRAM_H */
