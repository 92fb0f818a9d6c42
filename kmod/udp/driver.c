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

/* A driver of this module, and the type of its endpoints. */
struct udp_provider {
	const struct udp_family *family;
	struct tpi_driver driver;
};

static const struct udp_provider *udp_provider(const queue_t *q)
{
	return container_of(q->q_qinfo, struct udp_provider, driver.rinit);
}

static int udp_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* The end of a stream; not for pushing. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -udp_end_open(q, udp_provider(q)->family, cr);
}

static int udp_close(queue_t *q, int oflag, cred_t *cr)
{
	udp_end_close(q);
	return 0;
}

/* No message overtakes those that wait already. */
static void udp_wput_prim(queue_t *q, mblk_t *mp)
{
	struct udp_end *ep = udp_end(q);

	if (udp_prim_urgent(mp)) {
		udp_prim(q, mp);
	} else if (ep->busy || READ_ONCE(ep->blocked) || q->q_first) {
		if (!putq(q, mp))
			freemsg(mp);
	} else if (!udp_prim(q, mp)) {
		udp_wput_back(q, mp);
	}
}

static int udp_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		udp_wput_prim(q, mp);
		break;
	case M_DATA:
		/* Datagrams come with a T_UNITDATA_REQ. */
		tpi_reply(q, tpi_fatal(mp));
		break;
	case M_FLUSH:
		tpi_flush(q, mp);
		break;
	case M_IOCTL:
		tpi_ioctl_nak(q, mp, EINVAL);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int udp_wsrv(queue_t *q)
{
	struct udp_end *ep = udp_end(q);
	mblk_t *mp;

	udp_prim_finish(q);
	while (!ep->busy && !READ_ONCE(ep->blocked) && (mp = getq(q))) {
		if (!udp_prim(q, mp)) {
			udp_wput_back(q, mp);
			break;
		}
	}
	return 0;
}

/* Nothing is below; messages put here are sent up. */
static int udp_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static const struct qinit udp_rinit = {
	.qi_putp = udp_rput,
	.qi_qopen = udp_open,
	.qi_qclose = udp_close,
};

static const struct qinit udp_winit = {
	.qi_putp = udp_wput,
	.qi_srvp = udp_wsrv,
};

static struct udp_provider providers[] = {
	{
		.family = &udp_in,
		.driver = TPI_DRIVER(udp, UDP_HIWAT),
	},
#if IS_ENABLED(CONFIG_IPV6)
	{
		.family = &udp_in6,
		.driver = TPI_DRIVER(udp6, UDP_HIWAT),
	},
#endif
};

static void unregister(int n)
{
	while (n--)
		tpi_driver_unregister(&providers[n].driver);
}

int __init udp_driver_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(providers); i++) {
		err = tpi_driver_register(&providers[i].driver, &udp_rinit,
					  &udp_winit);
		if (err) {
			unregister(i);
			return err;
		}
	}
	return 0;
}

void udp_driver_exit(void)
{
	unregister(ARRAY_SIZE(providers));
}
