// SPDX-License-Identifier: GPL-2.0-only
/*
 * strinet: TCP, UDP, raw IP and SCTP for streams, over the kernel's sockets; the drivers
 * behind /dev/streams/tcp, tcp6, udp_s, rawip, rawip6, sctp and sctp6
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sctp.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "socket/tcp.h"
#include "tpi/driver.h"
#include "dgram.h"
#include "end.h"
#include "prim.h"
#include "recv.h"
#include "sock.h"
#include "work.h"

/* Bytes that may wait on a queue, at first. */
#define INET_HIWAT	131072

/* The largest TIDU in bytes, the most that one putmsg() takes */
#define INET_TIDU	65536

static int strinet_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -strinet_end_open(q, tpi_driver_kind(q), cr);
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
	if (DB_TYPE(mp) == M_PCPROTO &&
	    (tpi_is_data(mp) || tpi_type(mp) == T_OPTDATA_REQ)) {
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
		/*
		 * Data counts as a T_DATA_REQ; datagrams come with a
		 * T_UNITDATA_REQ.
		 */
		if (strinet_is_clts(strinet_end(q)))
			strtpi_wput(q, mp);
		else if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_FLUSH:
		if (MBLKL(mp) > 0 && *mp->b_rptr & FLUSHW &&
		    !(*mp->b_rptr & FLUSHBAND))
			strinet_end_flush(strinet_end(q));
		fallthrough;
	default:
		strtpi_wput(q, mp);
	}
	return 0;
}

/* The work item sends queued messages. */
static int strinet_wsrv(queue_t *q)
{
	strinet_end_kick(strinet_end(q));
	return 0;
}

/* Runs when the stream above has room again. */
static int strinet_rsrv(queue_t *q)
{
	struct strinet_end *ep = strinet_end(q);

	WRITE_ONCE(ep->stopped, false);
	/* Nearly always a reader made the room, and will read again. */
	if (!strinet_end_is_read(ep) || !str_errand_up(q))
		strinet_end_kick(ep);
	return 0;
}

static const struct qinit inet_rinit = {
	.qi_putp = strtpi_rput,
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

/* This protocol is for sockets that are not bound: they receive nothing. */
#define INET_RAW							\
	.type = SOCK_RAW, .protocol = IPPROTO_RAW, INET_DATAGRAMS(65535)

#define INET_DRIVER(nm, ...)						\
	TPI_DRIVER(nm, INET_HIWAT, (&(const struct strinet_provider){ __VA_ARGS__ }))

static struct tpi_driver drivers[] = {
	INET_DRIVER(tcp, INET_IN4, INET_TCP),
	INET_DRIVER(udp_s, INET_IN4, INET_UDP),
	INET_DRIVER(rawip, INET_IN4, INET_RAW),
	INET_DRIVER(sctp, INET_IN4, INET_SCTP),
#if IS_ENABLED(CONFIG_IPV6)
	INET_DRIVER(tcp6, INET_IN6, INET_TCP),
	INET_DRIVER(sctp6, INET_IN6, INET_SCTP),
	INET_DRIVER(rawip6, INET_IN6, INET_RAW),
#endif
};

static int __init strinet_init(void)
{
	int err = strinet_end_init();

	if (err)
		return err;
	strinet_sock_begin();
	err = strtpi_drivers_register(drivers, ARRAY_SIZE(drivers), &inet_rinit,
				      &inet_winit);
	if (err) {
		strsock_tcp_endpoints(NULL);
		strinet_end_exit();
	}
	return err;
}

static void __exit strinet_exit(void)
{
	strtpi_drivers_unregister(drivers, ARRAY_SIZE(drivers));
	strsock_tcp_endpoints(NULL);
	strinet_end_exit();
	/*
	 * A callback may have been called for a socket that has gone, or a task may
	 * have been preempted between finding it in the sock and entering it.
	 */
	synchronize_rcu();
	synchronize_rcu_tasks();
	rcu_barrier();
}

module_init(strinet_init);
module_exit(strinet_exit);

MODULE_DESCRIPTION("STREAMS transport providers: TCP, UDP, raw IP, SCTP");
MODULE_LICENSE("GPL");
STR_NODE(3);
MODULE_ALIAS("devname:streams/tcp");
STR_NODES_ALSO("[4-6]");
STR_NODES_ALSO("[1][5-7]");
