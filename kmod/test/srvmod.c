// SPDX-License-Identifier: GPL-2.0-only
/*
 * srvmod: a module that queues everything, so that its service procedures,
 * flow control and back-enabling have something to do
 */
#include <linux/module.h>
#include <sys/stream.h>

#include "drivers/flush.h"

static int srvmod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
		       cred_t *cr)
{
	qprocson(q);
	return 0;
}

static int srvmod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static void flush_through(queue_t *q, mblk_t *mp)
{
	flush_side(RD(q), mp, FLUSHR);
	flush_side(WR(q), mp, FLUSHW);
	putnext(q, mp);
}

static int srvmod_put(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_FLUSH)
		flush_through(q, mp);
	else if (DB_TYPE(mp) & QPCTL)
		putnext(q, mp);
	else if (!putq(q, mp))
		freemsg(mp);
	return 0;
}

static int srvmod_srv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (!bcanputnext(q, mp->b_band)) {
			putbq(q, mp);
			break;
		}
		putnext(q, mp);
	}
	return 0;
}

static struct module_info srvmod_info = {
	.mi_idname = "srvmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 2048,
	.mi_lowat = 512,
};

static struct qinit srvmod_rinit = {
	.qi_putp = srvmod_put,
	.qi_srvp = srvmod_srv,
	.qi_qopen = srvmod_open,
	.qi_qclose = srvmod_close,
	.qi_minfo = &srvmod_info,
};

static struct qinit srvmod_winit = {
	.qi_putp = srvmod_put,
	.qi_srvp = srvmod_srv,
	.qi_minfo = &srvmod_info,
};

static const struct streamtab srvmod_tab = {
	.st_rdinit = &srvmod_rinit,
	.st_wrinit = &srvmod_winit,
};

static struct strmod srvmod = {
	.name = "srvmod",
	.tab = &srvmod_tab,
	.owner = THIS_MODULE,
};

static int __init srvmod_init(void)
{
	return strmod_register(&srvmod);
}

static void __exit srvmod_exit(void)
{
	strmod_unregister(&srvmod);
}

module_init(srvmod_init);
module_exit(srvmod_exit);

MODULE_DESCRIPTION("STREAMS test module with service procedures");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-srvmod");
