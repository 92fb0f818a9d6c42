// SPDX-License-Identifier: GPL-2.0-only
/*
 * testmux: a multiplexing driver of one lower stream for each upper one, that
 * does on request what drivers should not
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <sys/stream.h>

#include "testmux.h"

struct testmux {
	queue_t *rq;
	queue_t *lower;		/* write queue of what was linked last */
	int nak;
	int silent;
	int late;
	int turn;
	mblk_t *kept;		/* a link's M_IOCTL, not looked at yet */
};

struct linked {
	struct list_head list;
	queue_t *wq;
	struct testmux *up;
	int muxid;
};

static LIST_HEAD(linked_list);
static DEFINE_SPINLOCK(testmux_lock);

static int testmux_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	struct testmux *t;

	/* An open makes a stream of its own. */
	if (sflag != CLONEOPEN)
		return EINVAL;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return ENOSR;
	t->rq = q;
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	qprocson(q);
	return 0;
}

static int testmux_close(queue_t *q, int oflag, cred_t *cr)
{
	struct testmux *t = q->q_ptr;
	struct linked *l, *next;

	/* A stream may be unlinked though the driver refused. */
	spin_lock_bh(&testmux_lock);
	list_for_each_entry_safe(l, next, &linked_list, list) {
		if (l->up == t) {
			list_del(&l->list);
			kfree(l);
		}
	}
	spin_unlock_bh(&testmux_lock);
	/*
	 * A procedure that found this stream's queue uses none of its other
	 * data.
	 */
	qprocsoff(q);
	freemsg(t->kept);
	kfree(t);
	return 0;
}

static int link_add(struct testmux *t, const struct linkblk *lb)
{
	struct linked *l = kzalloc(sizeof(*l), GFP_ATOMIC);

	if (!l)
		return EAGAIN;
	l->wq = lb->l_qbot;
	l->muxid = lb->l_index;
	spin_lock_bh(&testmux_lock);
	if (lb->l_qtop) {
		l->up = t;
		t->lower = l->wq;
	}
	list_add(&l->list, &linked_list);
	spin_unlock_bh(&testmux_lock);
	return 0;
}

static int link_del(const struct linkblk *lb)
{
	struct linked *l;
	int err = EINVAL;

	spin_lock_bh(&testmux_lock);
	list_for_each_entry(l, &linked_list, list) {
		if (l->muxid != lb->l_index)
			continue;
		if (l->up && l->up->lower == l->wq)
			l->up->lower = NULL;
		list_del(&l->list);
		kfree(l);
		err = 0;
		break;
	}
	spin_unlock_bh(&testmux_lock);
	return err;
}

/* Acts as if the driver came to look at the link only now. */
static int link_late(queue_t *q)
{
	struct testmux *t = q->q_ptr;
	mblk_t *mp = t->kept;
	struct iocblk *ioc;

	if (!mp)
		return EINVAL;
	t->kept = NULL;
	ioc = (struct iocblk *)mp->b_rptr;
	ioc->ioc_error = link_add(t, (struct linkblk *)mp->b_cont->b_rptr);
	ioc->ioc_rval = 0;
	ioc->ioc_count = 0;
	DB_TYPE(mp) = ioc->ioc_error ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
	return 0;
}

static int link_count(void)
{
	struct list_head *pos;
	int n = 0;

	spin_lock_bh(&testmux_lock);
	list_for_each(pos, &linked_list)
		n++;
	spin_unlock_bh(&testmux_lock);
	return n;
}

static int testmux_send_up(queue_t *q, const mblk_t *data)
{
	mblk_t *mp;

	if (!data || MBLKL(data) < 2)
		return EINVAL;
	mp = allocb(MBLKL(data) - 2, BPRI_MED);
	if (!mp)
		return ENOSR;
	DB_TYPE(mp) = data->b_rptr[0];
	mp->b_band = data->b_rptr[1];
	memcpy(mp->b_wptr, data->b_rptr + 2, MBLKL(data) - 2);
	mp->b_wptr += MBLKL(data) - 2;
	putnext(RD(q), mp);
	return 0;
}

