// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests and their answers, and messages that have arrived, whatever carries them */
#include <fcntl.h>

#include "carrier.h"
#include "receive.h"
#include "state.h"

int tpi_peek_type(struct endpoint *ep, int *type)
{
	return ep->carrier->peek_type(ep, type);
}

int tpi_await_type(struct endpoint *ep, unsigned int states, int *type)
{
	unsigned int woken;
	int error, flags;

	for (;;) {
		/* The count is read before the state that a wakeup reports. */
		woken = atomic_load(&ep->woken);
		/* Another thread may have changed the state meanwhile. */
		if (!(states & IN(state_now(ep))))
			return TOUTSTATE;
		error = tpi_peek_type(ep, type);
		if (error || *type != TPI_NONE)
			return error;
		flags = fcntl(ep->fd, F_GETFL);
		if (flags < 0)
			return TBADF;
		if (flags & O_NONBLOCK)
			return TNODATA;
		lock_drop(&ep->in);
		error = ep->carrier->await_input(ep, woken);
		lock_take(&ep->in);
		if (!error && atomic_load(&ep->closed))
			error = TBADF;
		if (error)
			return error;
	}
}

int tpi_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
		     size_t size)
{
	msg->prim = &msg->room.prim;
	msg->heap = NULL;
	msg->len = -1;
	msg->data_len = 0;
	msg->more = false;
	return ep->carrier->take_message(ep, type, msg, data,
				 size > TPI_DATA_MAX ? TPI_DATA_MAX : size);
}

void tpi_drop_rest(struct endpoint *ep, struct tpi_msg *msg)
{
	struct tpi_msg rest;
	char lost[4096];
	int error, type;

	while (msg->more) {
		error = tpi_take_message(ep, TPI_DATA, &rest, lost, sizeof(lost));
		tpi_free(&rest);
		/* The message before the rest may be an answer that no task waits for. */
		if (error == TNODATA && !tpi_peek_type(ep, &type) &&
		    type == TPI_DATA)
			continue;
		msg->more = !error && rest.more;
	}
}

int tpi_request(struct endpoint *ep, const struct tpi_req *req,
		struct tpi_msg *ack)
{
	struct tpi_msg own;
	int error;

	if (!ack)
		ack = &own;
	ack->prim = &ack->room.prim;
	ack->heap = NULL;
	ack->len = -1;
	ack->more = false;
	/* Another thread may have closed the endpoint while this one waited for "in". */
	error = atomic_load(&ep->closed) ? TBADF :
					   ep->carrier->request(ep, req, ack);
	if (ack == &own)
		tpi_free(ack);
	return error;
}

int tpi_take_whole(struct endpoint *ep, int type, struct tpi_msg *msg,
		   struct netbuf *data, size_t size)
{
	int error;

	error = tpi_take_message(ep, type, msg, data ? data->buf : NULL,
				 data ? data->maxlen : 0);
	if (error)
		return error;
	if (data)
		data->len = msg->data_len;
	if (msg->more && data && data->maxlen)
		error = TBUFOVFLW;
	tpi_drop_rest(ep, msg);
	return tpi_holds(msg, size) ? error : TPROTO;
}
