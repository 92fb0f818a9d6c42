// SPDX-License-Identifier: GPL-2.0-only
/* Fields of a queue: strqget() and strqset() */
#include <linux/errno.h>
#include <linux/export.h>

#include "band.h"
#include "flow.h"
#include "freeze.h"

static int field_get(const queue_t *q, qfields_t what, long *valp)
{
	switch (what) {
	case QHIWAT:
		*valp = q->q_hiwat;
		break;
	case QLOWAT:
		*valp = q->q_lowat;
		break;
	case QMAXPSZ:
		*valp = q->q_maxpsz;
		break;
	case QMINPSZ:
		*valp = q->q_minpsz;
		break;
	case QCOUNT:
		*valp = q->q_count;
		break;
	case QFIRST:
		*valp = (long)q->q_first;
		break;
	case QLAST:
		*valp = (long)q->q_last;
		break;
	case QFLAG:
		*valp = q->q_flag;
		break;
	default:
		return EINVAL;
	}
	return 0;
}

static int band_field_get(const queue_t *q, const struct qband *qb,
			  qfields_t what, long *valp)
{
	switch (what) {
	case QHIWAT:
		*valp = qb ? qb->qb_hiwat : q->q_hiwat;
		break;
	case QLOWAT:
		*valp = qb ? qb->qb_lowat : q->q_lowat;
		break;
	case QCOUNT:
		*valp = qb ? qb->qb_count : 0;
		break;
	case QFIRST:
		*valp = qb ? (long)qb->qb_first : 0;
		break;
	case QLAST:
		*valp = qb ? (long)qb->qb_last : 0;
		break;
	case QFLAG:
		*valp = qb ? qb->qb_flag : 0;
		break;
	default:
		return EINVAL;
	}
	return 0;
}

/**
 * strqget() - read a field of a queue or of one of its bands
 * @q: the queue
 * @what: QHIWAT, QLOWAT, QCOUNT (bytes), QFIRST, QLAST (messages), QFLAG, and
 *	for band 0 QMAXPSZ, QMINPSZ (bytes)
 * @pri: the band; 0: the queue itself
 * @valp: gets the value
 *
 * A band that was never used shows what it would begin with.
 *
 * Context: any.
 * Return: 0, or EINVAL when there is no such field.
 * Source: SVR4.2 DDI/DKI strqget(D3).
 */
int strqget(queue_t *q, qfields_t what, unsigned char pri, long *valp)
{
	unsigned long irq = 0;
	bool frozen;
	int err;

	frozen = queue_hold(q, &irq);
	if (pri)
		err = band_field_get(q, band_find(q, pri), what, valp);
	else
		err = field_get(q, what, valp);
	queue_release(q, irq, frozen);
	return err;
}
EXPORT_SYMBOL_GPL(strqget);

static int packet_size_set(queue_t *q, qfields_t what, unsigned char pri,
			   long val)
{
	if (pri || val < INFPSZ)
		return EINVAL;
	if (what == QMAXPSZ)
		WRITE_ONCE(q->q_maxpsz, val);
	else
		WRITE_ONCE(q->q_minpsz, val);
	return 0;
}

/**
 * strqset() - change a field of a queue or of one of its bands
 * @q: the queue
 * @what: QHIWAT, QLOWAT, and for band 0 QMAXPSZ, QMINPSZ; all in bytes
 * @pri: the band; 0: the queue itself
 * @val: the value; INFPSZ for a packet size without limit
 *
 * New water marks take effect at once: a queue that waits for room is enabled
 * if there is room now.
 *
 * Context: any, no lock held.
 * Return: 0, or EINVAL when there is no such field or it cannot be @val, EPERM
 * when it cannot be changed, EAGAIN when memory for the band is short.
 * Source: SVR4.2 DDI/DKI strqset(D3).
 */
int strqset(queue_t *q, qfields_t what, unsigned char pri, long val)
{
	unsigned long irq = 0;
	bool back = false, frozen;
	int err = 0;

	switch (what) {
	case QHIWAT:
	case QLOWAT:
		break;
	case QMAXPSZ:
	case QMINPSZ:
		return packet_size_set(q, what, pri, val);
	case QCOUNT:
	case QFIRST:
	case QLAST:
	case QFLAG:
		return EPERM;
	default:
		return EINVAL;
	}
	if (val < 0)
		return EINVAL;
	frozen = queue_hold(q, &irq);
	if (band_make(q, pri))
		back = band_mark(q, pri, what, val);
	else
		err = EAGAIN;
	queue_release(q, irq, frozen);
	if (back && frozen)
		freeze_backenable(pri);
	else if (back)
		backenable(q, pri);
	return err;
}
EXPORT_SYMBOL_GPL(strqset);
