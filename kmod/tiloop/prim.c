// SPDX-License-Identifier: GPL-2.0-only
/* The primitives of the loopback transports, and those about an endpoint */
#include <linux/minmax.h>

#include "addr.h"
#include "conn.h"
#include "data.h"
#include "discon.h"
#include "end.h"
#include "opt.h"
#include "prim.h"
#include "unitdata.h"

static void tiloop_info_fill(const struct tiloop_end *ep, struct T_info_ack *ack)
{
	bool connects = tiloop_connects(ep);

	*ack = (struct T_info_ack){
		.PRIM_type = T_INFO_ACK,
		.TSDU_size = connects ? T_INFINITE : LOOP_TIDU,
		.ETSDU_size = connects ? T_INFINITE : T_INVALID,
		.CDATA_size = connects ? LOOP_UDATA_MAX : T_INVALID,
		.DDATA_size = connects ? LOOP_UDATA_MAX : T_INVALID,
		.ADDR_size = LOOP_ADDR_MAX,
		.OPT_size = LOOP_OPT_MAX,
		.TIDU_size = LOOP_TIDU,
		.SERV_type = ep->kind->serv_type,
		.CURRENT_state = ep->state,
		.PROVIDER_flag = SENDZERO | XPG4_1,
	};
}

static mblk_t *tiloop_info_req(const struct tiloop_end *ep, mblk_t *mp)
{
	struct T_info_ack info;

	tiloop_info_fill(ep, &info);
	return strtpi_info_req(mp, &info, tiloop_connects(ep) ? ep->id : 0);
}

static mblk_t *tiloop_addr_req(const struct tiloop_end *ep, mblk_t *mp)
{
	size_t local = ep->state == TS_UNBND ? 0 : ep->addr.len;
	size_t remote = tpi_is_connected(ep->state) ? ep->remote.len : 0;

	return strtpi_addr_ack(mp, ep->addr.bytes, local, ep->remote.bytes, remote);
}

static mblk_t *tiloop_bind_req(struct tiloop_end *ep, mblk_t *mp)
{
	struct tiloop_addr addr = { };
	struct T_bind_req req;
	u32 qlen = 0;
	int tli = 0;

	if (ep->state != TS_UNBND)
		return strtpi_error_ack(mp, TOUTSTATE, 0);
	if (!tpi_get(mp, &req, sizeof(req)))
		return strtpi_error_ack(mp, TSYSERR, EINVAL);
	if (req.ADDR_length &&
	    !tiloop_addr_get(&addr, mp, req.ADDR_offset, req.ADDR_length))
		tli = TBADADDR;
	if (tiloop_connects(ep))
		qlen = min_t(u32, req.CONIND_number, LOOP_QLEN_MAX);
	if (!tli)
		tli = tiloop_addr_bind(ep, &addr, qlen);
	if (tli)
		return strtpi_error_ack(mp, tli, 0);
	ep->state = TS_IDLE;
	return strtpi_bind_ack(mp, ep->addr.bytes, ep->addr.len, ep->qlen);
}

static mblk_t *tiloop_unbind_req(struct tiloop_end *ep, mblk_t *mp)
{
	mblk_t *flush;

	if (ep->state != TS_IDLE)
		return strtpi_error_ack(mp, TOUTSTATE, 0);
	flush = strtpi_flush_message(GFP_ATOMIC);
	if (!flush)
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	tiloop_addr_unbind(ep);
	ep->state = TS_UNBND;
	putnext(ep->rq, flush);
	mp = strtpi_ok_ack(mp);
	/* Senders that wait for room here need not wait any more. */
	qenable(ep->rq);
	return mp;
}

bool tiloop_prim_urgent(const mblk_t *mp)
{
	t_scalar_t type = tpi_type(mp);

	return DB_TYPE(mp) != M_DATA &&
	       (type == T_INFO_REQ || type == T_CAPABILITY_REQ);
}

static bool prim_supported(const struct tiloop_end *ep, t_scalar_t type)
{
	if (type == T_OPTDATA_REQ)
		return false;
	if (type == T_ORDREL_REQ && ep->kind->serv_type == T_COTS)
		return false;
	return tiloop_connects(ep) ? type != T_UNITDATA_REQ :
				   !tpi_of_connections(type);
}

static bool data_prim(struct tiloop_end *ep, mblk_t *mp, t_scalar_t type)
{
	switch (type) {
	case T_UNITDATA_REQ:
		return tiloop_unitdata_req(ep, mp);
	case T_ORDREL_REQ:
		return tiloop_ordrel_req(ep, mp);
	default:
		return tiloop_data_req(ep, mp);
	}
}

/* Answers a primitive that is not for the other side. */
static mblk_t *control_prim(struct tiloop_end *ep, mblk_t *mp, t_scalar_t type)
{
	switch (type) {
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		return tiloop_info_req(ep, mp);
	case T_ADDR_REQ:
		return tiloop_addr_req(ep, mp);
	case T_BIND_REQ:
		return tiloop_bind_req(ep, mp);
	case T_UNBIND_REQ:
		return tiloop_unbind_req(ep, mp);
	case T_OPTMGMT_REQ:
		return tiloop_optmgmt(ep, mp);
	case T_CONN_REQ:
		return tiloop_conn_req(ep, mp);
	case T_CONN_RES:
		return tiloop_conn_res(ep, mp);
	case T_DISCON_REQ:
		return tiloop_discon_req(ep, mp);
	default:
		return strtpi_fatal(mp);
	}
}

/**
 * tiloop_prim() - act on a primitive, or on data without one
 * @q: the write queue
 * @mp: an M_PROTO, M_PCPROTO or M_DATA; consumed, unless false is returned
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room at the other side.
 */
bool tiloop_prim(queue_t *q, mblk_t *mp)
{
	struct tiloop_end *ep = tiloop_end(q);
	t_scalar_t type = DB_TYPE(mp) == M_DATA ? T_DATA_REQ : tpi_type(mp);

	if (DB_TYPE(mp) == M_DATA && !tiloop_connects(ep))
		mp = strtpi_fatal(mp);
	else if (!prim_supported(ep, type))
		mp = strtpi_unsupported(mp);
	else if (!tpi_is_data(mp))
		mp = control_prim(ep, mp, type);
	else
		return data_prim(ep, mp, type);
	strtpi_reply(q, mp);
	return true;
}
