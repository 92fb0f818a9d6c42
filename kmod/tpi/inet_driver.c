// SPDX-License-Identifier: GPL-2.0-only
/* The drivers behind /dev/streams/tcp, udp_s, rawip and sctp */
#include <linux/module.h>
#include <linux/sctp.h>
#include <sys/stream.h>
#include <sys/xti_inet.h>

#include "inet_end.h"

/* Bytes a TIDU may have: what one putmsg() takes. */
#define INET_TIDU	65536

static const struct inet_provider *inet_provider(const queue_t *q)
{
	return container_of(q->q_qinfo, struct inet_provider, rinit);
}

static int inet_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* The end of a stream; not for pushing. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -inet_end_open(q, inet_provider(q), cr);
}

static int inet_close(queue_t *q, int oflag, cred_t *cr)
{
	inet_end_close(q, oflag);
	return 0;
}

static void inet_wput_prim(queue_t *q, mblk_t *mp)
{
	struct inet_end *ep = inet_end(q);

	if (inet_prim_now(ep, mp))
		return;
	/* What may wait for room has no high priority: nothing would hold it up. */
	if (DB_TYPE(mp) == M_PCPROTO && inet_prim_is_data(mp)) {
		tpi_reply(q, tpi_fatal(mp));
		return;
	}
	/* What ends a connection does not wait behind its data. */
	if (inet_prim_urgent(ep, mp))
		DB_TYPE(mp) = M_PCPROTO;
	if (!putq(q, mp))
		freemsg(mp);
}

static int inet_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		inet_wput_prim(q, mp);
		break;
	case M_DATA:
		/* As a T_DATA_REQ; datagrams come with a T_UNITDATA_REQ. */
		if (inet_is_clts(inet_end(q)))
			tpi_reply(q, tpi_fatal(mp));
		else if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		if (MBLKL(mp) > 0 && *mp->b_rptr & FLUSHW &&
		    !(*mp->b_rptr & FLUSHBAND))
			inet_end_flush(inet_end(q));
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

/* What is queued is the work item's. */
static int inet_wsrv(queue_t *q)
{
	inet_end_kick(inet_end(q));
	return 0;
}

/* There is room above again. */
static int inet_rsrv(queue_t *q)
{
	struct inet_end *ep = inet_end(q);

	WRITE_ONCE(ep->stopped, false);
	inet_end_kick(ep);
	return 0;
}

/* Nothing is below; what is put here goes up. */
static int inet_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

#define INET_INFO(driver)						\
	static struct module_info driver##_info = {			\
		.mi_idname = #driver,					\
		.mi_minpsz = 0,						\
		.mi_maxpsz = INFPSZ,					\
		.mi_hiwat = 131072,					\
		.mi_lowat = 32768,					\
	}

#define INET_DRIVER(driver)						\
	.rinit = {							\
		.qi_putp = inet_rput,					\
		.qi_srvp = inet_rsrv,					\
		.qi_qopen = inet_open,					\
		.qi_qclose = inet_close,				\
		.qi_minfo = &driver##_info,				\
	},								\
	.winit = {							\
		.qi_putp = inet_wput,					\
		.qi_srvp = inet_wsrv,					\
		.qi_minfo = &driver##_info,				\
	},								\
	.drv = {							\
		.name = #driver,					\
		.owner = THIS_MODULE,					\
	}

INET_INFO(tcp);
INET_INFO(udp_s);
INET_INFO(rawip);
INET_INFO(sctp);

static struct inet_provider providers[] = {
	{
		.type = SOCK_STREAM,
		.protocol = IPPROTO_TCP,
		.level = T_INET_TCP,
		.serv_type = T_COTS_ORD,
		.flags = XPG4_1 | EXPINLINE,
		.tsdu = 0,
		.etsdu = T_INFINITE,
		.tidu = INET_TIDU,
		INET_DRIVER(tcp),
	},
	{
		.type = SOCK_DGRAM,
		.protocol = IPPROTO_UDP,
		.level = T_INET_UDP,
		.serv_type = T_CLTS,
		.flags = XPG4_1 | SENDZERO,
		.tsdu = 65507,
		.etsdu = T_INVALID,
		.tidu = 65507,
		INET_DRIVER(udp_s),
	},
	{
		.type = SOCK_RAW,
		/* Of sockets that are not bound: they receive nothing. */
		.protocol = IPPROTO_RAW,
		.level = XTI_GENERIC,
		.serv_type = T_CLTS,
		.flags = XPG4_1 | SENDZERO,
		.tsdu = 65535,
		.etsdu = T_INVALID,
		.tidu = 65535,
		INET_DRIVER(rawip),
	},
	{
		.type = SOCK_STREAM,
		.protocol = IPPROTO_SCTP,
		.level = XTI_GENERIC,
		.serv_type = T_COTS_ORD,
		.flags = XPG4_1,
		.tsdu = INET_TIDU,
		.etsdu = T_INVALID,
		.tidu = INET_TIDU,
		INET_DRIVER(sctp),
	},
};

static void unregister(int n)
{
	while (n--)
		strdrv_unregister(&providers[n].drv);
}

int __init inet_driver_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(providers); i++) {
		struct inet_provider *p = &providers[i];

		p->tab.st_rdinit = &p->rinit;
		p->tab.st_wrinit = &p->winit;
		p->drv.tab = &p->tab;
		err = strdrv_register(&p->drv);
		if (err) {
			unregister(i);
			return err;
		}
	}
	return 0;
}

void inet_driver_exit(void)
{
	unregister(ARRAY_SIZE(providers));
}
