// SPDX-License-Identifier: GPL-2.0-only
/*
 * strddi: a driver that uses the interface's deferred functions: timeouts,
 * bufcall, qwait, frozen queues, the log
 *
 * Data that is written comes back as a copy, for which memory may be short:
 * STRDDI_FAIL makes allocb() fail, or all functions that allocate messages.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include <sys/strlog.h>
#include <sys/strsun.h>
#include "strddi.h"

struct ddi {
	queue_t *wq;
	mblk_t *ioctl;		/* to be answered by a call */
	bufcall_id_t wait;	/* the service procedure waits for memory */
	atomic_t ran;		/* calls, of this stream */
	bool came;		/* open waits for it */
	struct list_head list;
};

static int fail;		/* STRDDI_FAIL_* */
static const void *spared;	/* the thread that asked for that */
static atomic_t failed;
static const void *starved;	/* the thread for which the others fail */
static int wait_open;		/* the next open waits: 1 is woken, 2 is not */
static atomic_t abandoned;	/* calls that ran after the close */

/*
 * The list has the open streams. A call may come for a stream after its close.
 */
static LIST_HEAD(open_list);
static DEFINE_SPINLOCK(open_lock);

static void note_ran(struct ddi *d)
{
	struct ddi *other;
	bool found = false;

	spin_lock_bh(&open_lock);
	list_for_each_entry(other, &open_list, list)
		found |= other == d;
	spin_unlock_bh(&open_lock);
	if (found)
		atomic_inc(&d->ran);
	else
		atomic_inc(&abandoned);
}

static void answer_call(void *arg)
{
	struct ddi *d = arg;
	mblk_t *mp = d->ioctl;

	note_ran(d);
	d->ioctl = NULL;
	if (mp)
		miocack(d->wq, mp, 0, 0);
}

static void count_call(void *arg)
{
	note_ran(arg);
}

/*
 * Sends the answer from outside of the perimeter: the answer has to enter it.
 */
static void answer_from_outside(void *arg)
{
	struct ddi *d = arg;

	putctl(d->wq, M_CTL);
}

static void wake_open(void *arg)
{
	struct ddi *d = arg;

	putctl(d->wq, M_CTL);
}

#if defined(CONFIG_X86_64) && IS_ENABLED(CONFIG_KPROBES)
/*
 * The function is entered in place of a probed one, and returns to its caller.
 */
static noinline void ddi_return(void)
{
	barrier();
}

static int probed(struct kprobe *p, struct pt_regs *regs)
{
	atomic_inc(&failed);
	regs->ax = 0;
	regs->ip = (unsigned long)ddi_return;
	return 1;
}

NOKPROBE_SYMBOL(probed);

/*
 * A handler after the probe makes the kernel expect that the one before changes
 * where to go on.
 */
static void probed_after(struct kprobe *p, struct pt_regs *regs,
			 unsigned long flags)
{
}

NOKPROBE_SYMBOL(probed_after);

/* Decides whether a message ends the thread's wait. */
static bool fails_for_all(void)
{
	return READ_ONCE(fail) == STRDDI_FAIL_ALL &&
	       (in_serving_softirq() || READ_ONCE(spared) != current);
}

NOKPROBE_SYMBOL(fails_for_all);

static int probed_all(struct kprobe *p, struct pt_regs *regs)
{
	return READ_ONCE(fail) == STRDDI_FAIL_MODULES || fails_for_all() ?
	       probed(p, regs) : 0;
}

NOKPROBE_SYMBOL(probed_all);

static int probed_one(struct kprobe *p, struct pt_regs *regs)
{
	return READ_ONCE(starved) == current || fails_for_all() ?
	       probed(p, regs) : 0;
}

NOKPROBE_SYMBOL(probed_one);

static struct kprobe probe_allocb = {
	.symbol_name = "allocb",
	.pre_handler = probed_all,
	.post_handler = probed_after,
};

static struct kprobe probe_testb = {
	.symbol_name = "testb",
	.pre_handler = probed_all,
	.post_handler = probed_after,
};

static struct kprobe probe_gfp = {
	.symbol_name = "allocb_gfp",
	.pre_handler = probed_one,
	.post_handler = probed_after,
};

static struct kprobe probe_written = {
	.symbol_name = "allocb_written",
	.pre_handler = probed_one,
	.post_handler = probed_after,
};

static struct kprobe probe_pair = {
	.symbol_name = "allocb_pair",
	.pre_handler = probed_one,
	.post_handler = probed_after,
};

static struct kprobe *probes[] = {
	&probe_allocb, &probe_testb, &probe_gfp, &probe_written, &probe_pair,
};

static DEFINE_MUTEX(probes_lock);
static unsigned int probes_users;	/* open streams */

/*
 * A probe slows all calls, so no probe is set while no stream asks for
 * failures.
 */
