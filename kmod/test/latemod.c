// SPDX-License-Identifier: GPL-2.0-only
/*
 * latemod: a module that holds back sent messages, or sends them several times, or
 * sends up messages of its own
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "latemod.h"

struct late {
	unsigned int delay;	/* milliseconds */
	unsigned int times;
	timeout_id_t timer;	/* 0: it does not run */
};

static int late_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct late *late;

	if (sflag != MODOPEN)
		return EINVAL;
	late = kzalloc(sizeof(*late), GFP_KERNEL_ACCOUNT);
	if (!late)
		return ENOSR;
	late->times = 1;
	q->q_ptr = late;
	WR(q)->q_ptr = late;
	/* Only the timer enables the queue. */
	noenable(WR(q));
	qprocson(q);
	return 0;
}

static int late_close(queue_t *q, int oflag, cred_t *cr)
{
	struct late *late = q->q_ptr;

	if (late->timer)
		quntimeout(WR(q), late->timer);
	qprocsoff(q);
	kfree(late);
	return 0;
}

static int late_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static void late_over(void *arg)
{
	queue_t *q = arg;
	struct late *late = q->q_ptr;

	late->timer = 0;
	qenable(q);
}

static void latemod_send(queue_t *q, mblk_t *mp)
{
	const struct late *late = q->q_ptr;
	unsigned int n;
	mblk_t *copy;

	for (n = 1; n < late->times; n++) {
		copy = dupmsg(mp);
		if (copy)
			putnext(q, copy);
	}
	putnext(q, mp);
}

static void late_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct late *late = q->q_ptr;
	unsigned int cmd = ioc->ioc_cmd, value;

	if (cmd < LATEMOD_DELAY || cmd > LATEMOD_UP) {
		putnext(q, mp);
		return;
	}
	if (ioc->ioc_count != sizeof(value)) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	value = *(unsigned int *)mp->b_cont->b_rptr;
	if (cmd == LATEMOD_DELAY)
		late->delay = value;
	else if (cmd == LATEMOD_TIMES)
		late->times = value;
	miocack(q, mp, 0, 0);
	if (cmd == LATEMOD_UP)
		putnextctl(RD(q), value);
}

static int late_wput(queue_t *q, mblk_t *mp)
{
	struct late *late = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		late_ioctl(q, mp);
		break;
	case M_PROTO:
		if (!late->delay) {
			latemod_send(q, mp);
			break;
		}
		if (!putq(q, mp))
			freemsg(mp);
		else if (!late->timer)
			late->timer = qtimeout(q, late_over, q,
					       msecs_to_jiffies(late->delay));
		break;
	default:
		putnext(q, mp);
	}
	return 0;
}

static int late_wsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)))
		latemod_send(q, mp);
	return 0;
}

static struct module_info late_info = {
	.mi_idname = "latemod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit late_rinit = {
	.qi_putp = late_rput,
	.qi_qopen = late_open,
	.qi_qclose = late_close,
	.qi_minfo = &late_info,
};

static struct qinit late_winit = {
	.qi_putp = late_wput,
	.qi_srvp = late_wsrv,
	.qi_minfo = &late_info,
};

static const struct streamtab late_tab = {
	.st_rdinit = &late_rinit,
	.st_wrinit = &late_winit,
};

static struct strmod latemod = {
	.name = "latemod",
	.tab = &late_tab,
	.owner = THIS_MODULE,
};

static int __init latemod_init(void)
{
	return strmod_register(&latemod);
}

static void __exit latemod_exit(void)
{
	strmod_unregister(&latemod);
}

module_init(latemod_init);
module_exit(latemod_exit);

MODULE_DESCRIPTION("STREAMS test module that holds messages back");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-latemod");