static void testmux_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct testmux *t = q->q_ptr;
	void *data = mp->b_cont ? mp->b_cont->b_rptr : NULL;
	int err = 0;

	ioc->ioc_rval = 0;
	switch (ioc->ioc_cmd) {
	case I_LINK:
	case I_PLINK:
		if (t->nak) {
			err = t->nak;
			break;
		}
		if (t->late && !t->kept) {
			t->late = 0;
			t->kept = mp;
			return;
		}
		err = link_add(t, data);
		if (t->silent) {
			t->silent--;
			freemsg(mp);
			return;
		}
		break;
	case I_UNLINK:
	case I_PUNLINK:
		err = t->nak ?: link_del(data);
		if (t->silent) {
			t->silent--;
			freemsg(mp);
			return;
		}
		break;
	case TESTMUX_NAK:
		t->nak = *(int *)data;
		break;
	case TESTMUX_SILENT:
		t->silent = *(int *)data;
		break;
	case TESTMUX_LATE:
		t->late = *(int *)data;
		break;
	case TESTMUX_TURN:
		t->turn = *(int *)data;
		break;
	case TESTMUX_NOW:
		err = link_late(q);
		break;
	case TESTMUX_COUNT:
		ioc->ioc_rval = link_count();
		break;
	case TESTMUX_SEND:
		err = testmux_send_up(q, mp->b_cont);
		break;
	default:
		err = EINVAL;
	}
	ioc->ioc_error = err;
	ioc->ioc_count = 0;
	DB_TYPE(mp) = err ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
}

static int testmux_wput(queue_t *q, mblk_t *mp)
{
	struct testmux *t = q->q_ptr;
	queue_t *lower;

	if (DB_TYPE(mp) == M_IOCTL) {
		testmux_ioctl(q, mp);
		return 0;
	}
	spin_lock_bh(&testmux_lock);
	lower = t->lower;
	spin_unlock_bh(&testmux_lock);
	if (lower && DB_TYPE(mp) != M_FLUSH)
		putnext(lower, mp);
	else
		freemsg(mp);
	return 0;
}

static int testmux_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/*
 * Sends a message straight from the lower stream's perimeter into the upper one's, or into
 * that of another lower stream.
 */
static int testmux_muxrput(queue_t *q, mblk_t *mp)
{
	queue_t *to = NULL;
	struct linked *l;

	spin_lock_bh(&testmux_lock);
	list_for_each_entry(l, &linked_list, list)
		if (l->wq == WR(q) && l->up)
			to = l->up->turn ? l->up->lower : l->up->rq;
	spin_unlock_bh(&testmux_lock);
	if (to && DB_TYPE(mp) != M_FLUSH)
		putnext(to, mp);
	else
		freemsg(mp);
	return 0;
}

static struct module_info testmux_info = {
	.mi_idname = "testmux",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 4096,
	.mi_lowat = 1024,
};

static struct qinit testmux_rinit = {
	.qi_putp = testmux_rput,
	.qi_qopen = testmux_open,
	.qi_qclose = testmux_close,
	.qi_minfo = &testmux_info,
};

static struct qinit testmux_winit = {
	.qi_putp = testmux_wput,
	.qi_minfo = &testmux_info,
};

static struct qinit testmux_muxrinit = {
	.qi_putp = testmux_muxrput,
	.qi_minfo = &testmux_info,
};

static struct qinit testmux_muxwinit = {
	.qi_minfo = &testmux_info,
};

static const struct streamtab testmux_tab = {
	.st_rdinit = &testmux_rinit,
	.st_wrinit = &testmux_winit,
	.st_muxrinit = &testmux_muxrinit,
	.st_muxwinit = &testmux_muxwinit,
};

static struct strdrv testmux = {
	.name = "testmux",
	.tab = &testmux_tab,
	.owner = THIS_MODULE,
};

static int __init testmux_init(void)
{
	return strdrv_register(&testmux);
}

static void __exit testmux_exit(void)
{
	strdrv_unregister(&testmux);
}

module_init(testmux_init);
module_exit(testmux_exit);

MODULE_DESCRIPTION("STREAMS test multiplexor");
MODULE_LICENSE("GPL");
