// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules that count how many of their procedures run at once
 *
 * They pass everything on, through their service procedures, and stay inside
 * for a while: strplain with the stream's perimeter, strqpair with one for
 * each instance and an outer one, strpermod with one for all instances.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <sys/strsun.h>
#include "streams/perim/perim.h"
#include "strperim.h"

/* Microseconds that a procedure takes. */
#define STAY	20

/* The state that a module's instances share. */
struct counts {
	atomic_t inside;
	atomic_t opening;
	atomic_t writing;
	atomic_t runs;
	atomic_t most;
	atomic_t most_pair;
	atomic_t most_open;
	atomic_t writers;
	atomic_t disturbed;
};

struct instance {
	struct counts *counts;
	atomic_t inside;
};

enum { PLAIN, QPAIR, PERMOD, N_MODULES };

static struct counts counts[N_MODULES];

static void note_most(atomic_t *most, int n)
{
	int was = atomic_read(most);

	while (n > was && !atomic_try_cmpxchg(most, &was, n))
		;
}

static void enter(queue_t *q)
{
	struct instance *in = q->q_ptr;

	atomic_inc(&in->counts->runs);
	note_most(&in->counts->most, atomic_inc_return(&in->counts->inside));
	note_most(&in->counts->most_pair, atomic_inc_return(&in->inside));
	if (atomic_read(&in->counts->writing))
		atomic_inc(&in->counts->disturbed);
	udelay(STAY);
}

static void leave(queue_t *q)
{
	struct instance *in = q->q_ptr;

	atomic_dec(&in->inside);
	atomic_dec(&in->counts->inside);
}

static void opening(struct counts *c)
{
	note_most(&c->most_open, atomic_inc_return(&c->opening));
	usleep_range(500, 1000);
	atomic_dec(&c->opening);
}

static int module_open(queue_t *q, struct counts *c)
{
	struct instance *in;

	if (q->q_ptr)
		return 0;
	in = kzalloc(sizeof(*in), GFP_KERNEL);
	if (!in)
		return ENOMEM;
	in->counts = c;
	q->q_ptr = in;
	WR(q)->q_ptr = in;
	opening(c);
	qprocson(q);
	return 0;
}

static int plain_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	return module_open(q, &counts[PLAIN]);
}

static int qpair_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	return module_open(q, &counts[QPAIR]);
}

static int permod_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	return module_open(q, &counts[PERMOD]);
}

static int perim_close(queue_t *q, int oflag, cred_t *cr)
{
	struct instance *in = q->q_ptr;

	opening(in->counts);
	qprocsoff(q);
	kfree(in);
	return 0;
}

/*
 * Runs with no other procedure inside the module (or the instance, for
 * PERIM_INNER).
 */
static void writer(queue_t *q, mblk_t *mp, const atomic_t *inside, int mine)
{
	struct instance *in = q->q_ptr;

	atomic_inc(&in->counts->writers);
	if (atomic_read(inside) > mine)
		atomic_inc(&in->counts->disturbed);
	udelay(10 * STAY);
	if (atomic_read(inside) > mine)
		atomic_inc(&in->counts->disturbed);
	miocack(q, mp, 0, 0);
}

static void outer_writer(queue_t *q, mblk_t *mp)
{
	struct instance *in = q->q_ptr;

	atomic_inc(&in->counts->writing);
	writer(q, mp, &in->counts->inside, 0);
	atomic_dec(&in->counts->writing);
}

static void inner_writer(queue_t *q, mblk_t *mp)
{
	struct instance *in = q->q_ptr;

	/* The put procedure, which runs inside the perimeter, is the caller. */
	writer(q, mp, &in->inside, 1);
}

static void give_stat(queue_t *q, mblk_t *mp, const struct counts *c)
{
	struct strperim_stat stat = {
		.runs = atomic_read(&c->runs),
		.most = atomic_read(&c->most),
		.most_pair = atomic_read(&c->most_pair),
		.most_open = atomic_read(&c->most_open),
		.writers = atomic_read(&c->writers),
		.disturbed = atomic_read(&c->disturbed),
	};
	mblk_t *data = allocb(sizeof(stat), BPRI_MED);

	if (!data) {
		miocnak(q, mp, 0, ENOSR);
		return;
	}
	memcpy(data->b_wptr, &stat, sizeof(stat));
	data->b_wptr += sizeof(stat);
	freemsg(mp->b_cont);
	mp->b_cont = data;
	miocack(q, mp, sizeof(stat), 0);
}

static void reset(struct counts *c)
{
	atomic_set(&c->runs, 0);
	atomic_set(&c->most, 0);
	atomic_set(&c->most_pair, 0);
	atomic_set(&c->most_open, 0);
	atomic_set(&c->writers, 0);
	atomic_set(&c->disturbed, 0);
}

/*
 * STRPERIM_HOLD keeps the perimeter; busy is cleared by the release, or when
 * its time is over.
 */
static struct {
	atomic_t busy;
	queue_t *q;
	mblk_t *mp;
	struct completion release;
} holder;

/* Answers from inside the perimeter, and stays there. */
static void perim_stay(struct work_struct *work)
{
	struct strperim *p = holder.q->q_perim;

	str_perim_lock(p);
	miocack(holder.q, holder.mp, 0, 0);
	if (!wait_for_completion_timeout(&holder.release, 60 * HZ))
		atomic_set(&holder.busy, 0);
	str_perim_unlock(p);
}

