// SPDX-License-Identifier: GPL-2.0-only
/* rot13: a STREAMS module that rotates the letters of written data by 13 */
#include <linux/module.h>
#include <sys/stream.h>
#include <sys/strsun.h>

/* Called by I_PUSH. A module with data for each stream stores it in q->q_ptr here. */
static int rot13_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	if (sflag != MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int rot13_close(queue_t *q, int oflag, cred_t *cr)
{
	/* No procedure of this stream's runs after this. */
	qprocsoff(q);
	return 0;
}

static unsigned char rotated(unsigned char c)
{
	unsigned char letter = c | 0x20;

	if (letter >= 'a' && letter <= 'm')
		return c + 13;
	if (letter >= 'n' && letter <= 'z')
		return c - 13;
	return c;
}

/* Whether another message shares one of the buffers, as after dupmsg(). */
static bool shared(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (DB_REF(mp) > 1)
			return true;
	return false;
}

/* Messages from above: written data, and all others. */
static int rot13_wput(queue_t *q, mblk_t *mp)
{
	mblk_t *bp, *own;
	unsigned char *c;

	if (DB_TYPE(mp) != M_DATA) {
		putnext(q, mp);
		return 0;
	}
	if (shared(mp)) {
		own = copymsg(mp);
		if (!own) {
			/* Written data is not dropped without a word. */
			merror(q, mp, ENOSR);
			return 0;
		}
		freemsg(mp);
		mp = own;
	}
	for (bp = mp; bp; bp = bp->b_cont)
		for (c = bp->b_rptr; c < bp->b_wptr; c++)
			*c = rotated(*c);
	putnext(q, mp);
	return 0;
}

/* Messages from below are passed on as they are. */
static int rot13_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info rot13_info = {
	.mi_idname = "rot13",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit rot13_rinit = {
	.qi_putp = rot13_rput,
	.qi_qopen = rot13_open,
	.qi_qclose = rot13_close,
	.qi_minfo = &rot13_info,
};

static struct qinit rot13_winit = {
	.qi_putp = rot13_wput,
	.qi_minfo = &rot13_info,
};

static const struct streamtab rot13_tab = {
	.st_rdinit = &rot13_rinit,
	.st_wrinit = &rot13_winit,
};

static struct strmod rot13 = {
	.name = "rot13",
	.tab = &rot13_tab,
	.owner = THIS_MODULE,
};

static int __init rot13_init(void)
{
	return strmod_register(&rot13);
}

static void __exit rot13_exit(void)
{
	strmod_unregister(&rot13);
}

module_init(rot13_init);
module_exit(rot13_exit);

MODULE_DESCRIPTION("STREAMS module that rotates letters by 13");
MODULE_LICENSE("GPL");
/* I_PUSH loads it by this name. */
MODULE_ALIAS("strmod-rot13");
