// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives that are received */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "../libstreams/libstreams.h"
#include "state.h"
#include "tpi.h"

/* An acknowledgement that nobody waits for: of a process that was killed. */
static bool is_ack(int type)
{
	switch (type) {
	case T_INFO_ACK:
	case T_BIND_ACK:
	case T_ERROR_ACK:
	case T_OK_ACK:
	case T_OPTMGMT_ACK:
	case T_ADDR_ACK:
	case T_CAPABILITY_ACK:
		return true;
	default:
		return false;
	}
}

/* The first message: 1, or 0 when there is none, or -1. */
static int peek(struct endpoint *ep, struct strpeek *first, t_scalar_t *word)
{
	*word = 0;
	first->ctlbuf = (struct strbuf){
		.maxlen = sizeof(*word), .buf = (char *)word,
	};
	first->databuf = (struct strbuf){ .maxlen = -1 };
	return ioctl(ep->fd, I_PEEK, first);
}

int tpi_front(struct endpoint *ep, int *type)
{
	struct strpeek first;
	struct tpi_msg msg;
	t_scalar_t word;
	int got, error;

	for (;;) {
		first.flags = 0;
		got = peek(ep, &first, &word);
		if (got < 0)
			return xti_stream(TNODATA);
		*type = TPI_NONE;
		if (!got)
			return 0;
		*type = TPI_DATA;
		if (first.ctlbuf.len < 0)
			return 0;
		/* No primitive: shorter than its first word, or none there is. */
		if (first.ctlbuf.len < (int)sizeof(word) || word < 0)
			return TPROTO;
		*type = word;
		if (first.flags != RS_HIPRI || !is_ack(word))
			return 0;
		error = tpi_take(ep, word, &msg, NULL, 0);
		if (!error)
			tpi_drain(ep, &msg);
		tpi_free(&msg);
		if (error && error != TNODATA)
			return error;
	}
}

static void put_endpoint(void *ep)
{
	endpoint_put(ep);
}

/* Waits with no lock held, where a thread may be cancelled. */
static int wait_input(struct endpoint *ep)
{
	struct pollfd p = {
		.fd = ep->fd,
		.events = POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND,
	};
	int ready;

	pthread_cleanup_push(put_endpoint, ep);
	ready = poll(&p, 1, -1);
	pthread_cleanup_pop(0);
	if (ready < 0)
		return TSYSERR;
	if (p.revents & POLLNVAL)
		return TBADF;
	/* Nothing will come any more; an error of the stream says itself. */
	if (p.revents & POLLHUP && !(p.revents & (p.events | POLLERR)))
		return xti_system(ENXIO);
	return 0;
}

int tpi_wait(struct endpoint *ep, unsigned int states, int *type)
{
	int error, flags;

	for (;;) {
		/* Another thread may have changed it meanwhile. */
		if (!(states & IN(state_now(ep))))
			return TOUTSTATE;
		error = tpi_front(ep, type);
		/* What was to wake this one, see tpi_wake(), that may have taken. */
		if (!error && atomic_load(&ep->closed))
			error = TBADF;
		if (error || *type != TPI_NONE)
			return error;
		flags = fcntl(ep->fd, F_GETFL);
		if (flags < 0)
			return TBADF;
		if (flags & O_NONBLOCK)
			return TNODATA;
		lock_drop(&ep->in);
		error = wait_input(ep);
		lock_take(&ep->in);
		if (!error && atomic_load(&ep->closed))
			error = TBADF;
		if (error)
			return error;
	}
}

/* Where a part of a message goes; NULL: it is left alone. */
static struct strio_buf room_at(void *at, size_t size)
{
	return (struct strio_buf){
		.maxlen = at ? (int)size : -1,
		.len = -1,
		.buf = (uintptr_t)at,
	};
}

/* Takes the first message, if it begins so: what is left of it, or -1. */
static int get(struct endpoint *ep, int type, struct strio_msg *m)
{
	m->band = type == TPI_DATA ? -1 : type;
	m->flags = STRIO_PEEKED;
	return strio_getmsg(ep->fd, m);
}

