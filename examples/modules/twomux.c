// SPDX-License-Identifier: GPL-2.0-only
/*
 * twomux: a STREAMS driver that spreads written messages over two streams
 *
 * Each open makes an upper stream, below which I_LINK puts two lower ones.
 * Written messages are sent to them in turns; messages that arrive at either
 * are read above. A single lower stream gets all messages; without any they
 * wait.
 *
 * A model of a multiplexing driver. It has procedures for both sides of its
 * upper streams (st_rdinit, st_wrinit), and others that its lower streams'
 * heads have while they are linked (st_muxrinit, st_muxwinit). An upper
 * stream's run one at a time, and so do a lower stream's; but those of the
 * upper stream run beside those of its lower ones. Data that both use is under
 * twomux_lock, which is never held when a message is passed. A queue found
 * under the lock may be used as long as the procedure runs: all procedures are
 * RCU readers. The executive gives a lower stream back, and upper_close()
 * frees its memory, after a grace period.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <sys/stream.h>
#include <sys/strsun.h>

struct upper;

struct lower {
	queue_t *wq;			/* of the lower stream's head */
	struct upper *up;
	int muxid;
};

struct upper {
	queue_t *rq;
	struct lower low[2];		/* wq NULL: not linked */
	unsigned int turn;		/* index of the next to write to */
};

static DEFINE_SPINLOCK(twomux_lock);

static int upper_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct upper *up;

	/* A driver cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	up = kzalloc(sizeof(*up), GFP_KERNEL_ACCOUNT);
	if (!up)
		return ENOSR;
	up->rq = q;
	up->low[0].up = up;
	up->low[1].up = up;
	q->q_ptr = up;
	WR(q)->q_ptr = up;
	qprocson(q);
	return 0;
}

/* Under twomux_lock: the lower stream knows nothing of its upper one any more. */
static void lower_forget(struct lower *low)
{
	low->wq->q_ptr = NULL;
	RD(low->wq)->q_ptr = NULL;
	low->wq = NULL;
}

static int upper_close(queue_t *q, int oflag, cred_t *cr)
{
	struct upper *up = q->q_ptr;
	int i;

	/* I_UNLINK has come for each before, unless messages had to wait. */
	spin_lock_bh(&twomux_lock);
	for (i = 0; i < 2; i++)
		if (up->low[i].wq)
			lower_forget(&up->low[i]);
	spin_unlock_bh(&twomux_lock);
	/* A lower stream's procedure may have found this one before. */
	synchronize_rcu();
	qprocsoff(q);
	kfree(up);
	return 0;
}

/* I_LINK: the lower stream's queues are known by q_ptr from now on. */
static int lower_link(queue_t *q, const struct linkblk *lb)
{
	struct upper *up = q->q_ptr;
	struct lower *low;
	int err = 0;

	spin_lock_bh(&twomux_lock);
	low = up->low[0].wq ? &up->low[1] : &up->low[0];
	if (low->wq) {
		err = EBUSY;
	} else {
		low->wq = lb->l_qbot;
		low->muxid = lb->l_index;
		low->wq->q_ptr = low;
		RD(low->wq)->q_ptr = low;
	}
	spin_unlock_bh(&twomux_lock);
	/* Data that was written before */
	if (!err)
		qenable(q);
	return err;
}

/* I_UNLINK: after the answer the lower stream's queues are not to be used. */
static int lower_unlink(queue_t *q, const struct linkblk *lb)
{
	struct upper *up = q->q_ptr;
	int i, err = EINVAL;

	spin_lock_bh(&twomux_lock);
	for (i = 0; i < 2; i++) {
		if (!up->low[i].wq || up->low[i].muxid != lb->l_index)
			continue;
		lower_forget(&up->low[i]);
		err = 0;
	}
	spin_unlock_bh(&twomux_lock);
	/* The other one has room, perhaps. */
	if (!err)
		qenable(q);
	return err;
}

/*
 * I_LINK and I_UNLINK come from the executive only, so their contents are true.
 * I_PLINK would need lower streams that belong to no upper one; it is refused, as
 * are all other ioctls.
 */
static void upper_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	int err = EINVAL;

	if (ioc->ioc_cmd == I_LINK || ioc->ioc_cmd == I_UNLINK) {
		err = miocpullup(mp, sizeof(struct linkblk));
		if (!err && ioc->ioc_cmd == I_LINK)
			err = lower_link(q, (void *)mp->b_cont->b_rptr);
		else if (!err)
			err = lower_unlink(q, (void *)mp->b_cont->b_rptr);
	}
	if (err)
		miocnak(q, mp, 0, err);
	else
		miocack(q, mp, 0, 0);
}

