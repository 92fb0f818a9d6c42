/* SPDX-License-Identifier: GPL-2.0-only */
/* Primitives from the user */
#ifndef _TILOOP_PRIM_H
#define _TILOOP_PRIM_H

#include <sys/stream.h>

/*
 * Acts on a primitive. Returns false if the message has to wait: the caller
 * keeps it.
 */
bool tiloop_prim(queue_t *q, mblk_t *mp);
bool tiloop_prim_urgent(const mblk_t *mp);

#endif /* _TILOOP_PRIM_H */
