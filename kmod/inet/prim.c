// SPDX-License-Identifier: GPL-2.0-only
/*
 * The primitives of endpoints over kernel sockets
 *
 * Except the two that only ask for the endpoint's properties they are acted on
 * in its work item, with its mutex held. Data that is not a message yet is not
 * handled here.
 */
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "accept.h"
#include "conn.h"
#include "dgram.h"
#include "end.h"
#include "opt.h"
#include "prim.h"
#include "send.h"
#include "sock.h"

static mblk_t *strinet_info_req(const struct strinet_end *ep, mblk_t *mp)
{
	const struct strinet_provider *p = ep->provider;
	struct T_info_ack info = {
		.PRIM_type = T_INFO_ACK,
		.TSDU_size = p->tsdu,
		.ETSDU_size = p->etsdu,
		.CDATA_size = T_INVALID,
		.DDATA_size = T_INVALID,
		.ADDR_size = p->addr_size,
		.OPT_size = INET_OPT_SIZE,
		.TIDU_size = p->tidu,
		.SERV_type = p->serv_type,
		.CURRENT_state = READ_ONCE(ep->state),
		.PROVIDER_flag = p->flags,
	};

	return strtpi_info_req(mp, &info, ep->id);
}

/*
 * Returns whether a primitive ends a connection, or is answered about one, and
 * so passes the data that waits to be sent.
 */
bool strinet_prim_urgent(const struct strinet_end *ep, const mblk_t *mp)
{
	t_scalar_t type = tpi_type(mp);
	int state = READ_ONCE(ep->state);

	return (type == T_DISCON_REQ || type == T_ADDR_REQ || type == T_OPTMGMT_REQ) &&
	       (state == TS_WCON_CREQ || tpi_is_connected(state));
}

/**
 * strinet_prim_now() - answer a primitive that asks for the endpoint's properties
 * @ep: the endpoint
 * @mp: an M_PROTO or M_PCPROTO
 *
 * Context: inside the perimeter, without the mutex.
 * Return: whether it was one, and has been consumed.
 */
bool strinet_prim_now(struct strinet_end *ep, mblk_t *mp)
{
	t_scalar_t type = tpi_type(mp);

	if (type != T_INFO_REQ && type != T_CAPABILITY_REQ)
		return false;
	strinet_reply(ep, strinet_info_req(ep, mp));
	return true;
}

/* Reads the primitive; a TLI error, or 0. */
static int strinet_bind_parse(struct strinet_end *ep, const mblk_t *mp,
			      union tpi_addr *at, unsigned int *qlen)
{
	struct T_bind_req req;
	const void *addr;

	if (!tpi_get(mp, &req, sizeof(req)))
		return TSYSERR;
	if (!strinet_is_clts(ep))
		*qlen = min_t(unsigned int, req.CONIND_number,
			      READ_ONCE(sock_net(ep->sock->sk)->core.sysctl_somaxconn));
	if (!req.ADDR_length)
		return 0;
	addr = tpi_span(mp, req.ADDR_offset, req.ADDR_length);
	if (!addr || req.ADDR_length != ep->provider->addr_size)
		return TBADADDR;
	memcpy(at, addr, ep->provider->addr_size);
	return at->sa.sa_family == ep->provider->domain ? 0 : TBADADDR;
}

/* The port's place in the address has the protocol of a raw socket. */
static int bind_raw(struct strinet_end *ep, union tpi_addr *at)
{
	unsigned int protocol = ntohs(at->in.sin_port) ?: IPPROTO_RAW;
	struct socket *sock;
	int err;

	if (protocol > IPPROTO_RAW)
		return -EINVAL;
	at->in.sin_port = 0;
	err = strinet_sock_create(ep, protocol, &sock);
	if (err)
		return err;
	err = strinet_sock_bind(ep, sock, at);
	if (err) {
		sock_release(sock);
		return err;
	}
	strinet_sock_end(ep, ep->sock, INET_RELEASE);
	ep->sock = sock;
	strinet_sock_hook(ep, sock);
	return 0;
}

static int bind_stream(struct strinet_end *ep, union tpi_addr *at,
		       unsigned int qlen)
{
	int err = strinet_sock_bind(ep, ep->sock, at);

	if (err || !qlen)
		return err;
	err = kernel_listen(ep->sock, qlen);
	if (err) {
		/* The request failed, so the socket must not stay bound. */
		if (strinet_sock_renew(ep, INET_RELEASE))
			ep->spent = true;
		return err;
	}
	ep->listening = ep->sock;
	ep->sock = NULL;
	return 0;
}

static int bind_socket(struct strinet_end *ep, union tpi_addr *at,
		       unsigned int qlen)
{
	int err;

	if (ep->spent) {
		err = strinet_sock_renew(ep, INET_RELEASE);
		if (err)
			return err;
		ep->spent = false;
	}
	if (ep->provider->type == SOCK_RAW)
		return bind_raw(ep, at);
	return bind_stream(ep, at, qlen);
}

