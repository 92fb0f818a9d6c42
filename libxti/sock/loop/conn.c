// SPDX-License-Identifier: LGPL-2.1-or-later
/* The service of ticots and ticotsord: connections within the host */
#include <poll.h>

#include "sock/conn.h"
#include "sock/listen.h"
#include "sock/over.h"
#include "sock/spill.h"
#include "conn.h"
#include "frame.h"

/* Returns the event that the first frame means. */
static int find_frame_type(struct endpoint *ep, int what, const struct loop_frame *frame)
{
	int state = sock_state(ep->sock);
	bool receives = state == TS_DATA_XFER || state == TS_WIND_ORDREL;

	if (what == LOOP_DISCON)
		return T_DISCON_IND;
	if (state == TS_WCON_CREQ && what == LOOP_ANSWER)
		return T_CONN_CON;
	if (receives && what == LOOP_DATA)
		return T_DATA_IND;
	if (receives && what == LOOP_EXDATA)
		return T_EXDATA_IND;
	if (receives && what == LOOP_ORDREL)
		return T_ORDREL_IND;
	return TPI_NONE;
}

static int loop_peek_type(struct endpoint *ep, int *type)
{
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	int state = sock_state(s), what;

	if (s->spilled) {
		*type = TPI_DATA;
		return 0;
	}
	if (state == TS_UNBND || state == TS_IDLE || state == TS_WRES_CIND)
		return sock_conn_peek_type(ep, type);
	*type = TPI_NONE;
	while (!atomic_load(&s->lost)) {
		what = loop_peek_frame(ep->fd, &frame);
		if (what == LOOP_NO_SOCKET)
			return TBADF;
		if (what == LOOP_NOTHING)
			return 0;
		if (what == LOOP_THE_END) {
			atomic_store(&s->lost, state == TS_WCON_CREQ ?
				     ECONNREFUSED : ECONNRESET);
			break;
		}
		*type = find_frame_type(ep, what, &frame);
		if (*type != TPI_NONE)
			return 0;
		/* This library sends no frame of that kind in this state. */
		loop_drop_frame(ep->fd);
	}
	*type = T_DISCON_IND;
	return 0;
}

static int take_loop_data(struct endpoint *ep, struct tpi_msg *msg, void *data,
			  size_t size)
{
	struct T_data_ind *ind = sock_fill(msg, sizeof(*ind));
	struct loop_frame frame;
	struct sock_addr addr;
	struct msghdr m = {};

	if (loop_take_frame(ep, ep->fd, &frame, &addr, msg, data, size, &m) <= 0)
		return TNODATA;
	ind->PRIM_type = frame.what == LOOP_EXDATA ? T_EXDATA_IND : T_DATA_IND;
	ind->MORE_flag = frame.value;
	return 0;
}

static int take_loop_answer(struct endpoint *ep, struct tpi_msg *msg, void *data,
			    size_t size)
{
	struct T_conn_con *con = sock_fill(msg, sizeof(*con));
	struct sock_end *s = ep->sock;
	struct loop_frame frame;
	struct msghdr m = {};

	if (loop_take_frame(ep, ep->fd, &frame, &s->peer, msg, data, size, &m) <= 0)
		return TNODATA;
	*con = (struct T_conn_con){
		.PRIM_type = T_CONN_CON,
		.RES_length = s->peer.len,
	};
	con->RES_offset = sock_append(msg, s->peer.bytes, s->peer.len);
	atomic_store(&s->state, TS_DATA_XFER);
	return 0;
}

static int take_loop_end(struct endpoint *ep, struct tpi_msg *msg, void *data,
			 size_t size)
{
	struct loop_frame frame;
	struct sock_addr addr;
	struct msghdr m = {};
	int reason = atomic_load(&ep->sock->lost);

	if (!reason) {
		if (loop_take_frame(ep, ep->fd, &frame, &addr, msg, data, size, &m) <= 0)
			return TNODATA;
		reason = frame.value;
	}
	return sock_report_end(ep, reason, msg);
}

static int loop_take_message(struct endpoint *ep, int type, struct tpi_msg *msg,
			     void *data, size_t size)
{
	int state = sock_state(ep->sock), front, error;

	if (type == TPI_DATA)
		return sock_spill_take(ep->sock, msg, data, size);
	error = loop_peek_type(ep, &front);
	if (error)
		return error;
	if (front != type)
		return TNODATA;
	if (state == TS_IDLE || state == TS_WRES_CIND)
		return sock_listen_take_message(ep, type, msg, data, size);
	switch (type) {
	case T_DATA_IND:
	case T_EXDATA_IND:
		return take_loop_data(ep, msg, data, size);
	case T_CONN_CON:
		return take_loop_answer(ep, msg, data, size);
	case T_DISCON_IND:
		return take_loop_end(ep, msg, data, size);
	case T_ORDREL_IND:
		loop_drop_frame(ep->fd);
		return sock_report_release(ep, msg);
	default:
		return TNODATA;
	}
}

/* Returns whether the peer's release or abort has to be reported first. */
static bool loop_is_ended(struct endpoint *ep)
{
	struct loop_frame frame;

	switch (loop_peek_frame(ep->fd, &frame)) {
	case LOOP_ORDREL:
	case LOOP_DISCON:
	case LOOP_THE_END:
		return true;
	default:
		return false;
	}
}

static int send_frames(struct endpoint *ep, const struct tpi_out *out, size_t *took)
{
	const struct T_data_req *req = out->prim;
	struct loop_frame frame = {
		.what = req->PRIM_type == T_EXDATA_REQ ? LOOP_EXDATA :
			req->PRIM_type == T_ORDREL_REQ ? LOOP_ORDREL : LOOP_DATA,
	};
	size_t len = out->len > 0 ? out->len : 0;

	*took = len;
	if (frame.what != LOOP_ORDREL)
		frame.value = req->MORE_flag;
	while (loop_send_frame(ep->fd, &frame, NULL, out->data, *took) < 0) {
		if (errno == EAGAIN)
			return TFLOW;
		if (errno == EMSGSIZE && *took > 1) {
			/* The frame is larger than XTI_SNDBUF. */
			*took /= 2;
			frame.value = true;
		} else if (sock_errno(0) == TBADF) {
			return TBADF;
		} else if (errno == EPIPE || errno == ECONNRESET ||
			   errno == ENOTCONN) {
			return xti_system(EBADMSG);
		} else {
			return TSYSERR;
		}
	}
	return 0;
}

static int loop_conn_send(struct endpoint *ep, struct tpi_out *out)
{
	const union T_primitives *prim = out->prim;
	int error;

	if (out->usual >= 0 && loop_is_ended(ep))
		return xti_system(EBADMSG);
	error = send_frames(ep, out, &out->took);
	/*
	 * An ended connection is not an error of the send: the end is reported
	 * as an event, after the unread data.
	 */
	if (error == TSYSERR && errno == EBADMSG && out->usual < 0)
		error = 0;
	if (!error && prim->type == T_ORDREL_REQ)
		sock_note_release(ep);
	return error;
}

static int loop_input_events(const struct sock_end *s)
{
	return POLLIN;
}

const struct sock_service sock_loop_service = {
	.peek_type = loop_peek_type,
	.take_message = loop_take_message,
	.send = loop_conn_send,
	.input_events = loop_input_events,
};
