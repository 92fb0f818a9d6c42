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
struct strudp_provider {
	const struct strudp_family *family;
	struct tpi_driver driver;
};

static const struct strudp_provider *strudp_provider(const queue_t *q)
{
	return container_of(q->q_qinfo, struct strudp_provider, driver.rinit);
}

static int strudp_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* The end of a stream; not for pushing. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -strudp_end_open(q, strudp_provider(q)->family, cr);
}

static int strudp_close(queue_t *q, int oflag, cred_t *cr)
{
	strudp_end_close(q);
	return 0;
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
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		strudp_wput_prim(q, mp);
		break;
	case M_DATA:
		/* Datagrams come with a T_UNITDATA_REQ. */
		strtpi_reply(q, strtpi_fatal(mp));
		break;
	case M_FLUSH:
		strtpi_flush(q, mp);
		break;
	case M_IOCTL:
		strtpi_ioctl_nak(q, mp, EINVAL);
		break;
	default:
		freemsg(mp);
	}
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

/* Nothing is below; messages put here are sent up. */
static int strudp_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static const struct qinit udp_rinit = {
	.qi_putp = strudp_rput,
	.qi_qopen = strudp_open,
	.qi_qclose = strudp_close,
};

static const struct qinit udp_winit = {
	.qi_putp = strudp_wput,
	.qi_srvp = strudp_wsrv,
};

static struct strudp_provider providers[] = {
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

static void strudp_unregister(int n)
{
	while (n--)
		strtpi_driver_unregister(&providers[n].driver);
}

int __init strudp_driver_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(providers); i++) {
		err = strtpi_driver_register(&providers[i].driver, &udp_rinit,
					     &udp_winit);
		if (err) {
			strudp_unregister(i);
			return err;
		}
	}
	return 0;
}

void strudp_driver_exit(void)
{
	strudp_unregister(ARRAY_SIZE(providers));
}
