/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening and closing an endpoint */
#ifndef _TILOOP_LIFE_H
#define _TILOOP_LIFE_H

#include "end.h"

int tiloop_end_open(queue_t *q, struct tiloop_kind *kind, const struct cred *cred);
void tiloop_end_close(queue_t *q);

#endif /* _TILOOP_LIFE_H */
