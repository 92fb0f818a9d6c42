// SPDX-License-Identifier: GPL-2.0-only
/*
 * strcopy: strcopy_transparent ioctls, as a driver and as a module to be pushed
 *
 * Each request to copy takes a block of its own along in cq_private, so that
 * one which is never answered shows.
 */
#include <linux/compat.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include <sys/strsun.h>
#include "strcopy.h"

struct copier {
	int size;		/* STRCOPY_SIZE */
	int left;		/* requests without an answer */
	int failed;		/* the last error in an answer */
	mblk_t *held;		/* STRCOPY_HOLD */
};

/* The purpose of a request, in its cq_private. */
struct state {
	int step;
	int len;
	char *addr;
};

static int copy_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct copier *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return ENOMEM;
	q->q_ptr = c;
	WR(q)->q_ptr = c;
	qprocson(q);
	return 0;
}

static int copy_close(queue_t *q, int oflag, cred_t *cr)
{
	struct copier *c = q->q_ptr;

	qprocsoff(q);
	freemsg(c->held);
	kfree(c);
	return 0;
}

/* Makes a block for cq_private; NULL: the ioctl was refused. */
static mblk_t *state_make(queue_t *q, mblk_t *mp, struct state s)
{
	mblk_t *bp = allocb(sizeof(s), BPRI_MED);
	struct copier *c = q->q_ptr;

	if (!bp) {
		miocnak(q, mp, 0, ENOSR);
		return NULL;
	}
	memcpy(bp->b_wptr, &s, sizeof(s));
	bp->b_wptr += sizeof(s);
	c->left++;
	return bp;
}

/* Asks for size bytes of the user's. */
static void ask_in(queue_t *q, mblk_t *mp, struct state s, size_t size,
		   void *addr)
{
	mblk_t *bp = state_make(q, mp, s);

	if (!bp)
		return;
	mcopyin(mp, bp, size, addr);
	qreply(q, mp);
}

static void strcopy_give(queue_t *q, mblk_t *mp, struct state s, size_t size,
			 void *addr, mblk_t *data)
{
	mblk_t *bp = state_make(q, mp, s);

	if (!bp) {
		freemsg(data);
		return;
	}
	mcopyout(mp, bp, size, addr, data);
	qreply(q, mp);
}

static void give_int(queue_t *q, mblk_t *mp, int value, size_t size)
{
	mblk_t *data = allocb(sizeof(value), BPRI_MED);

	if (!data) {
		miocnak(q, mp, 0, ENOSR);
		return;
	}
	memcpy(data->b_wptr, &value, sizeof(value));
	data->b_wptr += sizeof(value);
	strcopy_give(q, mp, (struct state){ .step = 9 }, size, NULL, data);
}

static void ask_twice(queue_t *q, mblk_t *mp)
{
	struct copier *c = q->q_ptr;
	mblk_t *again = copymsg(mp), *bp;

	ask_in(q, mp, (struct state){ .step = 9 }, sizeof(int), NULL);
	if (!again)
		return;
	bp = allocb(1, BPRI_MED);
	c->left++;
	mcopyin(again, bp, sizeof(int), NULL);
	qreply(q, again);
}

/* Sends a request in a block that the stream head did not make. */
static void ask_anew(queue_t *q, mblk_t *mp)
{
	mblk_t *own = copyb(mp);

	if (!own) {
		miocnak(q, mp, 0, ENOSR);
		return;
	}
	own->b_cont = mp->b_cont;
	mp->b_cont = NULL;
	freeb(mp);
	/* copyb() left as much room as the block had. */
	own = reallocb(own, sizeof(struct copyreq), 1);
	ask_in(q, own, (struct state){ .step = 9 }, sizeof(int), NULL);
}

static size_t upper_size(int flag)
{
	return (flag & IOC_MODELS) == IOC_ILP32 ? 8 : 16;
}

static void strcopy_transparent(queue_t *q, mblk_t *mp, unsigned long arg)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct copier *c = q->q_ptr;

	switch (ioc->ioc_cmd) {
	case STRCOPY_MODEL:
		miocack(q, mp, 0, ioc->ioc_flag & IOC_MODELS);
		break;
	case STRCOPY_ARG:
		miocack(q, mp, 0, arg);
		break;
	case STRCOPY_GET:
		give_int(q, mp, STRCOPY_MAGIC, sizeof(int));
		break;
	case STRCOPY_UPPER:
		ask_in(q, mp, (struct state){ .step = 1 },
		       upper_size(ioc->ioc_flag), NULL);
		break;
	case STRCOPY_TAKE:
		ask_in(q, mp, (struct state){ .step = 8 }, c->size, NULL);
		break;
	case STRCOPY_LEAK:
		give_int(q, mp, 0, sizeof(int) + 1);
		break;
	case STRCOPY_TWICE:
		ask_twice(q, mp);
		break;
	case STRCOPY_ANEW:
		ask_anew(q, mp);
		break;
	case STRCOPY_HOLD:
		c->held = mp;
		break;
	case STRCOPY_NAK:
		miocnak(q, mp, 0, arg);
		break;
	case STRCOPY_FAIL:
		ioc->ioc_error = arg;
		ioc->ioc_count = 0;
		DB_TYPE(mp) = M_IOCACK;
		qreply(q, mp);
		break;
	}
}

static int strcopy_first_int(const mblk_t *mp)
{
	int n = 0;

	if (mp->b_cont && MBLKL(mp->b_cont) >= sizeof(n))
		memcpy(&n, mp->b_cont->b_rptr, sizeof(n));
	return n;
}