static DECLARE_WORK(hold_work, perim_stay);

static int perim_hold(queue_t *q, mblk_t *mp)
{
	if (atomic_cmpxchg(&holder.busy, 0, 1))
		return EBUSY;
	holder.q = q;
	holder.mp = mp;
	reinit_completion(&holder.release);
	schedule_work(&hold_work);
	return 0;
}

static int perim_release(void)
{
	if (atomic_cmpxchg(&holder.busy, 1, 0) != 1)
		return EINVAL;
	complete(&holder.release);
	return 0;
}

/* Returns whether the ioctl was this module's. */
static bool perim_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct instance *in = q->q_ptr;
	int err;

	if (ioc->ioc_count == TRANSPARENT)
		return false;
	switch (ioc->ioc_cmd) {
	case STRPERIM_STAT:
		give_stat(q, mp, in->counts);
		return true;
	case STRPERIM_RESET:
		reset(in->counts);
		miocack(q, mp, 0, 0);
		return true;
	case STRPERIM_OUTER:
		qwriter(q, mp, outer_writer, PERIM_OUTER);
		return true;
	case STRPERIM_STAY:
		err = miocpullup(mp, sizeof(int));
		if (err) {
			miocnak(q, mp, 0, err);
			return true;
		}
		mdelay(clamp(*(int *)mp->b_cont->b_rptr, 0, 1000));
		miocack(q, mp, 0, 0);
		return true;
	case STRPERIM_HOLD:
		err = perim_hold(q, mp);
		if (err)
			miocnak(q, mp, 0, err);
		return true;
	case STRPERIM_RELEASE:
		err = perim_release();
		if (err)
			miocnak(q, mp, 0, err);
		else
			miocack(q, mp, 0, 0);
		return true;
	case STRPERIM_INNER:
		qwriter(q, mp, inner_writer, PERIM_INNER);
		return true;
	default:
		return false;
	}
}

static int strperim_wput(queue_t *q, mblk_t *mp)
{
	enter(q);
	if (DB_TYPE(mp) == M_IOCTL && !(q->q_flag & QREADR) &&
	    perim_ioctl(q, mp))
		mp = NULL;
	else if (!(DB_TYPE(mp) & QPCTL) && putq(q, mp))
		mp = NULL;
	leave(q);
	/*
	 * The call is made after leave(): it may run another instance's
	 * procedure.
	 */
	if (mp)
		putnext(q, mp);
	return 0;
}

static int perim_srv(queue_t *q)
{
	mblk_t *mp;

	for (;;) {
		enter(q);
		mp = getq(q);
		leave(q);
		if (!mp)
			break;
		if (!bcanputnext(q, mp->b_band)) {
			putbq(q, mp);
			break;
		}
		putnext(q, mp);
	}
	return 0;
}

/* A module with these procedures */
#define MODULE_OF(id, number, modflags)					\
static struct module_info id##_info = {					\
	.mi_idnum = number,						\
	.mi_idname = "str" #id,						\
	.mi_maxpsz = INFPSZ,						\
	.mi_hiwat = 4096,						\
	.mi_lowat = 1024,						\
};									\
									\
static struct qinit id##_rinit = {					\
	.qi_putp = strperim_wput,						\
	.qi_srvp = perim_srv,						\
	.qi_qopen = id##_open,						\
	.qi_qclose = perim_close,					\
	.qi_minfo = &id##_info,						\
};									\
									\
static struct qinit id##_winit = {					\
	.qi_putp = strperim_wput,						\
	.qi_srvp = perim_srv,						\
	.qi_minfo = &id##_info,						\
};									\
									\
static const struct streamtab id##_tab = {				\
	.st_rdinit = &id##_rinit,					\
	.st_wrinit = &id##_winit,					\
};									\
									\
static struct strmod id##_mod = {					\
	.name = "str" #id,						\
	.tab = &id##_tab,						\
	.owner = THIS_MODULE,						\
	.flags = modflags,						\
}

MODULE_OF(plain, 901, 0);
MODULE_OF(qpair, 902, D_MTQPAIR | D_MTOUTPERIM | D_MTOCEXCL);
MODULE_OF(permod, 903, D_MTPERMOD);

/* These registrations must be refused. */
static struct strmod bad_mod = {
	.name = "strbad",
	.tab = &plain_tab,
	.owner = THIS_MODULE,
	.flags = D_MTQPAIR | D_MTPERMOD,
};

static struct strmod *const mods[N_MODULES] = {
	&plain_mod, &qpair_mod, &permod_mod
};

static int __init strperim_init(void)
{
	int i, err = 0;

	init_completion(&holder.release);
	if (strmod_register(&bad_mod) != -EINVAL)
		return -EPROTO;
	for (i = 0; i < N_MODULES && !err; i++)
		err = strmod_register(mods[i]);
	if (err)
		for (i -= 2; i >= 0; i--)
			strmod_unregister(mods[i]);
	return err;
}

static void __exit strperim_exit(void)
{
	int i;

	for (i = 0; i < N_MODULES; i++)
		strmod_unregister(mods[i]);
	flush_work(&hold_work);
}

module_init(strperim_init);
module_exit(strperim_exit);

MODULE_DESCRIPTION("STREAMS test modules that count the tasks inside");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-strplain");
MODULE_ALIAS("strmod-strqpair");
MODULE_ALIAS("strmod-strpermod");
