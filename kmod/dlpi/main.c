// SPDX-License-Identifier: GPL-2.0-only
/*
 * strdlpi: the Data Link Provider Interface; the driver behind /dev/streams/dlpi and
 * the nodes in /dev/streams/net
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "tpi/driver.h"
#include "end.h"
#include "ioctl.h"
#include "life.h"
#include "link.h"
#include "node.h"
#include "prim.h"
#include "send.h"
#include "up.h"

/* Bytes that may wait on a queue, at first. */
#define DLPI_HIWAT	131072

static int dlpi_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -dlpi_end_open(q, cr, dlpi_node_link(MINOR(*dev)));
}

static int dlpi_close(queue_t *q, int oflag, cred_t *cr)
{
	dlpi_end_close(q);
	return 0;
}

/*
 * Acts on a message. Returns false if the message has to wait for room to send.
 */
static bool dlpi_message(queue_t *q, mblk_t *mp)
{
	return DB_TYPE(mp) == M_DATA ? dlpi_raw_req(q, mp) : dlpi_prim(q, mp);
}

/* A message of high priority waits for the work item alone, not for the device. */
static bool dlpi_may_act(const struct dlpi_end *ep, const mblk_t *mp)
{
	return !ep->busy && (DB_TYPE(mp) & QPCTL || !READ_ONCE(ep->blocked));
}

static void dlpi_wput_back(queue_t *q, mblk_t *mp)
{
	if (!putbq(q, mp))
		freemsg(mp);
}

/* Only a message of high priority overtakes those that wait already. */
static void dlpi_wput_message(queue_t *q, mblk_t *mp)
{
	struct dlpi_end *ep = dlpi_end(q);

	if (!dlpi_may_act(ep, mp) || (q->q_first && !(DB_TYPE(mp) & QPCTL))) {
		if (!putq(q, mp))
			freemsg(mp);
	} else if (!dlpi_message(q, mp)) {
		dlpi_wput_back(q, mp);
	}
}

static int dlpi_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		dlpi_wput_message(q, mp);
		break;
	case M_FLUSH:
		/* The flush also drops frames that wait here. */
		dlpi_up_waiting(dlpi_end(q));
		strtpi_flush(q, mp);
		break;
	case M_IOCTL:
		dlpi_ioctl(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int dlpi_wsrv(queue_t *q)
{
	struct dlpi_end *ep = dlpi_end(q);
	mblk_t *mp;

	dlpi_prim_finish(q);
	/* A close may free what is on the queue at any time: a look at it needs getq(). */
	while (!ep->busy && (mp = getq(q))) {
		if (!dlpi_may_act(ep, mp) || !dlpi_message(q, mp)) {
			dlpi_wput_back(q, mp);
			break;
		}
	}
	return 0;
}

static int dlpi_rsrv(queue_t *q)
{
	dlpi_up_waiting(dlpi_end(q));
	return 0;
}

static const struct qinit dlpi_rinit = {
	.qi_putp = strtpi_rput,
	.qi_srvp = dlpi_rsrv,
	.qi_qopen = dlpi_open,
	.qi_qclose = dlpi_close,
};

static const struct qinit dlpi_winit = {
	.qi_putp = dlpi_wput,
	.qi_srvp = dlpi_wsrv,
};

static struct tpi_driver driver = TPI_DRIVER(dlpi, DLPI_HIWAT, NULL);

static int __init strdlpi_init(void)
{
	int err;

	err = dlpi_nodes_check();
	if (err)
		return err;
	err = dlpi_end_init();
	if (err)
		return err;
	err = dlpi_link_init();
	if (err)
		goto end;
	err = strtpi_drivers_register(&driver, 1, &dlpi_rinit, &dlpi_winit);
	if (err)
		goto link;
	dlpi_nodes_add(&driver.drv);
	return 0;

link:
	dlpi_link_exit();
end:
	dlpi_end_exit();
	return err;
}

static void __exit strdlpi_exit(void)
{
	dlpi_nodes_del();
	strtpi_drivers_unregister(&driver, 1);
	dlpi_link_exit();
	dlpi_end_exit();
}

module_init(strdlpi_init);
module_exit(strdlpi_exit);

MODULE_DESCRIPTION("STREAMS data link provider over network devices");
MODULE_LICENSE("GPL");
STR_NODE(10);
MODULE_ALIAS("devname:streams/dlpi");