static int probes_get(void)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&probes_lock);
	if (!probes_users) {
		/*
		 * The next registration refuses values that the last one left.
		 */
		for (i = 0; i < ARRAY_SIZE(probes); i++) {
			probes[i]->addr = NULL;
			probes[i]->flags = 0;
		}
		err = register_kprobes(probes, ARRAY_SIZE(probes));
	}
	if (!err)
		probes_users++;
	mutex_unlock(&probes_lock);
	return err;
}

static void probes_put(void)
{
	mutex_lock(&probes_lock);
	if (!--probes_users)
		unregister_kprobes(probes, ARRAY_SIZE(probes));
	mutex_unlock(&probes_lock);
}
#else
static int probes_get(void)
{
	return 0;
}

static void probes_put(void)
{
}
#endif

static int ddi_close(queue_t *q, int oflag, cred_t *cr)
{
	struct ddi *d = q->q_ptr;

	WRITE_ONCE(starved, NULL);
	qprocsoff(q);
	if (d->wait)
		qunbufcall(q, d->wait);
	freemsg(d->ioctl);
	spin_lock_bh(&open_lock);
	list_del(&d->list);
	spin_unlock_bh(&open_lock);
	kfree(d);
	probes_put();
	return 0;
}

static int ddi_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct ddi *d;
	int how = xchg(&wait_open, 0), sig = 1, err;

	if (sflag == MODOPEN)
		return EINVAL;
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return ENOMEM;
	err = probes_get();
	if (err) {
		kfree(d);
		return -err;
	}
	d->wq = WR(q);
	q->q_ptr = d;
	WR(q)->q_ptr = d;
	spin_lock_bh(&open_lock);
	list_add(&d->list, &open_list);
	spin_unlock_bh(&open_lock);
	qprocson(q);
	if (how && how != STRDDI_QWAIT_SIG_NONE)
		qtimeout(q, wake_open, d, HZ / 10);
	while (how && !READ_ONCE(d->came) && sig) {
		if (how == STRDDI_QWAIT)
			qwait(q);
		else
			sig = qwait_sig(q);
	}
	if (!sig) {
		ddi_close(q, oflag, cr);
		return EINTR;
	}
	return 0;
}

static int strddi_first_int(const mblk_t *mp)
{
	int n = 0;

	if (mp->b_cont && MBLKL(mp->b_cont) >= sizeof(n))
		memcpy(&n, mp->b_cont->b_rptr, sizeof(n));
	return n;
}

/* The line of a check that failed, else 0 */
#define WRONG(cond)	((cond) ? 0 : __LINE__)

static int cancel_timeout(queue_t *q, struct ddi *d)
{
	timeout_id_t id = qtimeout(q, count_call, d, HZ);
	clock_t left = quntimeout(q, id);

	return WRONG(id) ?: WRONG(left > HZ / 2 && left <= HZ) ?:
	       WRONG(quntimeout(q, id) == -1) ?: WRONG(quntimeout(q, 0) == -1);
}

static int cancel_bufcall(queue_t *q, struct ddi *d)
{
	bufcall_id_t a, b;

	WRITE_ONCE(fail, 1);
	a = bufcall(100, BPRI_MED, count_call, d);
	b = qbufcall(q, 100, BPRI_MED, count_call, d);
	unbufcall(a);
	qunbufcall(q, b);
	unbufcall(a);
	qunbufcall(q, b);
	unbufcall(0);
	WRITE_ONCE(fail, 0);
	return WRONG(a && b && a != b);
}

/* Puts a before b on a queue that holds b, then takes b off. */
static int freeze_two(queue_t *q, mblk_t *a, mblk_t *b)
{
	mblk_t *mp;
	long n = 0;
	int i = 0;

	freezestr(q);
	insq(q, b, a);
	strqget(q, QCOUNT, 0, &n);
	for (mp = q->q_first; mp; mp = mp->b_next)
		i++;
	unfreezestr(q);
	freezestr(q);
	rmvq(q, b);
	unfreezestr(q);
	mp = getq(q);
	return WRONG(n == 2 && i == 2) ?: WRONG(mp == a) ?: WRONG(!getq(q));
}

static int freeze(queue_t *q)
{
	mblk_t *a = allocb(1, BPRI_MED), *b = allocb(1, BPRI_MED);
	int ret = WRONG(a && b);

	if (!ret) {
		*a->b_wptr++ = 'a';
		*b->b_wptr++ = 'b';
		noenable(q);
		ret = WRONG(putq(q, b)) ?: freeze_two(q, a, b);
		enableok(q);
		/* Both messages leave the queue after a failure, and are freed below. */
		while (getq(q))
			;
	}
	freemsg(a);
	freemsg(b);
	return ret;
}

/*
 * Leaves calls that would use the instance after it is freed, were they not
 * cancelled.
 */
static int leave_calls(queue_t *q, struct ddi *d)
{
	int i, made = 0;

	for (i = 0; i < 10; i++)
		made += !!qtimeout(q, count_call, d, i);
	WRITE_ONCE(fail, 1);
	for (i = 0; i < 10; i++)
		made += !!qbufcall(q, 100, BPRI_MED, count_call, d);
	return WRONG(made == 20);
}

