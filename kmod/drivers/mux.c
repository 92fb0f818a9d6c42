// SPDX-License-Identifier: GPL-2.0-only
/*
 * mux: a driver that joins any number of upper streams with any number of
 * lower ones
 *
 * Each upper stream has one lower stream that gets its written messages, each
 * lower stream one upper that gets its arriving messages. Without one messages
 * wait.
 *
 * The procedures of an upper stream run in its perimeter, those of a lower one
 * in that one's; data that both use is under mux_lock, which is not held when
 * a message is passed. A queue found there may be used as long as the
 * procedure runs: queues are freed after a grace period, and the executive
 * waits for one after I_UNLINK.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <sys/mux.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "driver.h"

struct lower;

struct upper {
	queue_t *rq;
	struct lower *down;
	struct list_head sender;	/* among down's senders */
	struct list_head receivers;	/* lowers with this as up */
	struct list_head links;		/* linked by this one, until it closes */
};

struct lower {
	queue_t *wq;
	struct upper *up;
	struct list_head receiver;	/* among up's receivers */
	struct list_head senders;	/* uppers with this as down */
	struct list_head link;		/* among links */
	u32 muxid;
	kuid_t uid;			/* user that linked it, may route it */
	bool hup;			/* its driver hung up */
	mblk_t *hangup;			/* to go up, after what waits */
	mblk_t *parting;		/* for the stream head when it is unlinked */
	struct rcu_head rcu;
};

/* The lower streams by muxid; mux_lock protects this and all other state. */
static DEFINE_XARRAY(lowers);
static DEFINE_SPINLOCK(mux_lock);

static mblk_t *hangup_alloc(void)
{
	mblk_t *mp = allocb(0, BPRI_HI);

	if (mp)
		DB_TYPE(mp) = M_HANGUP;
	return mp;
}

static void set_down(struct upper *up, struct lower *low)
{
	list_del_init(&up->sender);
	up->down = low;
	if (low)
		list_add(&up->sender, &low->senders);
}

static void set_up(struct lower *low, struct upper *up)
{
	list_del_init(&low->receiver);
	low->up = up;
	if (up)
		list_add(&low->receiver, &up->receivers);
}

static int upper_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct upper *up;

	if (sflag == MODOPEN)
		return EINVAL;
	up = kzalloc(sizeof(*up), GFP_KERNEL_ACCOUNT);
	if (!up)
		return ENOSR;
	up->rq = q;
	INIT_LIST_HEAD(&up->sender);
	INIT_LIST_HEAD(&up->receivers);
	INIT_LIST_HEAD(&up->links);
	q->q_ptr = up;
	WR(q)->q_ptr = up;
	qprocson(q);
	return 0;
}

/*
 * Releases a lower stream. Messages on its queues, and its hangup, are for its
 * stream head.
 */
static void lower_drop(struct lower *low)
{
	struct upper *up, *next;

	low->wq->q_ptr = NULL;
	RD(low->wq)->q_ptr = NULL;
	xa_erase(&lowers, low->muxid);
	list_del(&low->link);
	set_up(low, NULL);
	list_for_each_entry_safe(up, next, &low->senders, sender)
		set_down(up, NULL);
	if (!low->hup || !putq(RD(low->wq), low->parting))
		freemsg(low->parting);
	freemsg(low->hangup);
	kfree_rcu(low, rcu);
}

static int upper_close(queue_t *q, int oflag, cred_t *cr)
{
	struct upper *up = q->q_ptr;
	struct lower *low, *next;

	spin_lock_bh(&mux_lock);
	set_down(up, NULL);
	list_for_each_entry_safe(low, next, &up->receivers, receiver)
		set_up(low, NULL);
	/* A module dropped the I_UNLINK of the links that remain. */
	list_for_each_entry_safe(low, next, &up->links, link)
		lower_drop(low);
	spin_unlock_bh(&mux_lock);
	/*
	 * A lower stream's procedure that found this one's queue before may use
	 * it until it ends: queues are freed after a grace period.
	 */
	qprocsoff(q);
	kfree(up);
	return 0;
}

/*
 * Returns the queue that an upper stream's messages are sent down to, or NULL.
 */
static queue_t *way_down(const struct upper *up)
{
	queue_t *q;

	spin_lock_bh(&mux_lock);
	q = up->down ? up->down->wq : NULL;
	spin_unlock_bh(&mux_lock);
	return q;
}

/*
 * Returns the queue that a lower stream's messages are sent up to, or NULL; q:
 * the lower stream's read queue.
 */
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

/* Adds a lower stream; the first one of a control stream serves that stream, both ways. */
static int lower_link(queue_t *q, const struct linkblk *lb, cred_t *cr)
{
	struct upper *up = q->q_ptr;
	struct lower *low;
	int err;

	low = kzalloc(sizeof(*low), GFP_ATOMIC | __GFP_ACCOUNT);
	if (!low)
		return EAGAIN;
	low->parting = hangup_alloc();
	if (!low->parting) {
		kfree(low);
		return EAGAIN;
	}
	low->wq = lb->l_qbot;
	low->muxid = lb->l_index;
	low->uid = cr->euid;
	INIT_LIST_HEAD(&low->receiver);
	INIT_LIST_HEAD(&low->senders);
	INIT_LIST_HEAD(&low->link);
	spin_lock_bh(&mux_lock);
	err = xa_insert(&lowers, low->muxid, low, GFP_ATOMIC | __GFP_ACCOUNT);
	if (err)
		goto unlock;
	low->wq->q_ptr = low;
	RD(low->wq)->q_ptr = low;
	if (lb->l_qtop)
		list_add(&low->link, &up->links);
	if (!up->down && lb->l_qtop) {
		set_down(up, low);
		set_up(low, up);
		qenable(q);
	}
unlock:
	spin_unlock_bh(&mux_lock);
	if (err) {
		freemsg(low->parting);
		kfree(low);
		return EAGAIN;
	}
	return 0;
}

