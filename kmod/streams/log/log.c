// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver of /dev/streams/log
 *
 * Each open makes a stream of its own. An I_STR selects what it reads;
 * messages written to it are logged. Both need the right to read the kernel's
 * log.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <sys/strsun.h>
#include "streams/message/mblk.h"
#include "log.h"
#include "strlog.h"

/* The most bytes that a reader may be behind */
#define LOG_HIWAT	65536
#define LOG_LOWAT	32768

/* The facility of messages from programs, as in syslog(3). */
#define LOG_USER	8

/* The reader of errors; there is at most one. */
static struct log_reader *error_logger;

/* Sets how much may wait at the stream head; NULL: memory is short. */
static mblk_t *head_marks(void)
{
	mblk_t *mp = allocb_gfp(sizeof(struct stroptions), GFP_KERNEL_ACCOUNT);
	struct stroptions *so;

	if (!mp)
		return NULL;
	so = (struct stroptions *)mp->b_wptr;
	*so = (struct stroptions){
		.so_flags = SO_HIWAT | SO_LOWAT,
		.so_hiwat = LOG_HIWAT,
		.so_lowat = LOG_LOWAT,
	};
	mp->b_wptr += sizeof(*so);
	DB_TYPE(mp) = M_SETOPTS;
	return mp;
}

static int log_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct log_reader *r;
	mblk_t *marks;

	if (sflag == MODOPEN)
		return EINVAL;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return ENOMEM;
	marks = head_marks();
	if (!marks) {
		kfree(r);
		return ENOSR;
	}
	r->rq = q;
	r->trusted = capable(CAP_SYSLOG);
	q->q_ptr = r;
	WR(q)->q_ptr = r;
	qprocson(q);
	putnext(q, marks);
	log_reader_add(r);
	return 0;
}

static int log_close(queue_t *q, int oflag, cred_t *cr)
{
	struct log_reader *r = q->q_ptr;
	struct log_wants *wants;

	log_reader_del(r);
	qprocsoff(q);
	/* Earlier requests are answered: an I_ERRLOG waited until now. */
	cmpxchg(&error_logger, r, NULL);
	wants = rcu_dereference_protected(r->wants, true);
	/* A task that found the reader before may still send. */
	if (wants)
		kfree_rcu(wants, rcu);
	kfree_rcu(r, rcu);
	return 0;
}

/* Handles I_TRCLOG. Returns an error, or 0. */
static int set_wants(struct log_reader *r, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct log_wants *wants, *old;
	size_t len = ioc->ioc_count;
	int n = len / sizeof(struct trace_ids);

	if (len % sizeof(struct trace_ids) || n < 1 || n > TRACE_IDS_MOST ||
	    miocpullup(mp, len))
		return EINVAL;
	wants = kmalloc(struct_size(wants, ids, n), GFP_ATOMIC);
	if (!wants)
		return ENOSR;
	wants->n = n;
	memcpy(wants->ids, mp->b_cont->b_rptr, len);
	/*
	 * Two requests that set the filter do not race: the put procedures of a
	 * stream run one at a time.
	 */
	old = rcu_dereference_protected(r->wants, true);
	rcu_assign_pointer(r->wants, wants);
	if (old)
		kfree_rcu(old, rcu);
	return 0;
}

/* Handles I_ERRLOG. Returns an error, or 0. */
static int set_error_logger(struct log_reader *r)
{
	const struct log_reader *other = cmpxchg(&error_logger, NULL, r);

	return other && other != r ? EBUSY : 0;
}

static void log_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct log_reader *r = q->q_ptr;
	unsigned int kind;
	int err = 0;

	switch (ioc->ioc_cmd) {
	case I_TRCLOG:
		kind = SL_TRACE;
		break;
	case I_ERRLOG:
		kind = SL_ERROR;
		break;
	case I_CONSLOG:
		kind = SL_CONSOLE;
		break;
	default:
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	if (!r->trusted)
		err = EPERM;
	else if (kind == SL_TRACE)
		err = set_wants(r, mp);
	else if (ioc->ioc_count)
		err = EINVAL;
	else if (kind == SL_ERROR)
		err = set_error_logger(r);
	if (err) {
		miocnak(q, mp, 0, err);
		return;
	}
	WRITE_ONCE(r->kinds, r->kinds | kind);
	miocack(q, mp, 0, 0);
}

/* Writing fails with an error from now on. */
static void write_error(queue_t *q, mblk_t *mp, int error)
{
	mp = mexchange(q, mp, 2, M_ERROR, M_NOTYPE);
	if (!mp)
		return;
	mp->b_rptr[0] = NOERROR;
	mp->b_rptr[1] = error;
	qreply(q, mp);
}

/* Sends a message that a program wrote: a struct log_ctl and its text. */
static void log_written(queue_t *q, mblk_t *mp)
{
	const struct log_reader *r = q->q_ptr;
	struct log_ctl ctl;
	mblk_t *text;
	size_t len;

	if (!r->trusted) {
		write_error(q, mp, EPERM);
		return;
	}
	if (!mp->b_cont || MBLKL(mp) != sizeof(ctl)) {
		write_error(q, mp, EINVAL);
		return;
	}
	memcpy(&ctl, mp->b_rptr, sizeof(ctl));
	ctl.flags &= SL_ALL;
	ctl.pad = 0;
	ctl.pri = LOG_USER | (ctl.pri & 7);
	text = unlinkb(mp);
	freemsg(mp);
	/* The text ends with its first block when memory is short. */
	pullupmsg(text, -1);
	len = strnlen(text->b_rptr, min_t(size_t, mblk_len(text), LOGMSGSZ - 1));
	log_send(&ctl, text->b_rptr, len);
	freemsg(text);
}

static void log_flush(queue_t *q, mblk_t *mp)
{
	/* The write side has no queued messages. */
	if (MBLKL(mp) >= 1 && *mp->b_rptr & FLUSHR) {
		*mp->b_rptr &= ~FLUSHW;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int log_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PROTO:
		log_written(q, mp);
		break;
	case M_DATA:
		/* The message has no known owner or recipient. */
		write_error(q, mp, EINVAL);
		break;
	case M_IOCTL:
		log_ioctl(q, mp);
		break;
	case M_FLUSH:
		log_flush(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int log_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info log_info = {
	.mi_idnum = 44,
	.mi_idname = "log",
	.mi_minpsz = 0,
	.mi_maxpsz = LOGMSGSZ,
	.mi_hiwat = LOG_HIWAT,
	.mi_lowat = LOG_LOWAT,
};

static struct qinit log_rinit = {
	.qi_putp = log_rput,
	.qi_qopen = log_open,
	.qi_qclose = log_close,
	.qi_minfo = &log_info,
};

static struct qinit log_winit = {
	.qi_putp = log_wput,
	.qi_minfo = &log_info,
};

static const struct streamtab log_tab = {
	.st_rdinit = &log_rinit,
	.st_wrinit = &log_winit,
};

static struct strdrv log_driver = {
	.name = "log",
	.tab = &log_tab,
	.owner = THIS_MODULE,
};

int __init log_init(void)
{
	return strdrv_register(&log_driver);
}

void log_exit(void)
{
	strdrv_unregister(&log_driver);
}
