// SPDX-License-Identifier: LGPL-2.1-or-later
/* Asking for a connection: t_connect(), t_rcvconnect() */
#include <fcntl.h>
#include <stddef.h>

#include "core/event.h"
#include "core/receive.h"
#include "core/state.h"
#include "sync.h"

/* Takes T_CONN_CON: the connection is established even if a buffer is too small. */
static int take_confirmation(struct endpoint *ep, struct t_call *call)
{
	const struct T_conn_con *con;
	struct tpi_msg msg;
	int error, copied;

	error = tpi_take_whole(ep, T_CONN_CON, &msg, call ? &call->udata : NULL,
			       sizeof(*con));
	if (!error || error == TBUFOVFLW) {
		state_connected(ep);
		con = &msg.prim->conn_con;
		copied = !call ? 0 :
			 tpi_copy_part(&msg, con->RES_offset, con->RES_length,
				       &call->addr);
		if (!copied && call)
			copied = tpi_copy_part(&msg, con->OPT_offset,
					       con->OPT_length, &call->opt);
		if (!error)
			error = copied;
	}
	tpi_free(&msg);
	return error;
}

/* Waits for the result of the request. */
static int await_confirmation(struct endpoint *ep, struct t_call *call)
{
	int error, type;

	do {
		error = tpi_await_type(ep, IN(T_OUTCON), &type);
		if (error)
			return error;
		switch (type) {
		case T_CONN_CON:
			error = take_confirmation(ep, call);
			break;
		case T_DISCON_IND:
		case T_CONN_IND:
			return TLOOK;
		default:
			return TPROTO;
		}
	} while (error == TNODATA);
	return error;
}

static int check_call(const struct endpoint *ep, const struct t_call *call)
{
	size_t room = TPI_CTL_MAX - sizeof(struct T_conn_req);

	if (!call->addr.len || call->addr.len > room)
		return TBADADDR;
	if (call->opt.len > room - tpi_aligned(call->addr.len))
		return TBADOPT;
	return tpi_too_much(&call->udata, ep->info.connect) ? TBADDATA : 0;
}

static int request_connection(struct endpoint *ep, const struct t_call *call)
{
	static const struct T_conn_req prim = { .PRIM_type = T_CONN_REQ };
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.part = {
			{ &call->addr, offsetof(struct T_conn_req, DEST_length) },
			{ &call->opt, offsetof(struct T_conn_req, OPT_length) },
		},
		.want = T_OK_ACK,
		.data = &call->udata,
	};
	int error;

	error = check_call(ep, call);
	if (!error)
		error = tpi_request(ep, &req, NULL);
	if (!error)
		state_set(ep, T_OUTCON);
	return error;
}

/**
 * t_connect() - ask for a connection
 * @fd: the endpoint, in state T_IDLE
 * @sndcall: the address to connect to; options and data to send with it, or
 * none
 * @rcvcall: set to what the other side says; or NULL
 *
 * With O_NONBLOCK it does not wait for the connection: TNODATA.
 *
 * Return: 0 or -1. XNS Issue 5, t_connect().
 */
int t_connect(int fd, const struct t_call *sndcall, struct t_call *rcvcall)
{
	struct endpoint *ep;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	/* Another thread may still be sending data of the previous connection. */
	lock_take(&ep->gate);
	error = state_check(ep, COTS, IN(T_IDLE));
	if (!error)
		error = event_check(ep, T_LISTEN | T_DISCONNECT);
	if (!error)
		error = request_connection(ep, sndcall);
	lock_drop(&ep->gate);
	if (!error) {
		int flags = fcntl(fd, F_GETFL);

		/* The state is T_OUTCON while this thread waits. */
		error = flags >= 0 && flags & O_NONBLOCK ?
			TNODATA : await_confirmation(ep, rcvcall);
	}
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}

static int receive_confirmation(struct endpoint *ep, void *arg)
{
	struct t_call *call = arg;
	int error = state_check(ep, COTS, IN(T_OUTCON));

	return error ? error : await_confirmation(ep, call);
}

/**
 * t_rcvconnect() - the result of a request to connect
 * @fd: the endpoint, in state T_OUTCON
 * @call: as rcvcall of t_connect()
 *
 * Return: 0 or -1. XNS Issue 5, t_rcvconnect().
 */
int t_rcvconnect(int fd, struct t_call *call)
{
	return endpoint_act(fd, receive_confirmation, call);
}
