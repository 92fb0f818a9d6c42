/* SPDX-License-Identifier: GPL-2.0-only */
/* The primitives of the data link provider */
#ifndef _DLPI_PRIM_H
#define _DLPI_PRIM_H

#include "end.h"

bool dlpi_prim(queue_t *q, mblk_t *mp);
void dlpi_prim_finish(queue_t *q);

#endif /* _DLPI_PRIM_H */