int tpi_take_high(struct endpoint *ep, void *buf, size_t size, int *len)
{
	struct strio_msg m = {
		.ctl = room_at(buf, size), .data = room_at(buf, 0),
	};
	struct strpeek first = { .flags = RS_HIPRI };
	t_scalar_t word;
	int got;

	got = peek(ep, &first, &word);
	if (!got)
		return TNODATA;
	/* No primitive, which stays for whoever looks. */
	if (got > 0 && word < 0)
		return TPROTO;
	if (got < 0 || get(ep, word, &m) < 0)
		return xti_stream(TNODATA);
	*len = m.ctl.len;
	return 0;
}

/* The rest of a control part that is longer than any program's can be. */
static int take_control(struct endpoint *ep, struct tpi_msg *msg)
{
	size_t size = sizeof(msg->room);
	struct strio_msg m = { .data = room_at(NULL, 0) };
	struct strpeek first;
	t_scalar_t word;
	char *bigger;
	int more;

	do {
		bigger = realloc(msg->heap, size * 2);
		if (!bigger)
			return xti_system(ENOMEM);
		if (!msg->heap)
			memcpy(bigger, msg->prim, msg->len);
		msg->heap = bigger;
		msg->prim = (union T_primitives *)bigger;
		size *= 2;
		m.ctl = room_at(bigger + msg->len, size - msg->len);
		first.flags = 0;
		/* It is lost when another process takes this. */
		if (peek(ep, &first, &word) != 1)
			return TPROTO;
		more = get(ep, word, &m);
		if (more < 0)
			return TPROTO;
		if (m.ctl.len > 0)
			msg->len += m.ctl.len;
	} while (more & MORECTL);
	return 0;
}

int tpi_take(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
	     size_t size)
{
	struct strio_msg m = {
		.ctl = room_at(msg->room.bytes, sizeof(msg->room)),
		/* Without any room, or a place, a part without bytes is taken. */
		.data = {
			.maxlen = size > TPI_DATA_MAX ? TPI_DATA_MAX : size,
			.len = -1,
			.buf = (uintptr_t)data,
		},
	};
	int more;

	msg->prim = &msg->room.prim;
	msg->heap = NULL;
	msg->len = -1;
	msg->data_len = 0;
	msg->more = false;
	more = get(ep, type, &m);
	if (more < 0)
		return xti_stream(TNODATA);
	msg->len = m.ctl.len;
	msg->data_len = m.data.len < 0 ? 0 : m.data.len;
	msg->more = more & MOREDATA;
	return more & MORECTL ? take_control(ep, msg) : 0;
}

void tpi_drain(struct endpoint *ep, struct tpi_msg *msg)
{
	char lost[4096];
	struct strio_msg m = { .ctl = room_at(NULL, 0) };
	int more, type;

	while (msg->more) {
		m.data = room_at(lost, sizeof(lost));
		more = get(ep, TPI_DATA, &m);
		/* What came before it may be an answer that nobody waits for. */
		if (more < 0 && errno == EAGAIN && !tpi_front(ep, &type) &&
		    type == TPI_DATA)
			continue;
		msg->more = more > 0 && more & MOREDATA;
	}
}

int tpi_take_whole(struct endpoint *ep, int type, struct tpi_msg *msg,
		   struct netbuf *data, size_t size)
{
	int error;

	error = tpi_take(ep, type, msg, data ? data->buf : NULL,
			 data ? data->maxlen : 0);
	if (error)
		return error;
	if (data)
		data->len = msg->data_len;
	if (msg->more && data && data->maxlen)
		error = TBUFOVFLW;
	tpi_drain(ep, msg);
	return tpi_holds(msg, size) ? error : TPROTO;
}

int tpi_copy_some(const struct tpi_msg *msg, t_scalar_t offset,
		  t_scalar_t length, struct netbuf *to)
{
	if (length < 0 || offset < 0 ||
	    (length && (offset > msg->len || length > msg->len - offset)))
		return TPROTO;
	to->len = 0;
	if (!length)
		return 0;
	/* Who has no room at all does not ask for it. */
	if (!to->maxlen)
		return 0;
	if ((unsigned int)length > to->maxlen)
		return TBUFOVFLW;
	memcpy(to->buf, (const char *)msg->prim + offset, length);
	to->len = length;
	return 0;
}
