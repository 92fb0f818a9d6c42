/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of an endpoint, and its work item */
#ifndef _DLPI_LIFE_H
#define _DLPI_LIFE_H

#include "end.h"

int dlpi_end_open(queue_t *q, const struct cred *cred, const char *link);
void dlpi_end_close(queue_t *q);
int __init dlpi_end_init(void);
void dlpi_end_exit(void);
/* Gives a request to the work item, for a caller inside the perimeter. */
void dlpi_end_defer(struct dlpi_end *ep, mblk_t *mp, u32 state);

#endif /* _DLPI_LIFE_H */
