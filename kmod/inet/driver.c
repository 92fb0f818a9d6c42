// SPDX-License-Identifier: GPL-2.0-only
/* The drivers behind /dev/streams/tcp, tcp6, udp_s, rawip, rawip6, sctp and sctp6 */
#include <linux/module.h>
#include <linux/sctp.h>
#include <sys/stream.h>

#include "dgram.h"
#include "driver.h"
#include "end.h"
#include "prim.h"
#include "recv.h"
#include "work.h"

/* Bytes that may wait on a queue, at first. */
#define INET_HIWAT	131072

/* The largest TIDU in bytes: as much as one putmsg() takes. */
#define INET_TIDU	65536

static const struct strinet_provider *strinet_provider(const queue_t *q)
{
	return container_of(q->q_qinfo, struct strinet_provider, driver.rinit);
}

static int strinet_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* The end of a stream; not for pushing. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -strinet_end_open(q, strinet_provider(q), cr);
}

static int strinet_close(queue_t *q, int oflag, cred_t *cr)
{
	strinet_end_close(q, oflag);
	return 0;
}

static void strinet_wput_prim(queue_t *q, mblk_t *mp)
{
	struct strinet_end *ep = strinet_end(q);

	if (strinet_prim_now(ep, mp))
		return;
	/*
	 * A message that may wait for room has no high priority, or flow
	 * control would not hold it up.
	 */
	if (DB_TYPE(mp) == M_PCPROTO && strinet_prim_is_data(mp)) {
		strtpi_reply(q, strtpi_fatal(mp));
		return;
	}
	/*
	 * Requests that end a connection, or ask about it, do not wait behind
	 * its data.
	 */
	if (strinet_prim_urgent(ep, mp))
		DB_TYPE(mp) = M_PCPROTO;
	if (!putq(q, mp))
		freemsg(mp);
}

static int strinet_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		strinet_wput_prim(q, mp);
		break;
	case M_DATA:
		/* As a T_DATA_REQ; datagrams come with a T_UNITDATA_REQ. */
		if (strinet_is_clts(strinet_end(q)))
			strtpi_reply(q, strtpi_fatal(mp));
		else if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		if (MBLKL(mp) > 0 && *mp->b_rptr & FLUSHW &&
		    !(*mp->b_rptr & FLUSHBAND))
			strinet_end_flush(strinet_end(q));
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

/* Queued messages are for the work item. */
static int strinet_wsrv(queue_t *q)
{
	strinet_end_kick(strinet_end(q));
	return 0;
}

/* There is room above again. */
static int strinet_rsrv(queue_t *q)
{
	struct strinet_end *ep = strinet_end(q);

	WRITE_ONCE(ep->stopped, false);
	/* Nearly always a reader made the room, and will read again. */
	if (!strinet_end_is_read(ep) || !str_errand_up(q))
		strinet_end_kick(ep);
	return 0;
}

/* Nothing is below; messages put here are sent up. */
static int strinet_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static const struct qinit inet_rinit = {
	.qi_putp = strinet_rput,
	.qi_srvp = strinet_rsrv,
	.qi_qopen = strinet_open,
	.qi_qclose = strinet_close,
};

static const struct qinit inet_winit = {
	.qi_putp = strinet_wput,
	.qi_srvp = strinet_wsrv,
};

#define INET_IN4	.domain = PF_INET, .addr_size = sizeof(struct sockaddr_in)
#define INET_IN6	.domain = PF_INET6, .addr_size = sizeof(struct sockaddr_in6)

#define INET_TCP							\
	.type = SOCK_STREAM, .protocol = IPPROTO_TCP,			\
	.serv_type = T_COTS_ORD, .flags = XPG4_1 | EXPINLINE,		\
	.tsdu = 0, .etsdu = T_INFINITE, .tidu = INET_TIDU,		\
	.data = &inet_conn_data

#define INET_SCTP							\
	.type = SOCK_STREAM, .protocol = IPPROTO_SCTP,			\
	.serv_type = T_COTS_ORD, .flags = XPG4_1,			\
	.tsdu = INET_TIDU, .etsdu = T_INVALID, .tidu = INET_TIDU,	\
	.data = &inet_conn_data

#define INET_DATAGRAMS(most)						\
	.serv_type = T_CLTS, .flags = XPG4_1 | SENDZERO,		\
	.tsdu = (most), .etsdu = T_INVALID, .tidu = (most),		\
	.data = &inet_dgram_data

#define INET_UDP							\
	.type = SOCK_DGRAM, .protocol = IPPROTO_UDP, INET_DATAGRAMS(65507)

/* The protocol is for sockets that are not bound: they receive nothing. */
#define INET_RAW							\
	.type = SOCK_RAW, .protocol = IPPROTO_RAW, INET_DATAGRAMS(65535)

static struct strinet_provider providers[] = {
	{ INET_IN4, INET_TCP, .driver = TPI_DRIVER(tcp, INET_HIWAT) },
	{ INET_IN4, INET_UDP, .driver = TPI_DRIVER(udp_s, INET_HIWAT) },
	{ INET_IN4, INET_RAW, .driver = TPI_DRIVER(rawip, INET_HIWAT) },
	{ INET_IN4, INET_SCTP, .driver = TPI_DRIVER(sctp, INET_HIWAT) },
#if IS_ENABLED(CONFIG_IPV6)
	{ INET_IN6, INET_TCP, .driver = TPI_DRIVER(tcp6, INET_HIWAT) },
	{ INET_IN6, INET_SCTP, .driver = TPI_DRIVER(sctp6, INET_HIWAT) },
	{ INET_IN6, INET_RAW, .driver = TPI_DRIVER(rawip6, INET_HIWAT) },
#endif
};

static void strinet_unregister(int n)
{
	while (n--)
		strtpi_driver_unregister(&providers[n].driver);
}

int __init strinet_driver_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(providers); i++) {
		err = strtpi_driver_register(&providers[i].driver, &inet_rinit,
					     &inet_winit);
		if (err) {
			strinet_unregister(i);
			return err;
		}
	}
	return 0;
}

void strinet_driver_exit(void)
{
	strinet_unregister(ARRAY_SIZE(providers));
}
