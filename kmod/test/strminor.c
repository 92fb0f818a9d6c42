// SPDX-License-Identifier: GPL-2.0-only
/*
 * strminor: a driver with minor devices, and minormod, a module that counts
 * the opens of its stream
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/fcntl.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "strminor.h"

struct line {
	queue_t *rq;
	unsigned int nr;
	int sflag;
	atomic_t opens;
	atomic_t waiting;
	int again;			/* STRMINOR_AGAIN */
	bool call;			/* STRMINOR_CALL */
};

static DEFINE_MUTEX(lines_mutex);
static struct line *lines[STRMINOR_MINORS];
static atomic_t closes;
static int refuse;
static int slow;
static atomic_t opening;
static int choose = -1;
/* The tests push minormod on a single stream. */
static atomic_t module_opens;

static int line_first(queue_t *q, dev_t *dev, int sflag)
{
	struct line *l;
	int err = 0;

	if (refuse)
		return refuse;
	atomic_inc(&opening);
	while (READ_ONCE(slow))
		msleep(20);
	atomic_dec(&opening);
	l = kzalloc(sizeof(*l), GFP_KERNEL);
	if (!l)
		return ENOMEM;
	l->rq = q;
	l->sflag = sflag;
	atomic_set(&l->opens, 1);
	mutex_lock(&lines_mutex);
	l->nr = MINOR(*dev);
	if (sflag == CLONEOPEN && choose >= 0) {
		/* The number may be beyond the range, to test the executive's answer. */
		l->nr = choose;
		choose = -1;
		*dev = MKDEV(MAJOR(*dev), l->nr);
	}
	if (l->nr < STRMINOR_MINORS) {
		if (lines[l->nr])
			err = EBUSY;
		else
			lines[l->nr] = l;
	}
	mutex_unlock(&lines_mutex);
	if (err) {
		kfree(l);
		return err;
	}
	q->q_ptr = l;
	WR(q)->q_ptr = l;
	qprocson(q);
	return 0;
}

static int line_again(queue_t *q, int oflag)
{
	struct line *l = q->q_ptr;
	int err = 0;

	atomic_inc(&l->opens);
	if (l->again)
		return l->again;
	if (oflag & O_NONBLOCK)
		return 0;
	atomic_inc(&l->waiting);
	while (READ_ONCE(l->call) && !err)
		err = qwait_sig(q) ? 0 : EINTR;
	atomic_dec(&l->waiting);
	return err;
}

static int line_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	if (sflag == MODOPEN)
		return EINVAL;
	return q->q_ptr ? line_again(q, oflag) : line_first(q, dev, sflag);
}

static int line_close(queue_t *q, int oflag, cred_t *cr)
{
	struct line *l = q->q_ptr;

	qprocsoff(q);
	mutex_lock(&lines_mutex);
	if (l->nr < STRMINOR_MINORS)
		lines[l->nr] = NULL;
	mutex_unlock(&lines_mutex);
	atomic_inc(&closes);
	kfree(l);
	return 0;
}

static void state_answer(queue_t *q, mblk_t *mp)
{
	const struct line *l = q->q_ptr;
	struct strminor_state state = {
		.minor = l->nr,
		.sflag = l->sflag,
		.opens = atomic_read(&l->opens),
		.waiting = atomic_read(&l->waiting),
		.modules = atomic_read(&module_opens),
		.closes = atomic_read(&closes),
		.opening = atomic_read(&opening),
	};

	if (miocpullup(mp, sizeof(state))) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	memcpy(mp->b_cont->b_rptr, &state, sizeof(state));
	miocack(q, mp, sizeof(state), 0);
}

