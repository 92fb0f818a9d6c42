/* SPDX-License-Identifier: GPL-2.0-only */
/* Primitives from the user */
#ifndef _STRINET_PRIM_H
#define _STRINET_PRIM_H

#include "end.h"

bool strinet_prim_urgent(const struct strinet_end *ep, const mblk_t *mp);
bool strinet_prim_now(struct strinet_end *ep, mblk_t *mp);
/*
 * Acts on a primitive. Returns false if the message left in mp has to wait for
 * room below.
 */
bool strinet_prim(struct strinet_end *ep, mblk_t **mp);

#endif /* _STRINET_PRIM_H */
