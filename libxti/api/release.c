// SPDX-License-Identifier: LGPL-2.1-or-later
/* Orderly release of connections: t_sndrel(), t_rcvrel(), with data or without */
#include "core/event.h"
#include "core/put.h"
#include "core/receive.h"
#include "core/state.h"
#include "sync.h"

#define SENDING	(IN(T_DATAXFER) | IN(T_INREL))

static int send_release(struct endpoint *ep, const struct netbuf *data)
{
	static const struct T_ordrel_req prim = { .PRIM_type = T_ORDREL_REQ };
	static const struct tpi_req req = { .prim = &prim, .size = sizeof(prim) };
	static const struct tpi_terms terms = {
		.services = COTS_ORD,
		.states = SENDING,
		.events = T_DISCONNECT,
		.usual = T_DATA_IND,
		.sent = state_sndrel,
	};
	bool some = data && data->len;
	int error;

	if (some && (!(ep->info.flags & T_ORDRELDATA) ||
		     data->len > TPI_DATA_MAX))
		return TBADDATA;
	error = tpi_send(ep, &req, &terms, some ? data->buf : NULL,
			 some ? data->len : 0, 0);
	event_note_sent(ep, T_GODATA, error);
	return error;
}

/**
 * t_sndreldata() - release a connection: nothing more will be sent
 * @fd: the endpoint, in state T_DATAXFER or T_INREL
 * @discon: udata: data to send with it; reason is for the provider; or NULL
 *
 * Return: 0 or -1. XNS Issue 5, t_sndreldata().
 */
int t_sndreldata(int fd, struct t_discon *discon)
{
	struct endpoint *ep;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	error = state_check(ep, COTS_ORD, SENDING);
	if (!error) {
		lock_take(&ep->out);
		error = send_release(ep, discon ? &discon->udata : NULL);
		lock_drop(&ep->out);
	}
	return endpoint_result(ep, error);
}

/**
 * t_sndrel() - release a connection: nothing more will be sent
 * @fd: the endpoint, in state T_DATAXFER or T_INREL
 *
 * Return: 0 or -1. XNS Issue 5, t_sndrel().
 */
int t_sndrel(int fd)
{
	return t_sndreldata(fd, NULL);
}

static int receive_release(struct endpoint *ep, void *arg)
{
	struct t_discon *discon = arg;
	struct tpi_msg msg;
	int error, type;

	error = state_check(ep, COTS_ORD, IN(T_DATAXFER) | IN(T_OUTREL));
	if (!error)
		error = tpi_peek_type(ep, &type);
	if (error)
		return error;
	if (type == T_DISCON_IND)
		return TLOOK;
	if (type != T_ORDREL_IND)
		return TNOREL;
	error = tpi_take_whole(ep, T_ORDREL_IND, &msg, discon ? &discon->udata : NULL,
			       sizeof(struct T_ordrel_ind));
	/* Another process took the indication first. */
	if (error == TNODATA)
		return TNOREL;
	if (!error || error == TBUFOVFLW) {
		state_rcvrel(ep);
		if (discon)
			discon->reason = 0;
	}
	tpi_free(&msg);
	return error;
}

/**
 * t_rcvreldata() - learn that the other side will send nothing more
 * @fd: the endpoint, in state T_DATAXFER or T_OUTREL
 * @discon: udata: set to the data that came with it; or NULL
 *
 * Return: 0 or -1; with TBUFOVFLW it is released all the same. XNS Issue 5,
 * t_rcvreldata().
 */
int t_rcvreldata(int fd, struct t_discon *discon)
{
	return endpoint_act(fd, receive_release, discon);
}

/**
 * t_rcvrel() - learn that the other side will send nothing more
 * @fd: the endpoint, in state T_DATAXFER or T_OUTREL
 *
 * Return: 0 or -1. XNS Issue 5, t_rcvrel().
 */
int t_rcvrel(int fd)
{
	return t_rcvreldata(fd, NULL);
}
