// SPDX-License-Identifier: GPL-2.0-only
/*
 * strtee: a STREAMS module that copies written data to another stream
 *
 * Pushed on two streams. One of them, the tap, asks for the other, the source,
 * by its number (strtee.h); from then on data written to the source is sent on
 * as before, and a copy of it is read from the tap. Nothing is dropped: a tap that
 * is not read holds up the writer of the source, until it is closed.
 *
 * A model of how streams find each other. The procedures of one stream run one
 * at a time, but those of two run beside each other: shared data is under
 * tees_lock, which is never held when a message is passed. A procedure may go
 * on using a queue that it found under the lock: all procedures are RCU
 * readers, and tee_close() waits for a grace period before the queue is freed.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "strtee.h"

struct tee {
	queue_t *rq;			/* its read queue */
	struct tee *tap;		/* where copies of written data are sent */
	struct tee *source;		/* where those come from that go up here */
	u32 number;
	kuid_t uid;			/* user that pushed it, may tap it */
	bufcall_id_t waits;		/* for memory, or 0 */
};

/* By number; an entry is taken out under tees_lock. */
static DEFINE_XARRAY_FLAGS(tees, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_BH);
static u32 tees_next;
static DEFINE_SPINLOCK(tees_lock);

/* Under tees_lock: no copies from source to tap any more. */
static void tee_part(struct tee *source)
{
	source->tap->source = NULL;
	source->tap = NULL;
	/* Messages that waited for room at the tap */
	qenable(WR(source->rq));
}

static int tee_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct tee *t;

	if (sflag != MODOPEN)
		return EINVAL;
	/* One more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ENOSR;
	t->rq = q;
	t->uid = cr->euid;
	/* Before qprocson(): messages may come while that runs. */
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	if (xa_alloc_cyclic_bh(&tees, &t->number, NULL, XA_LIMIT(1, INT_MAX),
			       &tees_next, GFP_KERNEL_ACCOUNT) < 0) {
		kfree(t);
		return ENOSR;
	}
	qprocson(q);
	/* Not to be found before; its place is there, and this cannot fail. */
	xa_store_bh(&tees, t->number, t, GFP_KERNEL_ACCOUNT);
	return 0;
}

/*
 * The module is popped. Messages that still wait on the write queue are sent
 * on by qprocsoff(), without copies: the tap cannot be found from here on.
 */
static int tee_close(queue_t *q, int oflag, cred_t *cr)
{
	struct tee *t = q->q_ptr;

	spin_lock_bh(&tees_lock);
	xa_erase_bh(&tees, t->number);
	if (t->tap)
		tee_part(t);
	if (t->source)
		tee_part(t->source);
	spin_unlock_bh(&tees_lock);
	/* A procedure of another stream may have found this one before. */
	synchronize_rcu();
	qprocsoff(q);
	/* It would look at t. */
	if (t->waits)
		qunbufcall(WR(q), t->waits);
	kfree(t);
	return 0;
}

/* The read queue of the stream that gets copies, or NULL. */
static queue_t *tee_tap(const struct tee *t)
{
	queue_t *q;

	spin_lock_bh(&tees_lock);
	q = t->tap ? t->tap->rq : NULL;
	spin_unlock_bh(&tees_lock);
	return q;
}

/* TEE_FROM: of the tap's stream. 0, or why not. */
static int tee_join(struct tee *tap, int number, cred_t *cr)
{
	struct tee *source;
	int err = 0;

	spin_lock_bh(&tees_lock);
	source = number > 0 ? xa_load(&tees, number) : NULL;
	if (number && !source)
		err = ENXIO;
	else if (source == tap)
		err = EINVAL;
	else if (source && !uid_eq(cr->euid, source->uid) &&
		 !uid_eq(cr->euid, GLOBAL_ROOT_UID))
		err = EPERM;
	else if (source && source->tap)
		err = EBUSY;
	if (!err && tap->source)
		tee_part(tap->source);
	if (!err && source) {
		source->tap = tap;
		tap->source = source;
	}
	spin_unlock_bh(&tees_lock);
	return err;
}

