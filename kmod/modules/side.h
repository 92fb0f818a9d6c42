/* SPDX-License-Identifier: GPL-2.0-only */
/* side.h - the two directions of a module, as its setting "dir" names them */
#ifndef _MODULES_SIDE_H
#define _MODULES_SIDE_H

#include <sys/stream.h>

enum { BOTH, OUT, IN };

/* The names for strparam_word() */
static const char *const directions[] = { "both", "out", "in", NULL };

/*
 * Flushes a module's queue as a message requests that passes it; side is FLUSHW on the way
 * down, FLUSHR on the way up.
 */
static inline void side_flush(queue_t *q, const mblk_t *mp, unsigned char side)
{
	if (DB_TYPE(mp) != M_FLUSH || MBLKL(mp) < 1 || !(*mp->b_rptr & side))
		return;
	if (!(*mp->b_rptr & FLUSHBAND))
		flushq(q, FLUSHDATA);
	else if (MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
}

#endif /* _MODULES_SIDE_H */
