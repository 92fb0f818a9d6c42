/* SPDX-License-Identifier: GPL-2.0-only */
/* Options */
#ifndef _STRUDP_OPT_H
#define _STRUDP_OPT_H

#include "end.h"

/* Sleeps. */
mblk_t *strudp_optmgmt(struct strudp_end *ep, mblk_t *mp);

extern const struct tpi_opts strudp_in_opts;
extern const struct tpi_opts strudp_in6_opts;

#endif /* _STRUDP_OPT_H */
