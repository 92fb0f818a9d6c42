// SPDX-License-Identifier: LGPL-2.1-or-later
/* t_bind() and t_unbind() */
#include <stddef.h>

#include "core/event.h"
#include "core/receive.h"
#include "core/state.h"
#include "core/wait.h"
#include "sync.h"

static int bind_request(struct endpoint *ep, const struct t_bind *req,
			struct t_bind *ret)
{
	/* An endpoint of datagrams does not queue connections. */
	const struct T_bind_req prim = {
		.PRIM_type = T_BIND_REQ,
		.CONIND_number = req && ep->info.servtype != T_CLTS ?
				 req->qlen : 0,
	};
	const struct tpi_req tpi = {
		.prim = &prim,
		.size = sizeof(prim),
		.part = {
			{ req ? &req->addr : NULL,
			  offsetof(struct T_bind_req, ADDR_length) },
		},
		.cmd = TI_BIND,
		.want = T_BIND_ACK,
		.least = sizeof(struct T_bind_ack),
	};
	struct tpi_msg ack;
	int error;

	error = tpi_request(ep, &tpi, &ack);
	if (!error) {
		/* The endpoint is bound, also when ret has no room for the address. */
		ep->qlen = ack.prim->bind_ack.CONIND_number;
		ep->ocnt = 0;
		state_set(ep, T_IDLE);
		if (ret) {
			ret->qlen = ep->qlen;
			error = tpi_copy_part(&ack, ack.prim->bind_ack.ADDR_offset,
					      ack.prim->bind_ack.ADDR_length,
					 &ret->addr);
		}
	}
	tpi_free(&ack);
	return error;
}

/**
 * t_bind() - give an endpoint an address
 * @fd: the endpoint, in state T_UNBND
 * @req: the address, of 0 bytes for any, and how many connection indications
 *	may be outstanding; NULL: any, and none
 * @ret: set to what it is bound to; or NULL
 *
 * Return: 0 or -1; with TBUFOVFLW it is bound. XNS Issue 5, t_bind().
 */
int t_bind(int fd, const struct t_bind *req, struct t_bind *ret)
{
	struct endpoint *ep;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	/*
	 * Another thread may be about to accept a connection on the endpoint.
	 */
	lock_take(&ep->gate);
	error = state_check(ep, ANY_SERVICE, IN(T_UNBND));
	/* No message would hold an address that is longer than this. */
	if (!error && req && req->addr.len >
	    TPI_CTL_MAX - sizeof(struct T_bind_req))
		error = TBADADDR;
	if (!error)
		error = bind_request(ep, req, ret);
	lock_drop(&ep->gate);
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}

static int unbind_request(struct endpoint *ep)
{
	static const struct T_unbind_req prim = { .PRIM_type = T_UNBIND_REQ };
	static const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = TI_UNBIND,
		.want = T_OK_ACK,
	};
	int error;

	error = tpi_request(ep, &req, NULL);
	if (!error) {
		ep->qlen = 0;
		ep->rest[TSDU_NORMAL].left = false;
		atomic_store(&ep->flow, 0);
		atomic_store(&ep->releasing, false);
		state_set(ep, T_UNBND);
	}
	return error;
}

static int unbind(struct endpoint *ep, void *arg)
{
	int error;

	/* An endpoint without an address sends nothing. */
	lock_take(&ep->gate);
	error = state_check(ep, ANY_SERVICE, IN(T_IDLE));
	if (!error)
		error = event_check(ep, T_LISTEN | T_DATA);
	if (!error)
		error = unbind_request(ep);
	/* Other threads have references besides this thread's and the table's. */
	if (!error && endpoint_shared(ep, 2))
		endpoint_wake(ep);
	lock_drop(&ep->gate);
	return error;
}

/**
 * t_unbind() - unbind an endpoint from its address
 * @fd: the endpoint, in state T_IDLE
 *
 * Return: 0 or -1; TLOOK when a datagram or a connection indication waits.
 * XNS Issue 5, t_unbind().
 */
int t_unbind(int fd)
{
	return endpoint_act(fd, unbind, NULL);
}
