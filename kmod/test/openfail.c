// SPDX-License-Identifier: GPL-2.0-only
/* openfail: a module that does not open */
#include <linux/module.h>
#include <sys/stream.h>

static int error = EDOM;
module_param(error, int, 0644);
MODULE_PARM_DESC(error, "the value that the open procedure returns");

static int openfail_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			 cred_t *cr)
{
	return error;
}

static int openfail_close(queue_t *q, int oflag, cred_t *cr)
{
	return 0;
}

static int openfail_put(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info openfail_info = {
	.mi_idname = "openfail",
	.mi_maxpsz = INFPSZ,
};

static struct qinit openfail_init_both = {
	.qi_putp = openfail_put,
	.qi_qopen = openfail_open,
	.qi_qclose = openfail_close,
	.qi_minfo = &openfail_info,
};

static const struct streamtab openfail_tab = {
	.st_rdinit = &openfail_init_both,
	.st_wrinit = &openfail_init_both,
};

static struct strmod openfail = {
	.name = "openfail",
	.tab = &openfail_tab,
	.owner = THIS_MODULE,
};

static int __init openfail_init(void)
{
	return strmod_register(&openfail);
}

static void __exit openfail_exit(void)
{
	strmod_unregister(&openfail);
}

module_init(openfail_init);
module_exit(openfail_exit);

MODULE_DESCRIPTION("STREAMS test module that does not open");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-openfail");