/* An ioctl of this module's; false: it is for a module or driver below. */
static bool tee_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct tee *t = q->q_ptr;
	int err;

	switch (ioc->ioc_cmd) {
	case TEE_NUMBER:
		miocack(q, mp, 0, t->number);
		return true;
	case TEE_FROM:
		/* One block, and as long as it must be: it is the user's. */
		err = miocpullup(mp, sizeof(int));
		if (!err)
			err = tee_join(t, *(int *)mp->b_cont->b_rptr,
				       ioc->ioc_cr);
		if (err)
			miocnak(q, mp, 0, err);
		else
			miocack(q, mp, 0, 0);
		return true;
	default:
		return false;
	}
}

/*
 * Ordinary messages are queued and passed by the service procedures, which can
 * wait for room; those of high priority pass at once. So do ioctls: the task
 * that waits for the answer may be the reader that is to make room.
 */
static void pass_or_queue(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) >= QPCTL || DB_TYPE(mp) == M_IOCTL)
		putnext(q, mp);
	else if (!putq(q, mp))
		freemsg(mp);	/* no memory for a new band */
}

static void tee_flush(queue_t *q, const mblk_t *mp)
{
	if (!(*mp->b_rptr & FLUSHBAND))
		flushq(q, FLUSHDATA);
	else if (MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
}

static int tee_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL && tee_ioctl(q, mp))
		return 0;
	if (DB_TYPE(mp) == M_FLUSH && MBLKL(mp) && *mp->b_rptr & FLUSHW)
		tee_flush(q, mp);
	pass_or_queue(q, mp);
	return 0;
}

static int tee_rput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_FLUSH && MBLKL(mp) && *mp->b_rptr & FLUSHR)
		tee_flush(q, mp);
	pass_or_queue(q, mp);
	return 0;
}

/* There may be memory again. */
static void tee_retry(void *arg)
{
	queue_t *q = arg;
	struct tee *t = q->q_ptr;

	t->waits = 0;
	qenable(q);
}

static void wait_for_memory(queue_t *q)
{
	struct tee *t = q->q_ptr;

	if (t->waits)
		return;
	t->waits = qbufcall(q, sizeof(mblk_t), BPRI_MED, tee_retry, q);
	if (!t->waits)
		qenable(q);
}

/*
 * Passes on written messages, and a copy of data to the tap, as far as both
 * have room. The side that makes room enables this queue again: the stream
 * below by back-enabling, the tap by tee_rsrv().
 */
static int tee_wsrv(queue_t *q)
{
	queue_t *tap;
	mblk_t *mp, *copy;

	while ((mp = getq(q))) {
		tap = DB_TYPE(mp) == M_DATA ? tee_tap(q->q_ptr) : NULL;
		if (!bcanputnext(q, mp->b_band) ||
		    (tap && !bcanputnext(tap, mp->b_band))) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		if (tap) {
			/* The same buffers, seen twice: DB_REF() is 2. */
			copy = dupmsg(mp);
			if (!copy) {
				if (!putbq(q, mp))
					freemsg(mp);
				wait_for_memory(q);
				break;
			}
			putnext(tap, copy);
		}
		putnext(q, mp);
	}
	return 0;
}

/* Passes on messages from below; and there is room above for copies. */
static int tee_rsrv(queue_t *q)
{
	const struct tee *t = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (!bcanputnext(q, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(q, mp);
	}
	spin_lock_bh(&tees_lock);
	if (t->source)
		qenable(WR(t->source->rq));
	spin_unlock_bh(&tees_lock);
	return 0;
}

static struct module_info tee_info = {
	.mi_idname = "strtee",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit tee_rinit = {
	.qi_putp = tee_rput,
	.qi_srvp = tee_rsrv,
	.qi_qopen = tee_open,
	.qi_qclose = tee_close,
	.qi_minfo = &tee_info,
};

static struct qinit tee_winit = {
	.qi_putp = tee_wput,
	.qi_srvp = tee_wsrv,
	.qi_minfo = &tee_info,
};

static const struct streamtab tee_tab = {
	.st_rdinit = &tee_rinit,
	.st_wrinit = &tee_winit,
};

static struct strmod tee = {
	.name = "strtee",
	.tab = &tee_tab,
	.owner = THIS_MODULE,
};

static int __init strtee_init(void)
{
	return strmod_register(&tee);
}

static void __exit strtee_exit(void)
{
	strmod_unregister(&tee);
}

module_init(strtee_init);
module_exit(strtee_exit);

MODULE_DESCRIPTION("STREAMS module that copies written data to another stream");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-strtee");
