// SPDX-License-Identifier: GPL-2.0-only
/*
 * strtest: a driver that sends back written messages, and does rare operations
 * of drivers on request
 */
#include <linux/module.h>
#include <linux/string.h>
#include <sys/stream.h>

#include "strtest.h"

static int strtest_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			cred_t *cr)
{
	if (sflag == MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int strtest_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	return 0;
}

static void strtest_flush_down(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW) {
		flushq(q, FLUSHDATA);
		*mp->b_rptr &= ~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR) {
		flushq(RD(q), FLUSHDATA);
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

/* Makes an strtest_answer of a type, with the contents of the iocblk. */
static void strtest_answer(queue_t *q, mblk_t *mp, unsigned char type)
{
	DB_TYPE(mp) = type;
	qreply(q, mp);
}

/* Sends up a message that the ioctl's data describes: type, band, bytes. */
static int strtest_send_up(queue_t *q, const mblk_t *data)
{
	mblk_t *mp;

	if (!data || MBLKL(data) < 2)
		return EINVAL;
	mp = allocb(MBLKL(data) - 2, BPRI_MED);
	if (!mp)
		return ENOSR;
	DB_TYPE(mp) = data->b_rptr[0];
	mp->b_band = data->b_rptr[1];
	memcpy(mp->b_wptr, data->b_rptr + 2, MBLKL(data) - 2);
	mp->b_wptr += MBLKL(data) - 2;
	putnext(RD(q), mp);
	return 0;
}

static void strtest_ioctl_down(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	const mblk_t *data = mp->b_cont;

	ioc->ioc_error = 0;
	ioc->ioc_rval = 0;
	switch (ioc->ioc_cmd) {
	case STRTEST_ECHO:
		ioc->ioc_rval = STRTEST_RVAL;
		strtest_answer(q, mp, M_IOCACK);
		return;
	case STRTEST_NAK:
		ioc->ioc_error = data && MBLKL(data) ? *data->b_rptr : 0;
		strtest_answer(q, mp, M_IOCNAK);
		return;
	case STRTEST_SILENT:
		freemsg(mp);
		return;
	case STRTEST_SEND:
		ioc->ioc_error = strtest_send_up(q, data);
		break;
	case STRTEST_HOLD:
		noenable(q);
		break;
	case STRTEST_RELEASE:
		enableok(q);
		qenable(q);
		break;
	default:
		ioc->ioc_error = EINVAL;
		strtest_answer(q, mp, M_IOCNAK);
		return;
	}
	ioc->ioc_count = 0;
	strtest_answer(q, mp, M_IOCACK);
}

static int strtest_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		strtest_flush_down(q, mp);
		break;
	case M_IOCTL:
		strtest_ioctl_down(q, mp);
		break;
	case M_PCPROTO:
		qreply(q, mp);
		break;
	default:
		if (!putq(q, mp))
			freemsg(mp);
	}
	return 0;
}

/* Sends written messages back up, as far as there is room above. */
static int strtest_wsrv(queue_t *q)
{
	mblk_t *mp;

	if (!canenable(q))
		return 0;
	while ((mp = getq(q))) {
		if (!bcanputnext(RD(q), mp->b_band)) {
			putbq(q, mp);
			break;
		}
		qreply(q, mp);
	}
	return 0;
}

/* Runs when the stream above has room again. */
static int strtest_rsrv(queue_t *q)
{
	qenable(WR(q));
	return 0;
}

static int strtest_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info strtest_info = {
	.mi_idname = "strtest",
	.mi_minpsz = 0,
	.mi_maxpsz = 8192,
	.mi_hiwat = 4096,
	.mi_lowat = 1024,
};

static struct qinit strtest_rinit = {
	.qi_putp = strtest_rput,
	.qi_srvp = strtest_rsrv,
	.qi_qopen = strtest_open,
	.qi_qclose = strtest_close,
	.qi_minfo = &strtest_info,
};

static struct qinit strtest_winit = {
	.qi_putp = strtest_wput,
	.qi_srvp = strtest_wsrv,
	.qi_minfo = &strtest_info,
};

static const struct streamtab strtest_tab = {
	.st_rdinit = &strtest_rinit,
	.st_wrinit = &strtest_winit,
};

static struct strdrv strtest = {
	.name = "strtest",
	.tab = &strtest_tab,
	.owner = THIS_MODULE,
};

static int __init strtest_init(void)
{
	return strdrv_register(&strtest);
}

static void __exit strtest_exit(void)
{
	strdrv_unregister(&strtest);
}

module_init(strtest_init);
module_exit(strtest_exit);

MODULE_DESCRIPTION("STREAMS test driver");
MODULE_LICENSE("GPL");
