// SPDX-License-Identifier: GPL-2.0-only
/*
 * mux: a driver that joins any number of upper streams with any number of
 * lower ones
 *
 * Each upper stream has one lower stream where what is written goes, each lower
 * stream one upper where what arrives goes. Without one messages wait.
 *
 * The procedures of an upper stream run in its perimeter, those of a lower one
 * in that one's; what both look at is under mux_lock, which is not held when a
 * message is passed. A queue found there may be used as long as the procedure
 * runs: a stream that closes, and the executive after I_UNLINK, wait for a
 * grace period.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <sys/mux.h>
#include <sys/stream.h>

#include "driver.h"

struct lower;

struct upper {
	struct list_head list;
	queue_t *rq;
	struct lower *down;
};

struct lower {
	struct list_head list;
	queue_t *wq;
	struct upper *up;
	int muxid;
	kuid_t uid;		/* who linked it, and may route it */
	struct rcu_head rcu;
};

static LIST_HEAD(uppers);
static LIST_HEAD(lowers);
static DEFINE_SPINLOCK(mux_lock);

static int upper_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct upper *up;

	if (sflag == MODOPEN)
		return EINVAL;
	up = kzalloc(sizeof(*up), GFP_KERNEL_ACCOUNT);
	if (!up)
		return ENOSR;
	up->rq = q;
	q->q_ptr = up;
	WR(q)->q_ptr = up;
	spin_lock_bh(&mux_lock);
	list_add(&up->list, &uppers);
	spin_unlock_bh(&mux_lock);
	qprocson(q);
	return 0;
}

static int upper_close(queue_t *q, int oflag, cred_t *cr)
{
	struct upper *up = q->q_ptr;
	struct lower *low;

	spin_lock_bh(&mux_lock);
	list_del(&up->list);
	list_for_each_entry(low, &lowers, list)
		if (low->up == up)
			low->up = NULL;
	spin_unlock_bh(&mux_lock);
	/* A lower stream's procedure may have found this one before. */
	synchronize_rcu();
	qprocsoff(q);
	kfree(up);
	return 0;
}

/* Where an upper stream's messages go down, or NULL. */
static queue_t *way_down(const struct upper *up)
{
	queue_t *q;

	spin_lock_bh(&mux_lock);
	q = up->down ? up->down->wq : NULL;
	spin_unlock_bh(&mux_lock);
	return q;
}

/* Where a lower stream's messages go up, or NULL; q: its read queue. */
static queue_t *way_up(const queue_t *q)
{
	const struct lower *low;
	queue_t *up;

	spin_lock_bh(&mux_lock);
	low = q->q_ptr;
	up = low && low->up ? low->up->rq : NULL;
	spin_unlock_bh(&mux_lock);
	return up;
}

static struct lower *lower_find(int muxid)
{
	struct lower *low;

	list_for_each_entry(low, &lowers, list)
		if (low->muxid == muxid)
			return low;
	return NULL;
}

/* A new lower stream; the first of a control stream is its own, both ways. */
static int lower_link(queue_t *q, const struct linkblk *lb, cred_t *cr)
{
	struct upper *up = q->q_ptr;
	struct lower *low;

	low = kzalloc(sizeof(*low), GFP_ATOMIC | __GFP_ACCOUNT);
	if (!low)
		return EAGAIN;
	low->wq = lb->l_qbot;
	low->muxid = lb->l_index;
	low->uid = cr->euid;
	spin_lock_bh(&mux_lock);
	low->wq->q_ptr = low;
	RD(low->wq)->q_ptr = low;
	list_add(&low->list, &lowers);
	if (!up->down && lb->l_qtop) {
		up->down = low;
		low->up = up;
		qenable(q);
	}
	spin_unlock_bh(&mux_lock);
	return 0;
}

static int lower_unlink(const struct linkblk *lb)
{
	struct lower *low;
	struct upper *up;

	spin_lock_bh(&mux_lock);
	low = lower_find(lb->l_index);
	if (low) {
		low->wq->q_ptr = NULL;
		RD(low->wq)->q_ptr = NULL;
		list_del(&low->list);
		list_for_each_entry(up, &uppers, list)
			if (up->down == low)
				up->down = NULL;
	}
	spin_unlock_bh(&mux_lock);
	if (!low)
		return EINVAL;
	kfree_rcu(low, rcu);
	return 0;
}

