/* SPDX-License-Identifier: GPL-2.0-only */
/* T_UNITDATA_REQ */
#ifndef _TPI_UDP_UNITDATA_H
#define _TPI_UDP_UNITDATA_H

#include "end.h"

bool strudp_unitdata_sleeps(const struct udp_end *ep);
bool strudp_unitdata_req(struct udp_end *ep, mblk_t *mp, mblk_t **answer);
int strudp_send_request(struct udp_end *ep, mblk_t *mp,
			const struct msghdr *how);
mblk_t *strudp_send_error(const struct udp_end *ep, mblk_t *mp, int err);

#endif /* _TPI_UDP_UNITDATA_H */
