/* SPDX-License-Identifier: GPL-2.0-only */
/* T_UNITDATA_REQ */
#ifndef _STRUDP_UNITDATA_H
#define _STRUDP_UNITDATA_H

#include "end.h"

struct str_errand_ops;

extern const struct str_errand_ops strudp_unitdata_errands;

bool strudp_unitdata_req(struct strudp_end *ep, mblk_t *mp, mblk_t **answer);
int strudp_send_request(struct strudp_end *ep, mblk_t *mp,
			const struct msghdr *how);
mblk_t *strudp_send_error(const struct strudp_end *ep, mblk_t *mp, int err);

#endif /* _STRUDP_UNITDATA_H */
