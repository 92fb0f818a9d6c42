// SPDX-License-Identifier: GPL-2.0-only
/*
 * count: a STREAMS module that counts messages and the bytes of their data
 *
 * The put procedures of a stream run one at a time, so the counts need no lock.
 * /proc/streams/open reads them beside those procedures, and after the module was
 * popped: the memory is freed after a grace period.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <sys/stream.h>

struct tally {
	unsigned long bytes;
	unsigned long msgs;
};

struct count {
	struct tally out;		/* written: passed down */
	struct tally in;		/* passed up */
	struct rcu_head rcu;
};

static int count_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct count *c;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);
	if (!c)
		return ENOSR;
	q->q_ptr = c;
	WR(q)->q_ptr = c;
	qprocson(q);
	return 0;
}

static int count_close(queue_t *q, int oflag, cred_t *cr)
{
	struct count *c = q->q_ptr;

	qprocsoff(q);
	kfree_rcu(c, rcu);
	return 0;
}

static void count_msg(struct tally *t, const mblk_t *mp)
{
	if (!datamsg(DB_TYPE(mp)))
		return;
	WRITE_ONCE(t->bytes, t->bytes + msgdsize(mp));
	WRITE_ONCE(t->msgs, t->msgs + 1);
}

static int count_wput(queue_t *q, mblk_t *mp)
{
	struct count *c = q->q_ptr;

	count_msg(&c->out, mp);
	putnext(q, mp);
	return 0;
}

static int count_rput(queue_t *q, mblk_t *mp)
{
	struct count *c = q->q_ptr;

	count_msg(&c->in, mp);
	putnext(q, mp);
	return 0;
}

static void count_show(queue_t *q, struct seq_file *m)
{
	const struct count *c = q->q_ptr;

	seq_printf(m, ":out=%lu/%lu:in=%lu/%lu",
		   READ_ONCE(c->out.bytes), READ_ONCE(c->out.msgs),
		   READ_ONCE(c->in.bytes), READ_ONCE(c->in.msgs));
}

static struct module_info count_info = {
	.mi_idname = "count",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit count_rinit = {
	.qi_putp = count_rput,
	.qi_qopen = count_open,
	.qi_qclose = count_close,
	.qi_minfo = &count_info,
	.qi_show = count_show,
};

static struct qinit count_winit = {
	.qi_putp = count_wput,
	.qi_minfo = &count_info,
};

static const struct streamtab count_tab = {
	.st_rdinit = &count_rinit,
	.st_wrinit = &count_winit,
};

static struct strmod count = {
	.name = "count",
	.tab = &count_tab,
	.owner = THIS_MODULE,
};

static int __init strcount_init(void)
{
	return strmod_register(&count);
}

static void __exit strcount_exit(void)
{
	strmod_unregister(&count);
}

module_init(strcount_init);
module_exit(strcount_exit);

MODULE_DESCRIPTION("STREAMS module that counts messages and bytes");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-count");
