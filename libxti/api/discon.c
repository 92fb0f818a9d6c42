// SPDX-License-Identifier: LGPL-2.1-or-later
/* Aborting or rejecting connections: t_snddis(), t_rcvdis() */
#include "core/event.h"
#include "core/receive.h"
#include "core/state.h"
#include "sync.h"

#define CONNECTED	(IN(T_DATAXFER) | IN(T_OUTCON) | IN(T_OUTREL) | \
			 IN(T_INREL) | IN(T_INCON))

static int send_disconnect(struct endpoint *ep, const struct t_call *call)
{
	bool rejects = state_now(ep) == T_INCON;
	const struct T_discon_req prim = {
		.PRIM_type = T_DISCON_REQ,
		.SEQ_number = rejects && call ? call->sequence : TPI_NO_SEQUENCE,
	};
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.want = T_OK_ACK,
		.data = call ? &call->udata : NULL,
	};
	int error;

	/* The caller has to name the indication that is rejected. */
	if (rejects && !call)
		return TBADSEQ;
	if (call && tpi_too_much(&call->udata, ep->info.discon))
		return TBADDATA;
	error = tpi_request(ep, &req, NULL);
	if (!error) {
		atomic_store(&ep->releasing, false);
		state_disconnected(ep);
	}
	return error;
}

static int disconnect(struct endpoint *ep, void *call)
{
	unsigned int states = CONNECTED;
	int error;

	lock_take(&ep->gate);
	/* The provider knows whether there is a connection to abort. */
	if (atomic_load(&ep->releasing))
		states |= IN(T_IDLE);
	error = state_check(ep, COTS, states);
	if (!error)
		error = event_check(ep, T_DISCONNECT);
	if (!error)
		error = send_disconnect(ep, call);
	lock_drop(&ep->gate);
	return error;
}

/**
 * t_snddis() - abort a connection, or reject one
 * @fd: the endpoint; in state T_IDLE one of which data is still being sent after
 *	both sides were released
 * @call: udata: data to send with it; sequence: in state T_INCON, which
 *	indication; or NULL
 *
 * Return: 0 or -1. XNS Issue 5, t_snddis().
 */
int t_snddis(int fd, const struct t_call *call)
{
	pthread_testcancel();
	return endpoint_act(fd, disconnect, (void *)call);
}

static int receive_disconnect(struct endpoint *ep, void *arg)
{
	struct t_discon *discon = arg;
	int nothing = state_now(ep) == T_IDLE ? TOUTSTATE : TNODIS;
	const struct T_discon_ind *ind;
	struct tpi_msg msg;
	int error, type;

	/* An indication in T_IDLE says that another process's connection has ended. */
	error = state_check(ep, COTS, CONNECTED | IN(T_IDLE));
	if (!error)
		error = tpi_peek_type(ep, &type);
	if (!error && type != T_DISCON_IND)
		error = nothing;
	if (error)
		return error;
	error = tpi_take_whole(ep, T_DISCON_IND, &msg,
			       discon ? &discon->udata : NULL, sizeof(*ind));
	/* Another process took the indication first. */
	if (error == TNODATA)
		return nothing;
	if (!error || error == TBUFOVFLW) {
		ind = &msg.prim->discon_ind;
		if (discon) {
			discon->reason = ind->DISCON_reason;
			discon->sequence = ind->SEQ_number;
		}
		state_disconnected(ep);
	}
	tpi_free(&msg);
	return error;
}

/**
 * t_rcvdis() - why a connection was aborted, or which indication was withdrawn
 * @fd: the endpoint
 * @discon: set to data, reason and sequence; or NULL
 *
 * Return: 0 or -1; with TBUFOVFLW the connection has ended all the same. XNS
 * Issue 5, t_rcvdis().
 */
int t_rcvdis(int fd, struct t_discon *discon)
{
	return endpoint_act(fd, receive_disconnect, discon);
}
