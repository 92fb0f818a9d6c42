/* SPDX-License-Identifier: GPL-2.0-only */
/* The endpoints by address */
#ifndef _TILOOP_ADDR_H
#define _TILOOP_ADDR_H

#include "end.h"

bool tiloop_addr_get(struct tiloop_addr *addr, const mblk_t *mp, t_scalar_t offset,
		     t_scalar_t length);
int tiloop_addr_bind(struct tiloop_end *ep, const struct tiloop_addr *addr, u32 qlen);
void tiloop_addr_unbind(struct tiloop_end *ep);
struct tiloop_end *tiloop_addr_find(const struct tiloop_end *ep,
				    const struct tiloop_addr *addr);
void tiloop_addr_init(void);

#endif /* _TILOOP_ADDR_H */
