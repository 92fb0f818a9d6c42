/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers that the drivers share */
#ifndef _DRIVERS_DRIVER_H
#define _DRIVERS_DRIVER_H

#include <sys/stream.h>

#include "drivers/flush.h"

/* Handles an M_FLUSH that arrived at a driver's write queue. */
static inline void driver_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	flush_side(q, mp, FLUSHW);
	flush_side(RD(q), mp, FLUSHR);
	*mp->b_rptr &= ~FLUSHW;
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

/*
 * Answers an M_IOCTL: with an error or, if that is 0, with success and a value.
 */
static inline void driver_answer(queue_t *q, mblk_t *mp, int error, int rval)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	ioc->ioc_count = 0;
	ioc->ioc_error = error;
	ioc->ioc_rval = rval;
	DB_TYPE(mp) = error ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
}

/* Returns the data of an M_IOCTL if it is one block of len bytes, or NULL. */
static inline void *driver_data(const mblk_t *mp, size_t len)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count != len || !mp->b_cont || MBLKL(mp->b_cont) != len)
		return NULL;
	return mp->b_cont->b_rptr;
}

#endif /* _DRIVERS_DRIVER_H */
