// SPDX-License-Identifier: GPL-2.0-only
/* echo: a driver that sends back written messages */
#include <linux/module.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "driver.h"

static int echo_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int echo_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

/* An ioctl by I_STR succeeds with its own data. */
static void echo_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count == TRANSPARENT || ioc->ioc_cmd == I_LINK ||
	    ioc->ioc_cmd == I_PLINK) {
		driver_answer(q, mp, EINVAL, 0);
		return;
	}
	ioc->ioc_error = 0;
	ioc->ioc_rval = 0;
	DB_TYPE(mp) = M_IOCACK;
	qreply(q, mp);
}

static int echo_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_PCPROTO:
		qreply(q, mp);
		break;
	case M_FLUSH:
		driver_flush(q, mp);
		break;
	case M_IOCTL:
		echo_ioctl(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

/* Sends written messages back up, as far as there is room above. */
static int echo_wsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (!bcanputnext(RD(q), mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		qreply(q, mp);
	}
	return 0;
}

/* Runs when the stream above has room again. */
static int echo_rsrv(queue_t *q)
{
	qenable(WR(q));
	return 0;
}

static int echo_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info echo_info = {
	.mi_idname = "echo",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit echo_rinit = {
	.qi_putp = echo_rput,
	.qi_srvp = echo_rsrv,
	.qi_qopen = echo_open,
	.qi_qclose = echo_close,
	.qi_minfo = &echo_info,
};

static struct qinit echo_winit = {
	.qi_putp = echo_wput,
	.qi_srvp = echo_wsrv,
	.qi_minfo = &echo_info,
};

static const struct streamtab echo_tab = {
	.st_rdinit = &echo_rinit,
	.st_wrinit = &echo_winit,
};

static struct strdrv echo_driver = {
	.name = "echo",
	.tab = &echo_tab,
	.owner = THIS_MODULE,
};

static int __init echo_init(void)
{
	return strdrv_register(&echo_driver);
}

static void __exit echo_exit(void)
{
	strdrv_unregister(&echo_driver);
}

module_init(echo_init);
module_exit(echo_exit);

MODULE_DESCRIPTION("STREAMS driver that sends back what is written");
MODULE_LICENSE("GPL");
STR_NODE(11);
MODULE_ALIAS("devname:streams/echo");
