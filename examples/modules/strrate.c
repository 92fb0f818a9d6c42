// SPDX-License-Identifier: GPL-2.0-only
/*
 * rate: a STREAMS module that limits the bytes written per second
 *
 * A model of a service procedure that waits for a time. The module has credit,
 * which grows with the time, and is used up by messages; one that finds some is
 * sent whole, and what it took too much has to be paid off first. Written data
 * waits on the write queue, and when that is full in the writer.
 *
 * All is done in the stream's perimeter: no procedure of this stream, nor the
 * function given to qtimeout(), runs beside another, and no locks are needed.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "strrate.h"

/* Jiffies for which credit is saved when nothing is written. */
#define RATE_SAVED	(HZ / 10 ?: 1)

struct rate {
	unsigned int rate;		/* bytes per second; 0: any number */
	s64 credit;			/* bytes times HZ; below 0: debt */
	unsigned long last;		/* jiffies, when credit was counted */
	timeout_id_t timer;		/* waits for credit, or 0 */
};

static int rate_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct rate *r;

	if (sflag != MODOPEN)
		return EINVAL;
	/* One more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return ENOSR;
	r->last = jiffies;
	q->q_ptr = r;
	WR(q)->q_ptr = r;
	qprocson(q);
	return 0;
}

/* Popped: waiting messages are sent on at once, and the timer is cancelled. */
static int rate_close(queue_t *q, int oflag, cred_t *cr)
{
	struct rate *r = q->q_ptr;

	qprocsoff(q);
	/* Nothing starts it any more. */
	if (r->timer)
		quntimeout(WR(q), r->timer);
	kfree(r);
	return 0;
}

/* Credit in bytes times HZ, so that small rates are counted as they are. */
static void credit_count(struct rate *r)
{
	unsigned long now = jiffies, past = now - r->last;

	r->last = now;
	r->credit += (s64)min_t(unsigned long, past, HZ) * r->rate;
	r->credit = min_t(s64, r->credit, (s64)r->rate * RATE_SAVED);
}

static void rate_over(void *arg)
{
	queue_t *q = arg;
	struct rate *r = q->q_ptr;

	r->timer = 0;
	qenable(q);
}

/* Waits until the debt is paid off; a second at most, then it looks again. */
static void credit_wait(queue_t *q)
{
	struct rate *r = q->q_ptr;
	u64 ticks;

	if (r->timer)
		return;
	ticks = div_u64(-r->credit, r->rate) + 1;
	r->timer = qtimeout(q, rate_over, q, min_t(u64, ticks, HZ));
	/* No memory for a timer: not slower than it should be, but busy. */
	if (!r->timer)
		qenable(q);
}

static int rate_wsrv(queue_t *q)
{
	struct rate *r = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q))) {
		credit_count(r);
		if (r->rate && DB_TYPE(mp) == M_DATA && r->credit < 0) {
			credit_wait(q);
			goto back;
		}
		if (!bcanputnext(q, mp->b_band))
			goto back;
		if (r->rate && DB_TYPE(mp) == M_DATA)
			r->credit -= (s64)msgdsize(mp) * HZ;
		putnext(q, mp);
	}
	return 0;

back:
	/* Back where it was; this does not enable the queue. */
	if (!putbq(q, mp))
		freemsg(mp);
	return 0;
}

/* RATE_SET, RATE_GET; false: it is for a module or driver below. */
static bool rate_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct rate *r = q->q_ptr;
	unsigned int *rate;
	int err;

	if (ioc->ioc_cmd != RATE_SET && ioc->ioc_cmd != RATE_GET)
		return false;
	err = miocpullup(mp, sizeof(*rate));
	if (err) {
		miocnak(q, mp, 0, err);
		return true;
	}
	rate = (unsigned int *)mp->b_cont->b_rptr;
	if (ioc->ioc_cmd == RATE_GET) {
		*rate = r->rate;
		miocack(q, mp, sizeof(*rate), 0);
		return true;
	}
	if (*rate > RATE_MOST) {
		miocnak(q, mp, 0, ERANGE);
		return true;
	}
	r->rate = *rate;
	r->credit = 0;
	r->last = jiffies;
	miocack(q, mp, 0, 0);
	/* Messages that wait by the old rate */
	qenable(q);
	return true;
}

static int rate_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL && rate_ioctl(q, mp))
		return 0;
	if (DB_TYPE(mp) == M_FLUSH && MBLKL(mp) && *mp->b_rptr & FLUSHW) {
		if (!(*mp->b_rptr & FLUSHBAND))
			flushq(q, FLUSHDATA);
		else if (MBLKL(mp) > 1)
			flushband(q, mp->b_rptr[1], FLUSHDATA);
	}
	/*
	 * High-priority messages never wait. Nor do ioctls: the task that
	 * waits for the answer may be the reader that is to make room.
	 */
	if (DB_TYPE(mp) >= QPCTL || DB_TYPE(mp) == M_IOCTL)
		putnext(q, mp);
	else if (!putq(q, mp))
		freemsg(mp);
	return 0;
}

/* Reading is not held up. A queue without a service procedure holds nothing. */
static int rate_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info rate_info = {
	.mi_idname = "rate",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 8192,
	.mi_lowat = 2048,
};

static struct qinit rate_rinit = {
	.qi_putp = rate_rput,
	.qi_qopen = rate_open,
	.qi_qclose = rate_close,
	.qi_minfo = &rate_info,
};

static struct qinit rate_winit = {
	.qi_putp = rate_wput,
	.qi_srvp = rate_wsrv,
	.qi_minfo = &rate_info,
};

static const struct streamtab rate_tab = {
	.st_rdinit = &rate_rinit,
	.st_wrinit = &rate_winit,
};

static struct strmod rate = {
	.name = "rate",
	.tab = &rate_tab,
	.owner = THIS_MODULE,
};

static int __init strrate_init(void)
{
	return strmod_register(&rate);
}

static void __exit strrate_exit(void)
{
	strmod_unregister(&rate);
}

module_init(strrate_init);
module_exit(strrate_exit);

MODULE_DESCRIPTION("STREAMS module that limits how much is written in a second");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-rate");
