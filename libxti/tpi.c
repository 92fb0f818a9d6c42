// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives of the Transport Provider Interface, to and from a stream */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "tpi.h"

#define ALIGN_PART(n)	(((n) + 3UL) & ~3UL)

/**
 * tpi_req() - make a message of a primitive and what belongs to it
 * @req: the message; its primitive is zeroed
 * @size: bytes of the primitive
 * @first: a variable part, or NULL, or empty
 * @second: another
 *
 * Return: 0 or TSYSERR.
 */
int tpi_req(struct tpi_req *req, size_t size, const struct netbuf *first,
	    const struct netbuf *second)
{
	const struct netbuf *part[2] = { first, second };
	char *bytes = req->room.bytes;
	size_t len = size;
	int i;

	req->heap = NULL;
	for (i = 0; i < 2; i++)
		if (part[i])
			len += ALIGN_PART((size_t)part[i]->len);
	if (len > sizeof(req->room)) {
		bytes = malloc(len);
		if (!bytes)
			return xti_system(ENOMEM);
		req->heap = bytes;
	}
	memset(bytes, 0, len);
	req->prim = (union T_primitives *)bytes;
	req->len = size;
	for (i = 0; i < 2; i++) {
		req->off[i] = 0;
		if (!part[i] || !part[i]->len)
			continue;
		req->len = ALIGN_PART(req->len);
		req->off[i] = req->len;
		memcpy(bytes + req->len, part[i]->buf, part[i]->len);
		req->len += part[i]->len;
	}
	return 0;
}

void tpi_req_free(struct tpi_req *req)
{
	free(req->heap);
	req->heap = NULL;
}

int tpi_send(struct endpoint *ep, const struct tpi_req *req, const void *data,
	     size_t len, int band)
{
	struct strbuf c = { .len = req->len, .buf = (char *)req->prim };
	struct strbuf d = { .len = len, .buf = (char *)data };

	if (putpmsg(ep->fd, &c, data ? &d : NULL, band, MSG_BAND))
		return xti_stream(TFLOW);
	return 0;
}

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

int tpi_front(struct endpoint *ep, int *type)
{
	t_scalar_t word = 0;
	struct strpeek peek = {
		.ctlbuf = { .maxlen = sizeof(word), .buf = (char *)&word },
		.databuf = { .maxlen = -1 },
	};
	struct tpi_msg msg;
	int got, error;

	for (;;) {
		peek.flags = 0;
		got = ioctl(ep->fd, I_PEEK, &peek);
		if (got < 0)
			return xti_stream(TNODATA);
		*type = TPI_NONE;
		if (!got)
			return 0;
		*type = TPI_DATA;
		if (peek.ctlbuf.len < 0)
			return 0;
		/* No primitive: shorter than its first word, or none there is. */
		if (peek.ctlbuf.len < (int)sizeof(word) || word < 0)
			return TPROTO;
		*type = word;
		if (peek.flags != RS_HIPRI || !is_ack(word))
			return 0;
		error = tpi_take(ep, &msg, NULL, 0);
		if (!error)
			tpi_drain(ep, &msg);
		tpi_free(&msg);
		if (error)
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
		if (error || *type != TPI_NONE)
			return error;
		flags = fcntl(ep->fd, F_GETFL);
		if (flags < 0)
			return TBADF;
		if (flags & O_NONBLOCK)
			return TNODATA;
		pthread_mutex_unlock(&ep->in);
		error = wait_input(ep);
		pthread_mutex_lock(&ep->in);
		if (!error && atomic_load(&ep->closed))
			error = TBADF;
		if (error)
			return error;
	}
}

/* The rest of a control part that is longer than most. */
static int take_control(struct endpoint *ep, struct tpi_msg *msg)
{
	size_t size = sizeof(msg->room);
	struct strbuf c = {};
	char *bigger;
	int flags = 0, more;

	do {
		bigger = realloc(msg->heap, size * 2);
		if (!bigger)
			return xti_system(ENOMEM);
		if (!msg->heap)
			memcpy(bigger, msg->prim, msg->len);
		msg->heap = bigger;
		msg->prim = (union T_primitives *)bigger;
		size *= 2;
		c.maxlen = size - msg->len;
		c.buf = bigger + msg->len;
		more = getmsg(ep->fd, &c, NULL, &flags);
		if (more < 0)
			return xti_stream(TNODATA);
		if (c.len > 0)
			msg->len += c.len;
	} while (more & MORECTL);
	return 0;
}

int tpi_take(struct endpoint *ep, struct tpi_msg *msg, void *data, size_t size)
{
	struct strbuf c = { .maxlen = sizeof(msg->room), .buf = msg->room.bytes };
	struct strbuf d = { .maxlen = size, .buf = data };
	int flags = 0, more;

	msg->prim = &msg->room.prim;
	msg->heap = NULL;
	msg->len = -1;
	msg->data_len = 0;
	msg->more = false;
	if (size > TPI_DATA_MAX)
		d.maxlen = TPI_DATA_MAX;
	more = getmsg(ep->fd, &c, &d, &flags);
	if (more < 0)
		return xti_stream(TNODATA);
	msg->len = c.len;
	msg->data_len = d.len < 0 ? 0 : d.len;
	msg->more = more & MOREDATA;
	return more & MORECTL ? take_control(ep, msg) : 0;
}

void tpi_drain(struct endpoint *ep, struct tpi_msg *msg)
{
	char lost[4096];
	struct strbuf d = { .maxlen = sizeof(lost), .buf = lost };
	struct strbuf c = { .maxlen = 0, .buf = lost };
	int flags, more;

	while (msg->more) {
		flags = 0;
		more = getmsg(ep->fd, &c, &d, &flags);
		msg->more = more > 0 && more & MOREDATA;
	}
}

int tpi_take_whole(struct endpoint *ep, struct tpi_msg *msg,
		   struct netbuf *data, size_t size)
{
	int error;

	error = tpi_take(ep, msg, data ? data->buf : NULL,
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

void tpi_free(struct tpi_msg *msg)
{
	free(msg->heap);
	msg->heap = NULL;
}

int tpi_copy(const struct tpi_msg *msg, t_scalar_t offset, t_scalar_t length,
	     struct netbuf *to)
{
	if (length < 0 || offset < 0 ||
	    (length && (offset > msg->len || length > msg->len - offset)))
		return TPROTO;
	to->len = 0;
	/* Who has no room at all does not ask for it. */
	if (!to->maxlen)
		return 0;
	if ((unsigned int)length > to->maxlen)
		return TBUFOVFLW;
	if (length)
		memcpy(to->buf, (const char *)msg->prim + offset, length);
	to->len = length;
	return 0;
}
