/* SPDX-License-Identifier: GPL-2.0-only */
/* The network device of an endpoint: under the RTNL, except the first two */
#ifndef _DLPI_LINK_H
#define _DLPI_LINK_H

#include "end.h"

/* Allocates, before each request, the memory that another binding takes. */
bool dlpi_link_prepare(struct dlpi_end *ep);
/* Frees it. */
void dlpi_link_forget(struct dlpi_end *ep);
int dlpi_link_attach(struct dlpi_end *ep, u32 ppa);
int dlpi_link_attach_named(struct dlpi_end *ep, const char *name);
void dlpi_link_detach(struct dlpi_end *ep);
void dlpi_link_bind(struct dlpi_end *ep, const struct dlpi_bind *bind);
int dlpi_link_promisc(struct dlpi_end *ep, u32 level, bool on);
int dlpi_link_group(struct dlpi_end *ep, const u8 *group, bool on);
bool dlpi_link_is_up(const struct net_device *dev);
int __init dlpi_link_init(void);
void dlpi_link_exit(void);

#endif /* _DLPI_LINK_H */
