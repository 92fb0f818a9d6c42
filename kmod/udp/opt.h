/* SPDX-License-Identifier: GPL-2.0-only */
/* Options */
#ifndef _TPI_UDP_OPT_H
#define _TPI_UDP_OPT_H

#include "end.h"

/* Sleeps. */
mblk_t *strudp_optmgmt(struct udp_end *ep, mblk_t *mp);

extern const struct tpi_opts udp_in_opts;
extern const struct tpi_opts udp_in6_opts;

#endif /* _TPI_UDP_OPT_H */