static mblk_t *strinet_bind_req(struct strinet_end *ep, mblk_t *mp)
{
	int tli, err = -EINVAL;
	union tpi_addr at;
	unsigned int qlen = 0;
	bool any_port;

	if (ep->state != TS_UNBND)
		return strtpi_error_ack(mp, TOUTSTATE, 0);
	memset(&at, 0, sizeof(at));
	at.sa.sa_family = ep->provider->domain;
	tli = strinet_bind_parse(ep, mp, &at, &qlen);
	any_port = !at.in.sin_port;
	if (!tli) {
		err = bind_socket(ep, &at, qlen);
		tli = err ? strtpi_bind_error(err, any_port) : 0;
	}
	if (tli)
		return strtpi_error_ack(mp, tli, -err);
	ep->bound = at;
	ep->any_port = any_port;
	ep->rebind = false;
	ep->qlen = qlen;
	WRITE_ONCE(ep->state, TS_IDLE);
	return strtpi_bind_ack(mp, &ep->bound, ep->provider->addr_size, ep->qlen);
}

/*
 * Releases the socket, and with it the address and data that has arrived for
 * it.
 */
static void strinet_unbind_req(struct strinet_end *ep, mblk_t *mp)
{
	struct socket *sock;
	mblk_t *flush;
	int err;

	if (ep->state != TS_IDLE) {
		strinet_reply(ep, strtpi_error_ack(mp, TOUTSTATE, 0));
		return;
	}
	flush = strtpi_flush_message(GFP_KERNEL);
	err = flush ? strinet_sock_create(ep, ep->provider->protocol, &sock) :
		      -ENOSR;
	if (err) {
		freemsg(flush);
		strinet_reply(ep, strtpi_error_ack(mp, TSYSERR, -err));
		return;
	}
	if (ep->listening)
		strinet_sock_end(ep, ep->listening, INET_RELEASE);
	if (ep->sock)
		strinet_sock_end(ep, ep->sock, INET_RELEASE);
	ep->listening = NULL;
	ep->sock = sock;
	ep->spent = false;
	ep->rebind = false;
	ep->qlen = 0;
	memset(&ep->bound, 0, sizeof(ep->bound));
	strinet_sock_hook(ep, sock);
	WRITE_ONCE(ep->state, TS_UNBND);
	strinet_reply(ep, flush);
	strinet_reply(ep, strtpi_ok_ack(mp));
}

static mblk_t *strinet_addr_req(struct strinet_end *ep, mblk_t *mp)
{
	size_t size = ep->provider->addr_size, local = 0, remote = 0;
	union tpi_addr addr[2] = { ep->bound };

	if (ep->state != TS_UNBND &&
	    (ep->rebind || ep->spent || strinet_sock_name(strinet_end_sock(ep), &addr[0])))
		local = size;
	if (tpi_is_connected(ep->state) && strinet_sock_peer(ep->sock, &addr[1]))
		remote = size;
	return strtpi_addr_ack(mp, &addr[0], local, &addr[1], remote);
}

/* Handles the primitives that only connections have. */
static bool prim_conn(struct strinet_end *ep, mblk_t **msg, t_scalar_t type)
{
	mblk_t *mp = *msg;

	switch (type) {
	case T_DATA_REQ:
	case T_EXDATA_REQ:
	case T_OPTDATA_REQ:
		return strinet_data_req(ep, msg, type);
	case T_ORDREL_REQ:
		strinet_ordrel_req(ep, mp);
		return true;
	case T_CONN_REQ:
		strinet_conn_req(ep, mp);
		return true;
	case T_CONN_RES:
		return strinet_conn_res(ep, mp);
	default:
		strinet_discon_req(ep, mp);
		return true;
	}
}

/**
 * strinet_prim() - act on a message from above
 * @ep: the endpoint
 * @msg: an M_PROTO, M_PCPROTO or M_DATA; consumed, unless false is returned:
 *	then what is left of it, or what it has become
 *
 * Context: the work item.
 * Return: false when it has to wait for room in the send buffer, or for another
 * endpoint.
 */
bool strinet_prim(struct strinet_end *ep, mblk_t **msg)
{
	mblk_t *mp = *msg;
	t_scalar_t type;

	if (DB_TYPE(mp) == M_DATA)
		return strinet_data_req(ep, msg, T_DATA_REQ);
	type = tpi_type(mp);
	switch (type) {
	case T_ADDR_REQ:
		strinet_reply(ep, strinet_addr_req(ep, mp));
		return true;
	case T_BIND_REQ:
		strinet_reply(ep, strinet_bind_req(ep, mp));
		return true;
	case T_UNBIND_REQ:
		strinet_unbind_req(ep, mp);
		return true;
	case T_OPTMGMT_REQ:
		strinet_reply(ep, strinet_optmgmt(ep, mp));
		return true;
	case T_UNITDATA_REQ:
		if (strinet_is_clts(ep))
			return strinet_unitdata_req(ep, mp);
		break;
	default:
		if (!strinet_is_clts(ep) && tpi_of_connections(type))
			return prim_conn(ep, msg, type);
	}
	strinet_reply(ep, strtpi_unsupported(mp));
	return true;
}