static void line_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct line *l = q->q_ptr;
	int value = 0;

	if (ioc->ioc_cmd == STRMINOR_GET) {
		state_answer(q, mp);
		return;
	}
	if (ioc->ioc_count >= sizeof(int) && !miocpullup(mp, sizeof(int)))
		memcpy(&value, mp->b_cont->b_rptr, sizeof(int));
	switch (ioc->ioc_cmd) {
	case STRMINOR_CHOOSE:
		choose = value;
		break;
	case STRMINOR_REFUSE:
		refuse = value;
		break;
	case STRMINOR_SLOW:
		WRITE_ONCE(slow, value);
		break;
	case STRMINOR_AGAIN:
		l->again = value;
		break;
	case STRMINOR_CALL:
	case STRMINOR_CARRIER:
		WRITE_ONCE(l->call, ioc->ioc_cmd == STRMINOR_CALL);
		break;
	case STRMINOR_SILENT:
		freemsg(mp);
		return;
	case STRMINOR_HANGUP:
		putnextctl(RD(q), M_HANGUP);
		break;
	default:
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	miocack(q, mp, 0, 0);
}

static int line_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
		qreply(q, mp);
		break;
	case M_IOCTL:
		line_ioctl(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int line_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info line_info = {
	.mi_idname = "strminor",
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 4096,
	.mi_lowat = 1024,
};

static struct qinit line_rinit = {
	.qi_putp = line_rput,
	.qi_qopen = line_open,
	.qi_qclose = line_close,
	.qi_minfo = &line_info,
};

static struct qinit line_winit = {
	.qi_putp = line_wput,
	.qi_minfo = &line_info,
};

static const struct streamtab line_tab = {
	.st_rdinit = &line_rinit,
	.st_wrinit = &line_winit,
};

static struct strdrv line_driver = {
	.name = "strminor",
	.tab = &line_tab,
	.owner = THIS_MODULE,
	.minors = STRMINOR_MINORS,
};

static int minormod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			 cred_t *cr)
{
	if (sflag != MODOPEN)
		return EINVAL;
	atomic_inc(&module_opens);
	qprocson(q);
	return 0;
}

static int minormod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	atomic_set(&module_opens, 0);
	return 0;
}

static int minormod_put(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info minormod_info = {
	.mi_idname = "minormod",
	.mi_maxpsz = INFPSZ,
};

static struct qinit minormod_init_both = {
	.qi_putp = minormod_put,
	.qi_qopen = minormod_open,
	.qi_qclose = minormod_close,
	.qi_minfo = &minormod_info,
};

static const struct streamtab minormod_tab = {
	.st_rdinit = &minormod_init_both,
	.st_wrinit = &minormod_init_both,
};

static struct strmod minormod = {
	.name = "minormod",
	.tab = &minormod_tab,
	.owner = THIS_MODULE,
};

/* The driver's nodes have these names, or would take their places. */
static struct strdrv other_driver = {
	.tab = &line_tab,
	.owner = THIS_MODULE,
};

static int refused(const char *name, unsigned int minors, int want)
{
	int err;

	other_driver.name = name;
	other_driver.minors = minors;
	err = strdrv_register(&other_driver);
	if (!err)
		strdrv_unregister(&other_driver);
	if (err == want)
		return 0;
	pr_err("strminor: registering %s with %u minors gave %d, not %d\n",
	       name, minors, err, want);
	return -EDOM;
}

static int __init strminor_init(void)
{
	int err = strdrv_register(&line_driver);

	if (err)
		return err;
	err = refused("strminor3", 0, -EEXIST) ?:
	      refused("strmino", 257, -EINVAL) ?:
	      refused("strminor4", 0, 0) ?:
	      refused("strminor1", 1, -EEXIST) ?:
	      strmod_register(&minormod);
	if (err)
		strdrv_unregister(&line_driver);
	return err;
}

static void __exit strminor_exit(void)
{
	strmod_unregister(&minormod);
	strdrv_unregister(&line_driver);
}

module_init(strminor_init);
module_exit(strminor_exit);

MODULE_DESCRIPTION("STREAMS test driver with minor devices");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-minormod");