static void late(queue_t *q, bool ack)
{
	struct copier *c = q->q_ptr;
	mblk_t *held = c->held;

	c->held = NULL;
	if (!held)
		return;
	if (ack)
		miocack(q, held, 0, 0);
	else
		ask_in(q, held, (struct state){ .step = 9 }, sizeof(int), NULL);
}

static void by_str(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct copier *c = q->q_ptr;

	switch (ioc->ioc_cmd) {
	case STRCOPY_SIZE:
		c->size = strcopy_first_int(mp);
		miocack(q, mp, 0, 0);
		break;
	case STRCOPY_LATE:
		late(q, strcopy_first_int(mp));
		miocack(q, mp, 0, 0);
		break;
	case STRCOPY_LEFT:
		miocack(q, mp, 0, c->left);
		break;
	case STRCOPY_FAILED:
		miocack(q, mp, 0, c->failed);
		break;
	case STRCOPY_ASK:
		ask_in(q, mp, (struct state){ .step = 9 }, sizeof(int), NULL);
		break;
	case STRCOPY_UID:
		miocack(q, mp, 0, __kuid_val(ioc->ioc_cr->uid));
		break;
	}
}

/* Returns whether an ioctl is one of these, and the form that it is to have. */
static bool strcopy_is_ours(const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count == TRANSPARENT)
		return ioc->ioc_cmd >= STRCOPY_MODEL &&
		       ioc->ioc_cmd <= STRCOPY_FAIL;
	return ioc->ioc_cmd >= STRCOPY_SIZE && ioc->ioc_cmd <= STRCOPY_UID;
}

static void strcopy_ioctl_down(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (!strcopy_is_ours(mp)) {
		if (rcu_access_pointer(q->q_next))
			putnext(q, mp);
		else
			miocnak(q, mp, 0, EINVAL);
	} else if (ioc->ioc_count == TRANSPARENT) {
		strcopy_transparent(q, mp, *(unsigned long *)mp->b_cont->b_rptr);
	} else {
		by_str(q, mp);
	}
}

/* Handles the arrival of STRCOPY_UPPER's structure. */
static void upper_begin(queue_t *q, mblk_t *mp, int flag)
{
	struct state s = { .step = 2 };

	if ((flag & IOC_MODELS) == IOC_ILP32) {
		u32 *in = (u32 *)mp->b_cont->b_rptr;

		s.addr = (char __force *)compat_ptr(in[0]);
		s.len = in[1];
	} else {
		struct strcopy_upper *in = (void *)mp->b_cont->b_rptr;

		s.addr = in->text;
		s.len = in->len;
	}
	ask_in(q, mp, s, s.len, s.addr);
}

static void upper_end(queue_t *q, mblk_t *mp, struct state s)
{
	mblk_t *data = msgpullup(mp->b_cont, -1);
	unsigned char *p;

	if (!data) {
		miocnak(q, mp, 0, ENOSR);
		return;
	}
	for (p = data->b_rptr; p < data->b_wptr; p++)
		*p = toupper(*p);
	s.step = 9;
	strcopy_give(q, mp, s, s.len, s.addr, data);
}

static void iocdata(queue_t *q, mblk_t *mp)
{
	struct copyresp *resp = (struct copyresp *)mp->b_rptr;
	struct copier *c = q->q_ptr;
	struct state s = { };

	if (resp->cp_cmd < STRCOPY_MODEL || resp->cp_cmd > STRCOPY_UID) {
		putnext(q, mp);
		return;
	}
	c->left--;
	if (MBLKL(resp->cp_private) == sizeof(s))
		memcpy(&s, resp->cp_private->b_rptr, sizeof(s));
	freemsg(resp->cp_private);
	if (resp->cp_rval) {
		c->failed = (long)resp->cp_rval;
		freemsg(mp);
		return;
	}
	switch (s.step) {
	case 1:
		upper_begin(q, mp, resp->cp_flag);
		break;
	case 2:
		upper_end(q, mp, s);
		break;
	case 8:
		miocack(q, mp, 0, msgdsize(mp->b_cont));
		break;
	default:
		miocack(q, mp, 0, 0);
	}
}

static int copy_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		strcopy_ioctl_down(q, mp);
		break;
	case M_IOCDATA:
		iocdata(q, mp);
		break;
	default:
		if (rcu_access_pointer(q->q_next))
			putnext(q, mp);
		else
			freemsg(mp);
	}
	return 0;
}

static int copy_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info copy_info = {
	.mi_idname = "strcopy",
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 4096,
	.mi_lowat = 1024,
};

static struct qinit copy_rinit = {
	.qi_putp = copy_rput,
	.qi_qopen = copy_open,
	.qi_qclose = copy_close,
	.qi_minfo = &copy_info,
};

static struct qinit copy_winit = {
	.qi_putp = copy_wput,
	.qi_minfo = &copy_info,
};

static const struct streamtab copy_tab = {
	.st_rdinit = &copy_rinit,
	.st_wrinit = &copy_winit,
};

static struct strmod copy_mod = {
	.name = "strcopy",
	.tab = &copy_tab,
	.owner = THIS_MODULE,
};

static struct strdrv copy_drv = {
	.name = "strcopy",
	.tab = &copy_tab,
	.owner = THIS_MODULE,
};

static int __init strcopy_init(void)
{
	int err = strmod_register(&copy_mod);

	if (err)
		return err;
	err = strdrv_register(&copy_drv);
	if (err)
		strmod_unregister(&copy_mod);
	return err;
}

static void __exit strcopy_exit(void)
{
	strdrv_unregister(&copy_drv);
	strmod_unregister(&copy_mod);
}

module_init(strcopy_init);
module_exit(strcopy_exit);

MODULE_DESCRIPTION("STREAMS test driver and module with strcopy_transparent ioctls");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-strcopy");
