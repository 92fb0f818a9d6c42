// SPDX-License-Identifier: GPL-2.0-only
/* ldterm's write side: output, and ioctls that pass */
#include <linux/minmax.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "drivers/flush.h"
#include "change.h"
#include "downward.h"
#include "echo.h"
#include "input.h"
#include "output.h"
#include "reading.h"
#include "retry.h"
#include "settings.h"

/* Bytes that are processed at a time */
#define OUTPUT_PIECE	1024

/*
 * Processes and passes on a message as far as there is room. Returns what is left of it, or
 * NULL; memory: none was there for the next piece.
 */
static mblk_t *output_message(struct ldterm *l, mblk_t *mp, bool *memory)
{
	queue_t *q = WR(l->rq);

	*memory = false;
	if (!oflag(l, OPOST)) {
		putnext(q, mp);
		return NULL;
	}
	while (mp && output_may_pass(l, mp->b_band)) {
		size_t n = min_t(size_t, MBLKL(mp), OUTPUT_PIECE);
		mblk_t *rest, *out = output_data(l, mp->b_rptr, n);

		if (!out) {
			*memory = true;
			break;
		}
		out->b_band = mp->b_band;
		out->b_flag |= mp->b_flag & MSGECHO;
		mp->b_rptr += n;
		putnext(q, out);
		if (MBLKL(mp))
			continue;
		rest = unlinkb(mp);
		freeb(mp);
		mp = rest;
	}
	return mp;
}

/* Stops or starts the output, or has the other side do so. Returns 0 or an error. */
static int flow_by(struct ldterm *l, int what)
{
	switch (what) {
	case TCOOFF:
		output_stop(l, true);
		break;
	case TCOON:
		output_start(l, true);
		break;
	case TCIOFF:
		return output_special(l, VSTOP) ? 0 : EAGAIN;
	case TCION:
		return output_special(l, VSTART) ? 0 : EAGAIN;
	}
	return 0;
}

/* Drops the output that waits, as TCFLSH asks for. */
static void flush_by(struct ldterm *l, int what)
{
	if (what == TCIFLUSH || what == TCIOFLUSH)
		input_drop(l);
	if (what == TCOFLUSH || what == TCIOFLUSH)
		output_drop(l);
}

/* Handles an ioctl: passes it on unless it is for this module. */
static void output_ioctl(struct ldterm *l, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	queue_t *q = WR(l->rq);
	int what = ioctl_number(mp), err = 0;

	switch (ioc->ioc_cmd) {
	case TCXONC:
	case TCFLSH:
		if (what < 0 || what > (ioc->ioc_cmd == TCXONC ? TCION : TCIOFLUSH)) {
			miocnak(q, mp, 0, EINVAL);
			return;
		}
		if (ioc->ioc_cmd == TCXONC)
			err = flow_by(l, what);
		else
			flush_by(l, what);
		if (err)
			miocnak(q, mp, 0, err);
		else
			miocack(q, mp, 0, 0);
		return;
	}
	if (settings_use(ioc->ioc_cmd) == SETTINGS_SET &&
	    !miocpullup(mp, settings_size(ioc->ioc_cmd)))
		change_asked(l, ioc->ioc_id, ioc->ioc_cmd, mp->b_cont);
	putnext(q, mp);
}

int ldterm_wsrv(queue_t *q)
{
	struct ldterm *l = q->q_ptr;
	bool memory;
	mblk_t *mp;

	echo_pass(l);
	/* There is room for the START that the read side owes. */
	if (l->held_off)
		qenable(l->rq);
	while ((mp = getq(q))) {
		if (DB_TYPE(mp) == M_IOCTL) {
			output_ioctl(l, mp);
			continue;
		}
		if (!output_may_pass(l, mp->b_band)) {
			putbq(q, mp);
			return 0;
		}
		if (DB_TYPE(mp) != M_DATA) {
			putnext(q, mp);
			continue;
		}
		mp = output_message(l, mp, &memory);
		if (!mp)
			continue;
		putbq(q, mp);
		if (memory) {
			term_retry(q, OUTPUT_PIECE);
			return 0;
		}
	}
	return 0;
}

/* Queues a message behind those that wait. */
static void queue_behind(queue_t *q, mblk_t *mp)
{
	if (!putq(q, mp))
		freemsg(mp);
}

/*
 * Queues an ioctl behind the output. The stream head sends one at a time: the caller of one
 * that waits already has given up, and would leave any number of them here.
 */
static void queue_ioctl(queue_t *q, mblk_t *mp)
{
	mblk_t *earlier = q->q_first;

	while (earlier && DB_TYPE(earlier) != M_IOCTL)
		earlier = earlier->b_next;
	if (earlier) {
		rmvq(q, earlier);
		freemsg(earlier);
	}
	queue_behind(q, mp);
}

/* Returns whether an ioctl is to wait for the output before it. */
static bool drains(const mblk_t *mp)
{
	int cmd = ((struct iocblk *)mp->b_rptr)->ioc_cmd;

	return cmd == TCSBRK || settings_drain(cmd);
}

int ldterm_wput(queue_t *q, mblk_t *mp)
{
	struct ldterm *l = q->q_ptr;
	const struct copyresp *resp;
	bool memory;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (q->q_first || !output_may_pass(l, mp->b_band)) {
			queue_behind(q, mp);
			return 0;
		}
		mp = output_message(l, mp, &memory);
		if (!mp)
			return 0;
		queue_behind(q, mp);
		if (memory)
			term_retry(q, OUTPUT_PIECE);
		return 0;
	case M_IOCTL:
		if (q->q_first && drains(mp))
			queue_ioctl(q, mp);
		else
			output_ioctl(l, mp);
		return 0;
	case M_IOCDATA:
		resp = (struct copyresp *)mp->b_rptr;
		if (!resp->cp_rval)
			change_asked(l, resp->cp_id, resp->cp_cmd, mp->b_cont);
		break;
	case M_READ:
		reading_wanted(l, mp);
		return 0;
	case M_FLUSH:
		flush_side(q, mp, FLUSHW);
		if (MBLKL(mp) >= 1 && *mp->b_rptr & FLUSHW)
			echo_drop(l);
		/* An ioctl that waited for the output continues. */
		qenable(q);
		break;
	}
	if (DB_TYPE(mp) >= QPCTL || (!q->q_first && output_may_pass(l, mp->b_band)))
		putnext(q, mp);
	else
		queue_behind(q, mp);
	return 0;
}
