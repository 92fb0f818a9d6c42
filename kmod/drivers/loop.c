// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop: a driver that joins two of its streams
 *
 * Streams find each other under loops_lock, which is not held when a message
 * is passed: a procedure uses the queue that it found only as long as it runs,
 * and nothing else of the other stream.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <sys/loop.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "driver.h"

struct loop {
	queue_t *rq;
	struct loop *other;		/* gets messages written here */
	u32 number;
	kuid_t uid;			/* the user that may join */
	mblk_t *hangup;			/* for the other when this one closes */
};

/* All streams by number; an entry is taken out under loops_lock. */
static DEFINE_XARRAY_FLAGS(loops, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_BH);
static u32 loops_next;
static DEFINE_SPINLOCK(loops_lock);

static int loop_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct loop *l;

	if (sflag == MODOPEN)
		return EINVAL;
	l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);
	if (!l)
		return ENOSR;
	l->hangup = allocb(0, BPRI_HI);
	if (!l->hangup) {
		kfree(l);
		return ENOSR;
	}
	DB_TYPE(l->hangup) = M_HANGUP;
	l->rq = q;
	l->uid = cr->euid;
	q->q_ptr = l;
	WR(q)->q_ptr = l;
	if (xa_alloc_cyclic_bh(&loops, &l->number, NULL, XA_LIMIT(1, INT_MAX),
			       &loops_next, GFP_KERNEL_ACCOUNT) < 0) {
		freemsg(l->hangup);
		kfree(l);
		return ENOSR;
	}
	qprocson(q);
	/*
	 * The entry is published last; its place is reserved, so this cannot
	 * fail.
	 */
	xa_store_bh(&loops, l->number, l, GFP_KERNEL_ACCOUNT);
	return 0;
}

static int loop_close(queue_t *q, int oflag, cred_t *cr)
{
	struct loop *l = q->q_ptr, *other;

	rcu_read_lock();
	spin_lock_bh(&loops_lock);
	xa_erase_bh(&loops, l->number);
	other = l->other;
	if (other)
		other->other = NULL;
	l->other = NULL;
	spin_unlock_bh(&loops_lock);
	if (other)
		putnext(other->rq, l->hangup);
	else
		freemsg(l->hangup);
	rcu_read_unlock();
	/*
	 * Procedures of the other stream that found this one's queue before may
	 * use it until they end: queues are freed after a grace period.
	 */
	qprocsoff(q);
	kfree(l);
	return 0;
}

/*
 * Returns the read queue of the stream that another stream is joined with, or
 * NULL.
 */
static queue_t *loop_other(const struct loop *l)
{
	queue_t *q;

	spin_lock_bh(&loops_lock);
	q = l->other ? l->other->rq : NULL;
	spin_unlock_bh(&loops_lock);
	return q;
}

static int loop_join(struct loop *l, int number, cred_t *cr)
{
	struct loop *other;
	int err = 0;

	spin_lock_bh(&loops_lock);
	other = number > 0 ? xa_load(&loops, number) : NULL;
	if (!other)
		err = ENXIO;
	else if (other == l)
		err = EINVAL;
	else if (!uid_eq(cr->euid, other->uid) &&
		 !uid_eq(cr->euid, GLOBAL_ROOT_UID))
		err = EPERM;
	else if (l->other || other->other)
		err = EBUSY;
	if (!err) {
		l->other = other;
		other->other = l;
		/* Data may have been written before the join. */
		qenable(WR(l->rq));
		qenable(WR(other->rq));
	}
	spin_unlock_bh(&loops_lock);
	return err;
}

static void loop_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct loop *l = q->q_ptr;
	const int *number;

	switch (ioc->ioc_cmd) {
	case LOOP_GET:
		driver_answer(q, mp, 0, l->number);
		break;
	case LOOP_SET:
		number = driver_data(mp, sizeof(*number));
		driver_answer(q, mp, number ? loop_join(l, *number,
							ioc->ioc_cr) : EINVAL, 0);
		break;
	default:
		driver_answer(q, mp, EINVAL, 0);
	}
}

/* The other stream's write side is this one's read side. */
static void loop_flush(queue_t *q, mblk_t *mp)
{
	queue_t *other = loop_other(q->q_ptr);
	mblk_t *copy;

	if (other && MBLKL(mp) >= 1) {
		copy = copymsg(mp);
		if (copy) {
			*copy->b_rptr = (*mp->b_rptr & FLUSHW ? FLUSHR : 0) |
					(*mp->b_rptr & FLUSHR ? FLUSHW : 0) |
					(*mp->b_rptr & ~FLUSHRW);
			flush_side(WR(other), mp, FLUSHR);
			/* The other stream's head turns the flush round, once. */
			copy->b_flag = mp->b_flag;
			putnext(other, copy);
		}
	}
	driver_flush(q, mp);
}

static int loop_wput(queue_t *q, mblk_t *mp)
{
	queue_t *other;

	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_PCPROTO:
		other = loop_other(q->q_ptr);
		if (other)
			putnext(other, mp);
		else if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		loop_flush(q, mp);
		break;
	case M_IOCTL:
		loop_ioctl(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

/* Passes on written messages, when there is another stream and it has room. */
static int loop_wsrv(queue_t *q)
{
	queue_t *other = loop_other(q->q_ptr);
	mblk_t *mp;

	while (other && (mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(other, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(other, mp);
	}
	return 0;
}

/*
 * Runs when the stream above has room again: enables the writer of the other
 * stream.
 */
static int loop_rsrv(queue_t *q)
{
	const struct loop *l = q->q_ptr;

	spin_lock_bh(&loops_lock);
	if (l->other)
		qenable(WR(l->other->rq));
	spin_unlock_bh(&loops_lock);
	return 0;
}

static int loop_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info loop_info = {
	.mi_idname = "loop",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit loop_rinit = {
	.qi_putp = loop_rput,
	.qi_srvp = loop_rsrv,
	.qi_qopen = loop_open,
	.qi_qclose = loop_close,
	.qi_minfo = &loop_info,
};

static struct qinit loop_winit = {
	.qi_putp = loop_wput,
	.qi_srvp = loop_wsrv,
	.qi_minfo = &loop_info,
};

static const struct streamtab loop_tab = {
	.st_rdinit = &loop_rinit,
	.st_wrinit = &loop_winit,
};

static struct strdrv loop_driver = {
	.name = "loop",
	.tab = &loop_tab,
	.owner = THIS_MODULE,
};

static int __init loop_init(void)
{
	return strdrv_register(&loop_driver);
}

static void __exit loop_exit(void)
{
	strdrv_unregister(&loop_driver);
}

module_init(loop_init);
module_exit(loop_exit);

MODULE_DESCRIPTION("STREAMS driver that joins two of its streams");
MODULE_LICENSE("GPL");
STR_NODE(12);
MODULE_ALIAS("devname:streams/loop");
