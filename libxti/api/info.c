// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers about a provider and its addresses: t_getinfo(), t_getprotaddr(), t_getname() */
#include <tiuser.h>

#include "core/info.h"
#include "core/receive.h"
#include "sync.h"

static int get_info(struct endpoint *ep, void *arg)
{
	struct t_info *info = arg;
	int error, current;

	error = info_fetch(ep, TI_GETINFO, &current);
	if (!error && info)
		*info = ep->info;
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
	return endpoint_act(fd, get_info, info);
}

struct addr_pair {
	struct t_bind *bound, *peer;
};

static int get_addrs(struct endpoint *ep, void *arg)
{
	static const struct T_addr_req prim = { .PRIM_type = T_ADDR_REQ };
	static const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = TI_GETADDRS,
		.want = T_ADDR_ACK,
		.least = sizeof(struct T_addr_ack),
	};
	const struct addr_pair *addrs = arg;
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &req, &ack);
	if (!error && addrs->bound)
		error = tpi_copy_part(&ack, ack.prim->addr_ack.LOCADDR_offset,
				      ack.prim->addr_ack.LOCADDR_length,
				 &addrs->bound->addr);
	if (!error && addrs->peer)
		error = tpi_copy_part(&ack, ack.prim->addr_ack.REMADDR_offset,
				      ack.prim->addr_ack.REMADDR_length,
				 &addrs->peer->addr);
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
	struct addr_pair addrs = { bound, peer };

	return endpoint_act(fd, get_addrs, &addrs);
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