/* Flushes one queue as an M_FLUSH asks: all of it, or a band. */
static void flush_queue(queue_t *q, const mblk_t *mp)
{
	if (!(*mp->b_rptr & FLUSHBAND))
		flushq(q, FLUSHDATA);
	else if (MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
}

/* At the end of a stream: a flush of the read side is sent back up. */
static void upper_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) && *mp->b_rptr & FLUSHW)
		flush_queue(q, mp);
	if (MBLKL(mp) && *mp->b_rptr & FLUSHR) {
		flush_queue(RD(q), mp);
		*mp->b_rptr &= ~FLUSHW;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int upper_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		if (!putq(q, mp))
			freemsg(mp);	/* no memory for a new band */
		break;
	case M_IOCTL:
		upper_ioctl(q, mp);
		break;
	case M_FLUSH:
		upper_flush(q, mp);
		break;
	default:
		/* A driver frees messages that it does not know. */
		freemsg(mp);
	}
	return 0;
}

/* The queue for the next message, or NULL; that one's turn is not over yet. */
static queue_t *way_down(struct upper *up)
{
	queue_t *q;

	spin_lock_bh(&twomux_lock);
	if (!up->low[up->turn].wq)
		up->turn ^= 1;
	q = up->low[up->turn].wq;
	spin_unlock_bh(&twomux_lock);
	return q;
}

/*
 * Sends written data to the lower streams in turns. One that is full is
 * waited for, or the order would depend on the time.
 */
static int upper_wsrv(queue_t *q)
{
	struct upper *up = q->q_ptr;
	queue_t *to;
	mblk_t *mp;

	while ((to = way_down(up)) && (mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(to, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(to, mp);
		/* Only this procedure changes it, one at a time. */
		up->turn ^= 1;
	}
	return 0;
}

/* Nothing is below a driver; this is what lower_rsrv() passes go by. */
static int upper_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/* There is room above again: for both lower streams. */
static int upper_rsrv(queue_t *q)
{
	const struct upper *up = q->q_ptr;
	int i;

	spin_lock_bh(&twomux_lock);
	for (i = 0; i < 2; i++)
		if (up->low[i].wq)
			qenable(RD(up->low[i].wq));
	spin_unlock_bh(&twomux_lock);
	return 0;
}

/* The lower streams' side: here the driver stands in the place of the head. */

/* The queue for messages from a lower stream, or NULL; q: its read queue. */
static queue_t *way_up(const queue_t *q)
{
	const struct lower *low;
	queue_t *to;

	spin_lock_bh(&twomux_lock);
	low = q->q_ptr;
	to = low ? low->up->rq : NULL;
	spin_unlock_bh(&twomux_lock);
	return to;
}

/* As a head does: a flush of the write side is sent back down, once. */
static void lower_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) && *mp->b_rptr & FLUSHR)
		flush_queue(q, mp);
	if (MBLKL(mp) && *mp->b_rptr & FLUSHW && !(mp->b_flag & MSGNOLOOP)) {
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int lower_rput(queue_t *q, mblk_t *mp)
{
	queue_t *to;

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
	case M_ERROR:
		/* Half of the written data is lost: report that to writers. */
		to = way_up(q);
		if (to)
			putnext(to, mp);
		else
			freemsg(mp);
		break;
	default:
		/* The other stream still works: no hangup for M_HANGUP. */
		freemsg(mp);
	}
	return 0;
}

static int lower_rsrv(queue_t *q)
{
	queue_t *to = way_up(q);
	mblk_t *mp;

	while (to && (mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(to, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(to, mp);
	}
	return 0;
}

/* There is room below again. */
static int lower_wsrv(queue_t *q)
{
	const struct lower *low;

	spin_lock_bh(&twomux_lock);
	low = q->q_ptr;
	if (low)
		qenable(WR(low->up->rq));
	spin_unlock_bh(&twomux_lock);
	return 0;
}

static struct module_info twomux_info = {
	.mi_idname = "twomux",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit upper_rinit = {
	.qi_putp = upper_rput,
	.qi_srvp = upper_rsrv,
	.qi_qopen = upper_open,
	.qi_qclose = upper_close,
	.qi_minfo = &twomux_info,
};

static struct qinit upper_winit = {
	.qi_putp = upper_wput,
	.qi_srvp = upper_wsrv,
	.qi_minfo = &twomux_info,
};

static struct qinit lower_rinit = {
	.qi_putp = lower_rput,
	.qi_srvp = lower_rsrv,
	.qi_minfo = &twomux_info,
};

/* There is no put procedure: a lower stream's head receives nothing from above. */
static struct qinit lower_winit = {
	.qi_srvp = lower_wsrv,
	.qi_minfo = &twomux_info,
};

static const struct streamtab twomux_tab = {
	.st_rdinit = &upper_rinit,
	.st_wrinit = &upper_winit,
	.st_muxrinit = &lower_rinit,
	.st_muxwinit = &lower_winit,
};

static struct strdrv twomux = {
	.name = "twomux",
	.tab = &twomux_tab,
	.owner = THIS_MODULE,
};

static int __init twomux_init(void)
{
	return strdrv_register(&twomux);
}

static void __exit twomux_exit(void)
{
	strdrv_unregister(&twomux);
}

module_init(twomux_init);
module_exit(twomux_exit);

MODULE_DESCRIPTION("STREAMS driver that spreads written data over two streams");
MODULE_LICENSE("GPL");