static int log_one(const mblk_t *mp)
{
	const struct strddi_log *l;

	if (!mp->b_cont || MBLKL(mp->b_cont) != sizeof(*l))
		return WRONG(false);
	l = (struct strddi_log *)mp->b_cont->b_rptr;
	return !strlog(l->mid, l->sid, l->level, l->flags, "%s: %d", l->text,
		       42);
}

static void ddi_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct ddi *d = q->q_ptr;
	int ret = 0;

	switch (ioc->ioc_count == TRANSPARENT ? 0 : ioc->ioc_cmd) {
	case STRDDI_TIMEOUT:
		d->ioctl = mp;
		if (qtimeout(q, answer_call, d,
			     msecs_to_jiffies(strddi_first_int(mp))))
			return;
		break;
	case STRDDI_BUFCALL:
		d->ioctl = mp;
		if (bufcall(100, BPRI_MED, answer_from_outside, d))
			return;
		break;
	case STRDDI_QBUFCALL:
		d->ioctl = mp;
		if (qbufcall(q, 100, BPRI_MED, answer_call, d))
			return;
		break;
	case STRDDI_CANCEL:
		ret = cancel_timeout(q, d);
		break;
	case STRDDI_UNBUF:
		ret = cancel_bufcall(q, d);
		break;
	case STRDDI_FREEZE:
		ret = freeze(q);
		break;
	case STRDDI_LEAVE:
		ret = leave_calls(q, d);
		break;
	case STRDDI_RAN:
		ret = atomic_read(&d->ran);
		break;
	case STRDDI_FAIL:
		WRITE_ONCE(spared, current);
		WRITE_ONCE(fail, strddi_first_int(mp));
		break;
	case STRDDI_FAILED:
		ret = atomic_read(&failed);
		break;
	case STRDDI_LOG:
		ret = log_one(mp);
		break;
	case STRDDI_WAIT:
		WRITE_ONCE(wait_open, strddi_first_int(mp));
		break;
	case STRDDI_ABANDON:
		ret = atomic_read(&abandoned);
		break;
	case STRDDI_STARVE:
		WRITE_ONCE(starved, current);
		break;
	case STRDDI_FEED:
		WRITE_ONCE(starved, NULL);
		break;
	default:
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	miocack(q, mp, 0, ret);
}

static int ddi_wput(queue_t *q, mblk_t *mp)
{
	struct ddi *d = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		ddi_ioctl(q, mp);
		break;
	case M_CTL:
		freemsg(mp);
		WRITE_ONCE(d->came, true);
		if (d->ioctl)
			answer_call(d);
		break;
	case M_DATA:
		if (putq(q, mp))
			break;
		fallthrough;
	default:
		freemsg(mp);
	}
	return 0;
}

static void memory_came(void *arg)
{
	struct ddi *d = arg;

	d->wait = 0;
	note_ran(d);
	qenable(d->wq);
}

/* Sends back a copy; when memory is short, waits for some. */
static int ddi_wsrv(queue_t *q)
{
	struct ddi *d = q->q_ptr;
	mblk_t *mp, *copy;

	while ((mp = getq(q))) {
		size_t len = MBLKL(mp);

		if (!canputnext(RD(q))) {
			putbq(q, mp);
			break;
		}
		copy = allocb(len, BPRI_MED);
		if (!copy) {
			putbq(q, mp);
			if (!d->wait)
				d->wait = qbufcall(q, len, BPRI_MED,
						   memory_came, d);
			break;
		}
		memcpy(copy->b_wptr, mp->b_rptr, len);
		copy->b_wptr += len;
		freemsg(mp);
		qreply(q, copy);
	}
	return 0;
}

static int ddi_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static int ddi_rsrv(queue_t *q)
{
	qenable(WR(q));
	return 0;
}

static struct module_info ddi_info = {
	.mi_idnum = 904,
	.mi_idname = "strddi",
	.mi_maxpsz = 4096,
	.mi_hiwat = 8192,
	.mi_lowat = 2048,
};

static struct qinit ddi_rinit = {
	.qi_putp = ddi_rput,
	.qi_srvp = ddi_rsrv,
	.qi_qopen = ddi_open,
	.qi_qclose = ddi_close,
	.qi_minfo = &ddi_info,
};

static struct qinit ddi_winit = {
	.qi_putp = ddi_wput,
	.qi_srvp = ddi_wsrv,
	.qi_minfo = &ddi_info,
};

static const struct streamtab ddi_tab = {
	.st_rdinit = &ddi_rinit,
	.st_wrinit = &ddi_winit,
};

static struct strdrv ddi_drv = {
	.name = "strddi",
	.tab = &ddi_tab,
	.owner = THIS_MODULE,
};

static int __init strddi_init(void)
{
	return strdrv_register(&ddi_drv);
}

static void __exit strddi_exit(void)
{
	strdrv_unregister(&ddi_drv);
}

module_init(strddi_init);
module_exit(strddi_exit);

MODULE_DESCRIPTION("STREAMS test driver for calls, waiting and the log");
MODULE_LICENSE("GPL");
