// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives as messages of a stream */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "libstreams/strio.h"
#include "core/receive.h"
#include "core/wait.h"
#include "message.h"
#include "request.h"
#include "stream.h"

/*
 * A send does not wait, and is not made while an unexpected message is to be
 * read.
 */
#define SEND		(MSG_BAND | STRIO_NOWAIT)
#define SEND_LOOKING	(SEND | STRIO_PEEKED)

/*
 * Returns whether a message is an acknowledgement, which no task waits for if a
 * process was killed.
 */
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

/* Takes the rest of a control part that is longer than any program's can be. */
static int take_long_control(struct endpoint *ep, struct tpi_msg *msg)
{
	size_t size = sizeof(msg->room);
	struct strio_msg m = { .data = stream_make_room(NULL, 0) };
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
		m.ctl = stream_make_room(bigger + msg->len, size - msg->len);
		first.flags = 0;
		/* The rest is lost when another process takes this message. */
		if (stream_peek(ep->fd, &first, &word) != 1)
			return TPROTO;
		more = stream_get(ep->fd, word, &m);
		if (more < 0)
			return TPROTO;
		if (m.ctl.len > 0)
			msg->len += m.ctl.len;
	} while (more & MORECTL);
	return 0;
}

static int stream_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			       size_t size)
{
	struct strio_msg m = {
		.ctl = stream_make_room(msg->room.bytes, sizeof(msg->room)),
		/*
		 * A part without bytes is taken although the caller has no room
		 * for data, or no buffer.
		 */
		.data = {
			.maxlen = size,
			.len = -1,
			.buf = (uintptr_t)data,
		},
	};
	int more;

	more = stream_get(ep->fd, type, &m);
	if (more < 0)
		return xti_stream(TNODATA);
	msg->len = m.ctl.len;
	msg->data_len = m.data.len < 0 ? 0 : m.data.len;
	msg->more = more & MOREDATA;
	return more & MORECTL ? take_long_control(ep, msg) : 0;
}

static int stream_peek_type(struct endpoint *ep, int *type)
{
	struct strpeek first;
	struct tpi_msg msg;
	t_scalar_t word;
	int got, error;

	for (;;) {
		first.flags = 0;
		got = stream_peek(ep->fd, &first, &word);
		if (got < 0)
			return xti_stream(TNODATA);
		*type = TPI_NONE;
		if (!got)
			return 0;
		*type = TPI_DATA;
		if (first.ctlbuf.len < 0)
			return 0;
		/* A primitive begins with a word that is not negative. */
		if (first.ctlbuf.len < (int)sizeof(word) || word < 0)
			return TPROTO;
		*type = word;
		if (first.flags != RS_HIPRI || !is_ack(word))
			return 0;
		error = tpi_take_message(ep, word, &msg, NULL, 0);
		if (!error)
			tpi_drop_rest(ep, &msg);
		tpi_free(&msg);
		if (error && error != TNODATA)
			return error;
	}
}

/* Waits with no lock held, where a thread may be cancelled. */
static int stream_await_input(struct endpoint *ep, unsigned int woken)
{
	struct pollfd p = {
		.fd = ep->fd,
		.events = POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND,
	};
	int error = endpoint_wait(ep, &p, woken);

	if (error)
		return error;
	/* Nothing more will arrive; the next call reports an error of the stream. */
	if (p.revents & POLLHUP && !(p.revents & (p.events | POLLERR)))
		return xti_system(ENXIO);
	return 0;
}

static struct strio_msg make_message(const struct tpi_out *out, int flags)
{
	return (struct strio_msg){
		.ctl = {
			.maxlen = out->usual,
			.len = out->size,
			.buf = (uintptr_t)out->prim,
		},
		.data = { .len = out->len, .buf = (uintptr_t)out->data },
		.band = out->band,
		.flags = flags,
	};
}

static int stream_send(struct endpoint *ep, struct tpi_out *out)
{
	struct strio_msg msg = make_message(out, out->usual < 0 ? SEND :
							     SEND_LOOKING);

	out->took = out->len;
	return strio_putmsg(ep->fd, &msg) ? xti_stream(TFLOW) : 0;
}

static int stream_await_room(struct endpoint *ep, const struct tpi_out *out,
			     unsigned int woken)
{
	/* The stream knows whether O_NONBLOCK is set. */
	struct strio_msg msg = make_message(out, MSG_BAND | STRIO_ROOM);

	return strio_putmsg(ep->fd, &msg) ? xti_stream(TFLOW) : 0;
}

static bool stream_has_room(struct endpoint *ep, int band)
{
	return ioctl(ep->fd, I_CANPUT, band) == 1;
}

/* Compares the devices, by which providers are opened. */
static int stream_check_same(const struct endpoint *ep, const struct endpoint *res)
{
	struct stat a, b;

	if (fstat(ep->fd, &a) || fstat(res->fd, &b))
		return TBADF;
	if ((a.st_mode & S_IFMT) != (b.st_mode & S_IFMT))
		return TPROVMISMATCH;
	return S_ISCHR(a.st_mode) && a.st_rdev != b.st_rdev ? TPROVMISMATCH : 0;
}

/*
 * Pushes timod, unless autopush has. Without the module the primitives are sent
 * directly.
 */
int stream_push_timod(struct endpoint *ep)
{
	static atomic_bool missing;
	int there = ioctl(ep->fd, I_FIND, "timod");

	if (there < 0)
		return xti_stream(TSYSERR);
	if (!there && !atomic_load(&missing)) {
		if (!ioctl(ep->fd, I_PUSH, "timod"))
			there = 1;
		else if (errno == EINVAL)
			/* The kernel starts a process to look for the module, each time. */
			atomic_store(&missing, true);
		else
			return xti_stream(TSYSERR);
	}
	atomic_store(&ep->timod, there);
	return 0;
}

static int stream_attach(struct endpoint *ep)
{
	if (isastream(ep->fd) <= 0)
		return TBADF;
	atomic_store(&ep->timod, ioctl(ep->fd, I_FIND, "timod") == 1);
	return 0;
}

/* Frees nothing: a stream's carrier has no state. */
static void stream_keeps_nothing(struct endpoint *ep)
{
}

const struct carrier stream_carrier = {
	.attach = stream_attach,
	.detach = stream_keeps_nothing,
	.reset_in_child = stream_keeps_nothing,
	.request = stream_request,
	.send = stream_send,
	.await_room = stream_await_room,
	.has_room = stream_has_room,
	.peek_type = stream_peek_type,
	.take_message = stream_take_message,
	.await_input = stream_await_input,
	.check_same = stream_check_same,
};
