/* SPDX-License-Identifier: GPL-2.0-only */
/* flush.h - the flushing of one queue by an M_FLUSH, for drivers and modules */
#ifndef _DRIVERS_FLUSH_H
#define _DRIVERS_FLUSH_H

#include <sys/stream.h>

/*
 * Flushes the queue if a message is an M_FLUSH that names the queue's side, FLUSHR or FLUSHW:
 * the data of all bands, or of one.
 */
static inline void flush_side(queue_t *q, const mblk_t *mp, unsigned char side)
{
	if (DB_TYPE(mp) != M_FLUSH || MBLKL(mp) < 1 || !(*mp->b_rptr & side))
		return;
	if (!(*mp->b_rptr & FLUSHBAND))
		flushq(q, FLUSHDATA);
	else if (MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
}

#endif /* _DRIVERS_FLUSH_H */
