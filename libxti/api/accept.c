// SPDX-License-Identifier: LGPL-2.1-or-later
/* Being asked for a connection: t_listen(), t_accept() */
#include <stddef.h>

#include "core/carrier.h"
#include "core/event.h"
#include "core/receive.h"
#include "core/state.h"
#include "sync.h"

#define LISTENING	(IN(T_IDLE) | IN(T_INCON))

static int take_indication(struct endpoint *ep, struct t_call *call)
{
	const struct T_conn_ind *ind;
	struct tpi_msg msg;
	int error, copied;

	error = tpi_take_whole(ep, T_CONN_IND, &msg, &call->udata, sizeof(*ind));
	if (!error || error == TBUFOVFLW) {
		ind = &msg.prim->conn_ind;
		ep->ocnt++;
		state_set(ep, T_INCON);
		/*
		 * The number is set first, so that a caller with no room for the rest
		 * can reject the indication.
		 */
		call->sequence = ind->SEQ_number;
		copied = tpi_copy_part(&msg, ind->SRC_offset, ind->SRC_length,
				       &call->addr);
		if (!copied)
			copied = tpi_copy_part(&msg, ind->OPT_offset,
					       ind->OPT_length, &call->opt);
		if (!error)
			error = copied;
	}
	tpi_free(&msg);
	return error;
}

static int listen_for(struct endpoint *ep, void *arg)
{
	struct t_call *call = arg;
	int error, type;

	error = state_check(ep, COTS, LISTENING);
	if (error)
		return error;
	if (!ep->qlen)
		return TBADQLEN;
	/* An indication that was withdrawn leaves its place. */
	error = event_check(ep, T_DISCONNECT);
	if (!error && ep->ocnt >= ep->qlen)
		error = TQFULL;
	if (error)
		return error;
	do {
		error = tpi_await_type(ep, LISTENING, &type);
		if (error)
			return error;
		if (type == T_DISCON_IND)
			return TLOOK;
		/* Another thread may have listened meanwhile. */
		if (ep->ocnt >= ep->qlen)
			return TQFULL;
		if (type != T_CONN_IND)
			return TPROTO;
		error = take_indication(ep, call);
	} while (error == TNODATA);
	return error;
}

/**
 * t_listen() - wait for a request for a connection
 * @fd: the endpoint, in state T_IDLE or T_INCON, bound with a qlen
 * @call: set to the caller's address, options, data, and the number of the
 * indication
 *
 * Return: 0 or -1; with TBUFOVFLW there is an indication, and sequence is set.
 * XNS Issue 5, t_listen().
 */
int t_listen(int fd, struct t_call *call)
{
	return endpoint_act(fd, listen_for, call);
}

/* Finds the identity by which the provider knows the endpoint; id is 0 if it has none. */
static int find_acceptor_id(struct endpoint *ep, t_uscalar_t *id)
{
	static const struct T_capability_req prim = {
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_ACCEPTOR_ID,
	};
	static const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.cmd = TI_CAPABILITY,
		.want = T_CAPABILITY_ACK,
		.least = sizeof(struct T_capability_ack),
	};
	struct tpi_msg ack;
	int error;

	*id = 0;
	error = tpi_request(ep, &req, &ack);
	if (!error && ack.prim->capability_ack.CAP_bits1 & TC1_ACCEPTOR_ID)
		*id = ack.prim->capability_ack.ACCEPTOR_id;
	tpi_free(&ack);
	/* A provider without T_CAPABILITY_REQ uses the identity of I_FDINSERT. */
	return error == TNOTSUPPORT ? 0 : error;
}

/* Checks that an endpoint can accept the connection, and finds its identity. */
static int check_acceptor(struct endpoint *ep, struct endpoint *res,
			  t_uscalar_t *id)
{
	int error;

	error = ep->carrier != res->carrier ? TPROVMISMATCH :
					      ep->carrier->check_same(ep, res);
	if (error)
		return error;
	lock_take(&res->in);
	error = state_check(res, COTS, IN(T_UNBND) | IN(T_IDLE));
	if (!error && state_now(res) == T_IDLE && res->qlen &&
	    res->qlen != QLEN_UNKNOWN)
		error = TRESQLEN;
	if (!error)
		error = find_acceptor_id(res, id);
	lock_drop(&res->in);
	return error == TNOTSUPPORT ? TPROVMISMATCH : error;
}

static int request_acceptance(struct endpoint *ep, struct endpoint *res,
			      const struct t_call *call, t_uscalar_t id)
{
	const struct T_conn_res prim = {
		.PRIM_type = T_CONN_RES,
		.ACCEPTOR_id = id,
		.SEQ_number = call->sequence,
	};
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.part = {
			{ &call->opt, offsetof(struct T_conn_res, OPT_length) },
		},
		.want = T_OK_ACK,
		.data = &call->udata,
		.resfd = res->fd,
		.resfd_at = id ? 0 : offsetof(struct T_conn_res, ACCEPTOR_id),
	};

	if (call->opt.len > TPI_CTL_MAX - sizeof(prim))
		return TBADOPT;
	if (tpi_too_much(&call->udata, ep->info.connect))
		return TBADDATA;
	return tpi_request(ep, &req, NULL);
}

/* The caller holds "in" of ep, and "gate" of res. */
static int accept_on(struct endpoint *ep, struct endpoint *res,
		     const struct t_call *call, t_uscalar_t id)
{
	int error;

	error = state_check(ep, COTS, IN(T_INCON));
	if (!error && ep == res && ep->ocnt > 1)
		error = TINDOUT;
	if (!error)
		error = event_check(ep, T_LISTEN | T_DISCONNECT);
	if (!error && ep == res)
		error = find_acceptor_id(ep, &id);
	if (!error)
		error = request_acceptance(ep, res, call, id);
	if (error)
		return error;
	if (ep->ocnt)
		ep->ocnt--;
	if (ep != res && !ep->ocnt)
		state_set(ep, T_IDLE);
	state_connected(res);
	return 0;
}

/**
 * t_accept() - take a connection
 * @fd: the endpoint that was asked, in state T_INCON
 * @resfd: the one that is to have it, in state T_UNBND or T_IDLE; or fd
 * @call: options and data to send with it, or none; the sequence that t_listen()
 *	gave. addr is not looked at
 *
 * Return: 0 or -1. XNS Issue 5, t_accept().
 */
int t_accept(int fd, int resfd, const struct t_call *call)
{
	struct endpoint *ep, *res;
	t_uscalar_t id = 0;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	error = endpoint_get(resfd, &res);
	if (!error)
		error = state_check(ep, COTS, IN(T_INCON));
	/*
	 * Only res's gate is ever held together with a lock of the other endpoint, and
	 * is taken after it.
	 */
	if (!error && res != ep)
		error = check_acceptor(ep, res, &id);
	if (!error) {
		lock_take(&ep->in);
		/* Another thread may still be sending data of an earlier connection. */
		lock_take(&res->gate);
		error = accept_on(ep, res, call, id);
		lock_drop(&res->gate);
		lock_drop(&ep->in);
	}
	endpoint_put(res);
	return endpoint_result(ep, error);
}
