// SPDX-License-Identifier: LGPL-2.1-or-later
/* Information about a provider: t_getinfo(), t_getprotaddr(), t_getname() */
#include <string.h>

#include "info.h"
#include "core/state.h"
#include "core/tpi.h"
#include <tiuser.h>

static bool service_known(t_scalar_t type)
{
	return type == T_COTS || type == T_COTS_ORD || type == T_CLTS;
}

/*
 * A field that is already correct is not written: other threads read it without
 * a lock, and a provider does not change.
 */
static void info_keep(struct endpoint *ep, const struct T_info_ack *ack)
{
	struct t_info info = {
		.addr = ack->ADDR_size,
		.options = ack->OPT_size,
		.tsdu = ack->TSDU_size,
		.etsdu = ack->ETSDU_size,
		.connect = ack->CDATA_size,
		.discon = ack->DDATA_size,
		.servtype = ack->SERV_type,
		/* A provider's other flags have other meanings. */
		.flags = ack->PROVIDER_flag & SENDZERO ? T_SENDZERO : 0,
	};
	bool xti_options = ack->PROVIDER_flag & XPG4_1;

	if (memcmp(&ep->info, &info, sizeof(info)))
		ep->info = info;
	if (ep->xti_options != xti_options)
		ep->xti_options = xti_options;
	if (ep->tidu != ack->TIDU_size)
		ep->tidu = ack->TIDU_size;
}

int info_fetch(struct endpoint *ep, int cmd, int *current)
{
	static const struct T_info_req prim = { .PRIM_type = T_INFO_REQ };
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = cmd,
		.want = T_INFO_ACK,
		.least = sizeof(struct T_info_ack),
	};
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &req, &ack);
	if (!error && !service_known(ack.prim->info_ack.SERV_type))
		error = TPROTO;
	if (!error) {
		info_keep(ep, &ack.prim->info_ack);
		*current = ack.prim->info_ack.CURRENT_state;
	}
	tpi_free(&ack);
	return error;
}

/**
 * t_getinfo() - the characteristics of an endpoint's provider
 * @fd: the endpoint
 * @info: set to them
 *
 * Return: 0 or -1. XNS Issue 5, t_getinfo().
 */
int t_getinfo(int fd, struct t_info *info)
{
	struct endpoint *ep;
	int error, current;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = info_fetch(ep, TI_GETINFO, &current);
	if (!error && info)
		*info = ep->info;
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}

static int protaddr(struct endpoint *ep, struct t_bind *bound,
		    struct t_bind *peer)
{
	static const struct T_addr_req prim = { .PRIM_type = T_ADDR_REQ };
	static const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = TI_GETADDRS,
		.want = T_ADDR_ACK,
		.least = sizeof(struct T_addr_ack),
	};
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &req, &ack);
	if (!error && bound)
		error = tpi_copy(&ack, ack.prim->addr_ack.LOCADDR_offset,
				 ack.prim->addr_ack.LOCADDR_length,
				 &bound->addr);
	if (!error && peer)
		error = tpi_copy(&ack, ack.prim->addr_ack.REMADDR_offset,
				 ack.prim->addr_ack.REMADDR_length,
				 &peer->addr);
	tpi_free(&ack);
	return error;
}

/**
 * t_getprotaddr() - the addresses of an endpoint and of its peer
 * @fd: the endpoint
 * @bound: addr is set to the address it is bound to, of 0 bytes if to none; or
 *	NULL
 * @peer: the same of the endpoint it is connected to; or NULL
 *
 * Return: 0 or -1. XNS Issue 5, t_getprotaddr().
 */
int t_getprotaddr(int fd, struct t_bind *bound, struct t_bind *peer)
{
	struct endpoint *ep;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = protaddr(ep, bound, peer);
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}

/**
 * t_getname() - get the address of an endpoint, or of its peer
 * @fd: the endpoint
 * @name: set to the address, which has 0 bytes if there is no address
 * @type: LOCALNAME or REMOTENAME
 *
 * Return: 0 or -1. The function is part of the TLI of System V.
 */
int t_getname(int fd, struct netbuf *name, int type)
{
	struct t_bind bind = { .addr = *name };
	int ret;

	if (type != LOCALNAME && type != REMOTENAME)
		return xti_result(TBADFLAG);
	ret = t_getprotaddr(fd, type == LOCALNAME ? &bind : NULL,
			    type == REMOTENAME ? &bind : NULL);
	if (!ret)
		*name = bind.addr;
	return ret;
}
