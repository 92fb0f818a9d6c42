/* SPDX-License-Identifier: GPL-2.0-only */
/* The endpoints by address */
#ifndef _TPI_LOOP_ADDR_H
#define _TPI_LOOP_ADDR_H

#include "end.h"

bool tiloop_addr_get(struct loop_addr *addr, const mblk_t *mp, t_scalar_t offset,
		     t_scalar_t length);
int tiloop_addr_bind(struct loop_end *ep, const struct loop_addr *addr, u32 qlen);
void tiloop_addr_unbind(struct loop_end *ep);
struct loop_end *tiloop_addr_find(const struct loop_end *ep,
				  const struct loop_addr *addr);
void tiloop_addr_init(void);

#endif /* _TPI_LOOP_ADDR_H */
