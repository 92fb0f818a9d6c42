// SPDX-License-Identifier: GPL-2.0-only
/* The drivers behind /dev/streams/udp and udp6 */
#include <linux/module.h>
#include <sys/stream.h>

#include "tpi/driver.h"
#include "driver.h"
#include "end.h"
#include "in.h"
#include "in6.h"
#include "life.h"
#include "prim.h"

/* Bytes that may wait on a queue, at first. */
#define UDP_HIWAT	131072

static int strudp_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -strudp_end_open(q, tpi_driver_kind(q), cr);
}

static int strudp_close(queue_t *q, int oflag, cred_t *cr)
{
	strudp_end_close(q);
	return 0;
}

/* Returns whether a primitive may be answered before those that wait. */
static bool strudp_prim_urgent(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_PCPROTO &&
	       (tpi_type(mp) == T_INFO_REQ || tpi_type(mp) == T_CAPABILITY_REQ);
}

/* No message overtakes those that wait already. */
static void strudp_wput_prim(queue_t *q, mblk_t *mp)
{
	struct strudp_end *ep = strudp_end(q);

	if (strudp_prim_urgent(mp)) {
		strudp_prim(q, mp);
	} else if (ep->busy || READ_ONCE(ep->blocked) || q->q_first) {
		if (!putq(q, mp))
			freemsg(mp);
	} else if (!strudp_prim(q, mp)) {
		strudp_wput_back(q, mp);
	}
}

static int strudp_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO)
		strudp_wput_prim(q, mp);
	else
		/* Datagrams come with a T_UNITDATA_REQ. */
		strtpi_wput(q, mp);
	return 0;
}

static int strudp_wsrv(queue_t *q)
{
	struct strudp_end *ep = strudp_end(q);
	mblk_t *mp;

	strudp_prim_finish(q);
	while (!ep->busy && !READ_ONCE(ep->blocked) && (mp = getq(q))) {
		if (!strudp_prim(q, mp)) {
			strudp_wput_back(q, mp);
			break;
		}
	}
	return 0;
}

static const struct qinit udp_rinit = {
	.qi_putp = strtpi_rput,
	.qi_qopen = strudp_open,
	.qi_qclose = strudp_close,
};

static const struct qinit udp_winit = {
	.qi_putp = strudp_wput,
	.qi_srvp = strudp_wsrv,
};

static struct tpi_driver drivers[] = {
	TPI_DRIVER(udp, UDP_HIWAT, &udp_in),
#if IS_ENABLED(CONFIG_IPV6)
	TPI_DRIVER(udp6, UDP_HIWAT, &udp_in6),
#endif
};

int __init strudp_driver_init(void)
{
	return strtpi_drivers_register(drivers, ARRAY_SIZE(drivers), &udp_rinit,
				       &udp_winit);
}

void strudp_driver_exit(void)
{
	strtpi_drivers_unregister(drivers, ARRAY_SIZE(drivers));
}
