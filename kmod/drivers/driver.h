/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers that the drivers share */
#ifndef _DRIVERS_DRIVER_H
#define _DRIVERS_DRIVER_H

#include <sys/stream.h>

/* Flushes one queue as an M_FLUSH requests: the whole queue, or a band. */
static inline void driver_flushq(queue_t *q, const mblk_t *mp)
{
	if (!(*mp->b_rptr & FLUSHBAND))
		flushq(q, FLUSHDATA);
	else if (MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
}

/* Handles an M_FLUSH that arrived at a driver's write queue. */
static inline void driver_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	if (*mp->b_rptr & FLUSHW) {
		driver_flushq(q, mp);
		*mp->b_rptr &= ~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR) {
		driver_flushq(RD(q), mp);
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
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
