/* SPDX-License-Identifier: GPL-2.0-only */
/* The primitives of local management */
#ifndef _DLPI_LOCAL_H
#define _DLPI_LOCAL_H

#include "end.h"

/* Runs in the work item, with the RTNL held. */
mblk_t *dlpi_local(struct dlpi_end *ep, mblk_t *mp);
mblk_t *dlpi_info_req(struct dlpi_end *ep, mblk_t *mp);

#endif /* _DLPI_LOCAL_H */
