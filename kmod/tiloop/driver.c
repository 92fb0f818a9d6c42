// SPDX-License-Identifier: GPL-2.0-only
/* strtiloop: /dev/streams/ticlts, ticots and ticotsord */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <sys/stream.h>

#include "streams/device/nodes.h"
#include "tpi/driver.h"
#include "addr.h"
#include "conn.h"
#include "data.h"
#include "discon.h"
#include "life.h"
#include "prim.h"
#include "unitdata.h"
#include "wire.h"

static struct tiloop_kind kinds[] = {
	{ .serv_type = T_CLTS, .salt = 0x636c7473 },
	{ .serv_type = T_COTS, .salt = 0x636f7473 },
	{ .serv_type = T_COTS_ORD, .salt = 0x6f726472 },
};

static struct tpi_driver drivers[] = {
	TPI_DRIVER(ticlts, LOOP_BUF, &kinds[0]),
	TPI_DRIVER(ticots, LOOP_BUF, &kinds[1]),
	TPI_DRIVER(ticotsord, LOOP_BUF, &kinds[2]),
};

static int tiloop_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	/* A driver is the end of a stream, and cannot be pushed. */
	if (sflag == MODOPEN)
		return EINVAL;
	return -tiloop_end_open(q, tpi_driver_kind(q), cr);
}

static int tiloop_close(queue_t *q, int oflag, cred_t *cr)
{
	tiloop_end_close(q);
	return 0;
}

/* The service procedure sends in turn the messages that are queued now. */
static void wput_wait(queue_t *q, mblk_t *mp, bool back)
{
	if (!(back ? putbq(q, mp) : putq(q, mp)))
		/*
		 * Memory for the message's band is short, and no message may be
		 * lost: the stream ends.
		 */
		strtpi_reply(q, strtpi_fatal(mp));
}

/*
 * Returns whether the user regards the connection as ended: it has released the
 * connection after the other side did, though the release still waits behind
 * data.
 */
static bool follows_release(queue_t *q, const mblk_t *mp)
{
	t_scalar_t type = tpi_type(mp);
	const mblk_t *queued;

	if (tiloop_end(q)->state != TS_WREQ_ORDREL ||
	    (type != T_UNBIND_REQ && type != T_CONN_REQ))
		return false;
	for (queued = q->q_first; queued; queued = queued->b_next)
		if (DB_TYPE(queued) == M_PROTO &&
		    tpi_type(queued) == T_ORDREL_REQ)
			return true;
	return false;
}

/* Returns whether a message has to wait behind those that are queued. */
static bool keeps_order(queue_t *q, const mblk_t *mp)
{
	return tpi_is_data(mp) || !tpi_is_data(q->q_first) ||
	       follows_release(q, mp);
}

/*
 * Data keeps its order; expedited data has a band of its own. The other
 * primitives wait for no room, so they need not wait behind data, except for an
 * acceptor's answer, and for a release.
 */
static void wput_prim(queue_t *q, mblk_t *mp)
{
	struct tiloop_end *ep = tiloop_end(q);

	/*
	 * A message that may wait for room has no high priority, or flow
	 * control would not hold it up.
	 */
	if (DB_TYPE(mp) == M_PCPROTO && tpi_is_data(mp)) {
		strtpi_reply(q, strtpi_fatal(mp));
		return;
	}
	mp->b_band = DB_TYPE(mp) == M_PROTO && tpi_type(mp) == T_EXDATA_REQ;
	if (tiloop_prim_urgent(mp))
		tiloop_prim(q, mp);
	else if (ep->busy || (q->q_first && keeps_order(q, mp)))
		wput_wait(q, mp, false);
	else if (!tiloop_prim(q, mp))
		wput_wait(q, mp, true);
}

static int tiloop_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		wput_prim(q, mp);
		break;
	default:
		strtpi_wput(q, mp);
	}
	return 0;
}

static int tiloop_wsrv(queue_t *q)
{
	struct tiloop_end *ep = tiloop_end(q);
	mblk_t *mp;

	while (!ep->busy && (mp = getq(q))) {
		if (!tiloop_prim(q, mp)) {
			wput_wait(q, mp, true);
			break;
		}
	}
	return 0;
}

/* A message from another endpoint: its kind selects the function that owns it. */
static void wire_arrived(struct tiloop_end *ep, mblk_t *mp)
{
	const struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;

	switch (w->what) {
	case LOOP_CALL:
		tiloop_call_arrived(ep, mp);
		break;
	case LOOP_ACCEPT:
		tiloop_accept_arrived(ep, mp);
		break;
	case LOOP_ACCEPTED:
		tiloop_accepted_arrived(ep, mp);
		break;
	case LOOP_ANSWER:
		tiloop_answer_arrived(ep, mp);
		break;
	case LOOP_DISCON:
		tiloop_discon_arrived(ep, mp);
		break;
	case LOOP_DATA:
	case LOOP_EXDATA:
		tiloop_data_arrived(ep, mp);
		break;
	case LOOP_ORDREL:
		tiloop_ordrel_arrived(ep, mp);
		break;
	default:
		freemsg(mp);
	}
}

/* Handles messages from other endpoints; a datagram arrives in the form sent up. */
static int tiloop_rput(queue_t *q, mblk_t *mp)
{
	struct tiloop_end *ep = tiloop_end(q);

	if (DB_TYPE(mp) == M_CTL)
		wire_arrived(ep, mp);
	else if (ep->state == TS_UNBND)
		freemsg(mp);
	else
		putnext(q, mp);
	return 0;
}

/*
 * The stream above has room again, or the endpoint is not bound any more:
 * endpoints that wait to send to this one are enabled, few at a time. An
 * endpoint that finds the stream full again waits at the end of the list, so
 * the procedure is queued again only while there is room.
 */
static int tiloop_rsrv(queue_t *q)
{
	struct tiloop_end *ep = tiloop_end(q);

	if (tiloop_connects(ep))
		tiloop_peer_enable(ep);
	else if (tiloop_waiters_enable_some(ep) &&
		 (ep->state == TS_UNBND || canputnext(q)))
		qenable(q);
	return 0;
}

static const struct qinit loop_rinit = {
	.qi_putp = tiloop_rput,
	.qi_srvp = tiloop_rsrv,
	.qi_qopen = tiloop_open,
	.qi_qclose = tiloop_close,
};

static const struct qinit loop_winit = {
	.qi_putp = tiloop_wput,
	.qi_srvp = tiloop_wsrv,
};

static int __init tiloop_init(void)
{
	int i;

	tiloop_addr_init();
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		xa_init(&kinds[i].ends);
	return strtpi_drivers_register(drivers, ARRAY_SIZE(drivers), &loop_rinit,
				       &loop_winit);
}

static void __exit tiloop_exit(void)
{
	int i;

	strtpi_drivers_unregister(drivers, ARRAY_SIZE(drivers));
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		xa_destroy(&kinds[i].ends);
}

module_init(tiloop_init);
module_exit(tiloop_exit);

MODULE_DESCRIPTION("STREAMS transport providers within a host: ticlts, ticots, ticotsord");
MODULE_LICENSE("GPL");
STR_NODE(9);
MODULE_ALIAS("devname:streams/ticotsord");
STR_NODES_ALSO("[78]");
