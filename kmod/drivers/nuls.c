// SPDX-License-Identifier: GPL-2.0-only
/* nuls: a driver that drops all written messages and never sends any */
#include <linux/module.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "driver.h"

static int nuls_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int nuls_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static int nuls_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		driver_flush(q, mp);
		break;
	case M_IOCTL:
		driver_answer(q, mp, EINVAL, 0);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int nuls_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info nuls_info = {
	.mi_idname = "nuls",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit nuls_rinit = {
	.qi_putp = nuls_rput,
	.qi_qopen = nuls_open,
	.qi_qclose = nuls_close,
	.qi_minfo = &nuls_info,
};

static struct qinit nuls_winit = {
	.qi_putp = nuls_wput,
	.qi_minfo = &nuls_info,
};

static const struct streamtab nuls_tab = {
	.st_rdinit = &nuls_rinit,
	.st_wrinit = &nuls_winit,
};

static struct strdrv nuls_driver = {
	.name = "nuls",
	.tab = &nuls_tab,
	.owner = THIS_MODULE,
};

static int __init nuls_init(void)
{
	return strdrv_register(&nuls_driver);
}

static void __exit nuls_exit(void)
{
	strdrv_unregister(&nuls_driver);
}

module_init(nuls_init);
module_exit(nuls_exit);

MODULE_DESCRIPTION("STREAMS driver that throws everything away");
MODULE_LICENSE("GPL");
STR_NODE(14);
MODULE_ALIAS("devname:streams/nuls");
