// SPDX-License-Identifier: GPL-2.0-only
/* flipmod: a module that changes the case of the letters that pass it */
#include <linux/ctype.h>
#include <linux/module.h>
#include <sys/stream.h>

static int flipmod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	if (sflag != MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int flipmod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static void flip(unsigned char *c, const unsigned char *end)
{
	for (; c < end; c++)
		if (isascii(*c) && isalpha(*c))
			*c ^= 0x20;
}

/* Inverts the data of a message, whatever control part it has. */
static int flipmod_put(queue_t *q, mblk_t *mp)
{
	mblk_t **link, *own;

	if (DB_TYPE(mp) != M_DATA && DB_TYPE(mp) != M_PROTO) {
		putnext(q, mp);
		return 0;
	}
	for (link = &mp; *link; link = &(*link)->b_cont) {
		if (DB_TYPE(*link) != M_DATA)
			continue;
		/* Other holders see the block too. */
		if (DB_REF(*link) > 1) {
			own = copyb(*link);
			if (!own) {
				freemsg(mp);
				return 0;
			}
			own->b_cont = unlinkb(*link);
			freeb(*link);
			*link = own;
		}
		flip((*link)->b_rptr, (*link)->b_wptr);
	}
	putnext(q, mp);
	return 0;
}

static struct module_info flipmod_info = {
	.mi_idname = "flipmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit flipmod_rinit = {
	.qi_putp = flipmod_put,
	.qi_qopen = flipmod_open,
	.qi_qclose = flipmod_close,
	.qi_minfo = &flipmod_info,
};

static struct qinit flipmod_winit = {
	.qi_putp = flipmod_put,
	.qi_minfo = &flipmod_info,
};

static const struct streamtab flipmod_tab = {
	.st_rdinit = &flipmod_rinit,
	.st_wrinit = &flipmod_winit,
};

static struct strmod flipmod = {
	.name = "flipmod",
	.tab = &flipmod_tab,
	.owner = THIS_MODULE,
};

static int __init flipmod_init(void)
{
	return strmod_register(&flipmod);
}

static void __exit flipmod_exit(void)
{
	strmod_unregister(&flipmod);
}

module_init(flipmod_init);
module_exit(flipmod_exit);

MODULE_DESCRIPTION("STREAMS module for tests that changes letters");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-flipmod");
