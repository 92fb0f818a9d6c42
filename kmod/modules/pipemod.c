// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipemod: a module for the middle of a pipe
 *
 * Data written at one end is read at the other, so in the middle the sides
 * that an M_FLUSH names are swapped. Push it first, and on one end only.
 */
#include <linux/module.h>
#include <sys/stream.h>

static int pipemod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	if (sflag != MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int pipemod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static int pipemod_put(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_FLUSH && MBLKL(mp) >= 1) {
		unsigned char what = *mp->b_rptr & ~FLUSHRW;

		if (*mp->b_rptr & FLUSHR)
			what |= FLUSHW;
		if (*mp->b_rptr & FLUSHW)
			what |= FLUSHR;
		*mp->b_rptr = what;
	}
	putnext(q, mp);
	return 0;
}

static struct module_info pipemod_info = {
	.mi_idname = "pipemod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit pipemod_rinit = {
	.qi_putp = pipemod_put,
	.qi_qopen = pipemod_open,
	.qi_qclose = pipemod_close,
	.qi_minfo = &pipemod_info,
};

static struct qinit pipemod_winit = {
	.qi_putp = pipemod_put,
	.qi_minfo = &pipemod_info,
};

static const struct streamtab pipemod_tab = {
	.st_rdinit = &pipemod_rinit,
	.st_wrinit = &pipemod_winit,
};

static struct strmod pipemod = {
	.name = "pipemod",
	.tab = &pipemod_tab,
	.owner = THIS_MODULE,
};

static int __init pipemod_init(void)
{
	return strmod_register(&pipemod);
}

static void __exit pipemod_exit(void)
{
	strmod_unregister(&pipemod);
}

module_init(pipemod_init);
module_exit(pipemod_exit);

MODULE_DESCRIPTION("STREAMS module that lets M_FLUSH cross the middle of a pipe");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-pipemod");