/* Says where an upper stream's messages go, or a lower one's, or both. */
static int mux_route(struct upper *up, const struct mux_route *route,
		     cred_t *cr)
{
	struct lower *low = NULL, *other;
	int err = 0;

	if (!route->mr_flags || route->mr_flags & ~(MUX_DOWN | MUX_UP))
		return EINVAL;
	spin_lock_bh(&mux_lock);
	if (route->mr_muxid) {
		low = lower_find(route->mr_muxid);
		if (!low)
			err = ENXIO;
		else if (!uid_eq(cr->euid, low->uid) &&
			 !uid_eq(cr->euid, GLOBAL_ROOT_UID))
			err = EPERM;
		if (err)
			goto unlock;
	}
	if (route->mr_flags & MUX_DOWN) {
		up->down = low;
		qenable(WR(up->rq));
	}
	if (route->mr_flags & MUX_UP && low) {
		low->up = up;
		qenable(RD(low->wq));
	} else if (route->mr_flags & MUX_UP) {
		list_for_each_entry(other, &lowers, list)
			if (other->up == up)
				other->up = NULL;
	}
unlock:
	spin_unlock_bh(&mux_lock);
	return err;
}

static void upper_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	const struct mux_route *route;
	const struct linkblk *lb;
	int err = EINVAL;

	switch (ioc->ioc_cmd) {
	case I_LINK:
	case I_PLINK:
		lb = driver_data(mp, sizeof(*lb));
		if (lb)
			err = lower_link(q, lb, ioc->ioc_cr);
		break;
	case I_UNLINK:
	case I_PUNLINK:
		lb = driver_data(mp, sizeof(*lb));
		if (lb)
			err = lower_unlink(lb);
		break;
	case MUX_ROUTE:
		route = driver_data(mp, sizeof(*route));
		if (route)
			err = mux_route(q->q_ptr, route, ioc->ioc_cr);
		break;
	}
	driver_answer(q, mp, err, 0);
}

static int upper_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		driver_flush(q, mp);
		break;
	case M_IOCTL:
		upper_ioctl(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

/* Passes on what waits on q to the queue after to, as far as there is room. */
static void pass_on(queue_t *q, queue_t *to)
{
	mblk_t *mp;

	while (to && (mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(to, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(to, mp);
	}
}

static int upper_wsrv(queue_t *q)
{
	pass_on(q, way_down(q->q_ptr));
	return 0;
}

/* There is room above again: for all that comes here. */
static int upper_rsrv(queue_t *q)
{
	const struct lower *low;

	spin_lock_bh(&mux_lock);
	list_for_each_entry(low, &lowers, list)
		if (low->up == q->q_ptr)
			qenable(RD(low->wq));
	spin_unlock_bh(&mux_lock);
	return 0;
}

static int upper_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/* As a stream head does: what is to be flushed below goes back down. */
static void lower_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	if (*mp->b_rptr & FLUSHR)
		driver_flushq(q, mp);
	if (*mp->b_rptr & FLUSHW && !(mp->b_flag & MSGNOLOOP)) {
		driver_flushq(WR(q), mp);
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int lower_rput(queue_t *q, mblk_t *mp)
{
	queue_t *up;

	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		lower_flush(q, mp);
		break;
	case M_HANGUP:
	case M_UNHANGUP:
	case M_ERROR:
		up = way_up(q);
		if (up)
			putnext(up, mp);
		else
			freemsg(mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int lower_rsrv(queue_t *q)
{
	pass_on(q, way_up(q));
	return 0;
}

/* There is room below again: for all that goes there. */
static int lower_wsrv(queue_t *q)
{
	const struct upper *up;

	spin_lock_bh(&mux_lock);
	list_for_each_entry(up, &uppers, list)
		if (up->down && up->down->wq == q)
			qenable(WR(up->rq));
	spin_unlock_bh(&mux_lock);
	return 0;
}

static struct module_info mux_info = {
	.mi_idname = "mux",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit mux_rinit = {
	.qi_putp = upper_rput,
	.qi_srvp = upper_rsrv,
	.qi_qopen = upper_open,
	.qi_qclose = upper_close,
	.qi_minfo = &mux_info,
};

static struct qinit mux_winit = {
	.qi_putp = upper_wput,
	.qi_srvp = upper_wsrv,
	.qi_minfo = &mux_info,
};

static struct qinit mux_muxrinit = {
	.qi_putp = lower_rput,
	.qi_srvp = lower_rsrv,
	.qi_minfo = &mux_info,
};

static struct qinit mux_muxwinit = {
	.qi_srvp = lower_wsrv,
	.qi_minfo = &mux_info,
};

static const struct streamtab mux_tab = {
	.st_rdinit = &mux_rinit,
	.st_wrinit = &mux_winit,
	.st_muxrinit = &mux_muxrinit,
	.st_muxwinit = &mux_muxwinit,
};

static struct strdrv mux_driver = {
	.name = "mux",
	.tab = &mux_tab,
	.owner = THIS_MODULE,
};

static int __init mux_init(void)
{
	return strdrv_register(&mux_driver);
}

static void __exit mux_exit(void)
{
	strdrv_unregister(&mux_driver);
}

module_init(mux_init);
module_exit(mux_exit);

MODULE_DESCRIPTION("STREAMS multiplexing driver");
MODULE_LICENSE("GPL");
