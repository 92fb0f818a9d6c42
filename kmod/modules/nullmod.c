// SPDX-License-Identifier: GPL-2.0-only
/* nullmod: a STREAMS module that passes everything on */
#include <linux/module.h>
#include <sys/stream.h>

static int nullmod_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	if (sflag != MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int nullmod_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static int nullmod_put(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info nullmod_info = {
	.mi_idname = "nullmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit nullmod_rinit = {
	.qi_putp = nullmod_put,
	.qi_qopen = nullmod_open,
	.qi_qclose = nullmod_close,
	.qi_minfo = &nullmod_info,
};

static struct qinit nullmod_winit = {
	.qi_putp = nullmod_put,
	.qi_minfo = &nullmod_info,
};

static const struct streamtab nullmod_tab = {
	.st_rdinit = &nullmod_rinit,
	.st_wrinit = &nullmod_winit,
};

static struct strmod nullmod = {
	.name = "nullmod",
	.tab = &nullmod_tab,
	.owner = THIS_MODULE,
	.passes = true,
};

static int __init nullmod_init(void)
{
	return strmod_register(&nullmod);
}

static void __exit nullmod_exit(void)
{
	strmod_unregister(&nullmod);
}

module_init(nullmod_init);
module_exit(nullmod_exit);

MODULE_DESCRIPTION("STREAMS module that passes everything on");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-nullmod");
