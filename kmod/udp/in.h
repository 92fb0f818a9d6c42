/* SPDX-License-Identifier: GPL-2.0-only */
/* UDP over IPv4 */
#ifndef _STRUDP_IN_H
#define _STRUDP_IN_H

#include "family.h"

extern const struct strudp_family udp_in;
bool strudp_in_meet(struct strudp_end *ep, const union tpi_addr *dest, mblk_t *mp,
		    size_t len);
int strudp_in_transmit(struct strudp_end *ep, struct msghdr *msg, size_t len);

#endif /* _STRUDP_IN_H */