static int lower_unlink(const struct linkblk *lb)
{
	struct lower *low;

	spin_lock_bh(&mux_lock);
	low = xa_load(&lowers, lb->l_index);
	if (low)
		lower_drop(low);
	spin_unlock_bh(&mux_lock);
	return low ? 0 : EINVAL;
}

/*
 * Returns the lower stream of a route that the caller may use; *err: the reason
 * for NULL.
 */
static struct lower *lower_find(const struct mux_route *route, cred_t *cr,
				int *err)
{
	struct lower *low = xa_load(&lowers, route->mr_muxid);

	if (!low)
		*err = ENXIO;
	else if (!uid_eq(cr->euid, low->uid) &&
		 !uid_eq(cr->euid, GLOBAL_ROOT_UID))
		*err = EPERM;
	return low;
}

/*
 * Sets the destination of an upper stream's messages, or a lower one's, or
 * both.
 */
static int mux_route(struct upper *up, const struct mux_route *route,
		     cred_t *cr)
{
	mblk_t *hangup = hangup_alloc();
	struct lower *low = NULL, *next;
	int err = 0;

	if (!route->mr_flags || route->mr_flags & ~(MUX_DOWN | MUX_UP))
		err = EINVAL;
	else if (!hangup)
		err = ENOSR;
	spin_lock_bh(&mux_lock);
	if (!err && route->mr_muxid)
		low = lower_find(route, cr, &err);
	if (err)
		goto unlock;
	if (route->mr_flags & MUX_DOWN) {
		set_down(up, low);
		qenable(WR(up->rq));
	}
	if (route->mr_flags & MUX_UP && low) {
		set_up(low, up);
		/*
		 * The stream learns of the hangup here: no other message will
		 * report it.
		 */
		if (low->hup && !low->hangup) {
			low->hangup = hangup;
			hangup = NULL;
		}
		qenable(RD(low->wq));
	} else if (route->mr_flags & MUX_UP) {
		list_for_each_entry_safe(low, next, &up->receivers, receiver)
			set_up(low, NULL);
	}
unlock:
	spin_unlock_bh(&mux_lock);
	freemsg(hangup);
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

/* Passes messages on q to the queue after to, as far as there is room. */
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

/*
 * Runs when an upper stream has room again: enables all lower streams that send
 * to it.
 */
static int upper_rsrv(queue_t *q)
{
	const struct upper *up = q->q_ptr;
	const struct lower *low;

	spin_lock_bh(&mux_lock);
	list_for_each_entry(low, &up->receivers, receiver)
		qenable(RD(low->wq));
	spin_unlock_bh(&mux_lock);
	return 0;
}

static int upper_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/* Handles a flush as a stream head does: that of the write side is sent back down. */
static void lower_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	flush_side(q, mp, FLUSHR);
	if (*mp->b_rptr & FLUSHW && !(mp->b_flag & MSGNOLOOP)) {
		flush_side(WR(q), mp, FLUSHW);
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

/* Sends up the messages that wait, and behind them the hangup. */
static int lower_rsrv(queue_t *q)
{
	queue_t *up = way_up(q);
	struct lower *low;
	mblk_t *mp = NULL;

	pass_on(q, up);
	spin_lock_bh(&mux_lock);
	low = q->q_ptr;
	up = low && low->up ? low->up->rq : NULL;
	if (up && !q->q_first) {
		mp = low->hangup;
		low->hangup = NULL;
	}
	spin_unlock_bh(&mux_lock);
	if (mp)
		putnext(up, mp);
	return 0;
}

/*
 * The lower stream was hung up, or no longer is. Streams that receive its
 * messages later must know it too. Returns false: the stream is no longer
 * linked.
 */
static bool lower_hangup(queue_t *q, mblk_t *mp)
{
	bool hup = DB_TYPE(mp) == M_HANGUP;
	mblk_t *untold = NULL;
	struct lower *low;
	queue_t *up = NULL;

	spin_lock_bh(&mux_lock);
	low = q->q_ptr;
	if (low) {
		untold = low->hangup;
		low->hup = hup;
		/* The caller that unlinks the stream frees it after this. */
		low->hangup = hup ? mp : NULL;
		if (low->up && !hup && !untold)
			up = low->up->rq;
	}
	spin_unlock_bh(&mux_lock);
	if (!low)
		return false;
	freemsg(untold);
	if (hup)
		lower_rsrv(q);
	else if (up)
		putnext(up, mp);
	else
		freemsg(mp);
	return true;
}

static int lower_rput(queue_t *q, mblk_t *mp)
{
	queue_t *up;

	switch (DB_TYPE(mp)) {
	case M_HANGUP:
	case M_UNHANGUP:
		if (lower_hangup(q, mp))
			break;
		fallthrough;
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		lower_flush(q, mp);
		break;
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

/*
 * Runs when a lower stream has room again: enables all upper streams that send
 * to it.
 */
static int lower_wsrv(queue_t *q)
{
	const struct lower *low;
	const struct upper *up;

	spin_lock_bh(&mux_lock);
	low = q->q_ptr;
	if (low)
		list_for_each_entry(up, &low->senders, sender)
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

static int __init strmux_init(void)
{
	return strdrv_register(&mux_driver);
}

static void __exit strmux_exit(void)
{
	strdrv_unregister(&mux_driver);
}

module_init(strmux_init);
module_exit(strmux_exit);

MODULE_DESCRIPTION("STREAMS multiplexing driver");
MODULE_LICENSE("GPL");
STR_NODE(13);
MODULE_ALIAS("devname:streams/mux");
