// SPDX-License-Identifier: LGPL-2.1-or-later
/* Data of connections: t_snd(), t_rcv(), their forms with vectors */
#include <string.h>

#include "core/event.h"
#include "core/put.h"
#include "core/receive.h"
#include "core/state.h"
#include "core/vector.h"
#include "sync.h"

#define RECEIVING	(IN(T_DATAXFER) | IN(T_OUTREL))
#define SENDING		(IN(T_DATAXFER) | IN(T_INREL))

static int tsdu_kind(int flags)
{
	return flags & T_EXPEDITED ? TSDU_EXPEDITED : TSDU_NORMAL;
}

/* Returns how large a message may be. */
static size_t piece_size(const struct endpoint *ep)
{
	return ep->tidu > 0 && ep->tidu < TPI_DATA_MAX ? ep->tidu : TPI_DATA_MAX;
}

/*
 * Forgets the TSDU that was begun, which does not continue on another
 * connection; "out" is held.
 */
static void forget_sent(struct endpoint *ep)
{
	unsigned int now = atomic_load(&ep->connections);

	if (ep->sent_on == now)
		return;
	ep->sent_on = now;
	memset(ep->sent, 0, sizeof(ep->sent));
}

/* The caller holds "out". */
static int check_amount(const struct endpoint *ep, size_t size, int flags)
{
	int kind = tsdu_kind(flags);
	t_scalar_t most = kind == TSDU_EXPEDITED ? ep->info.etsdu :
						   ep->info.tsdu;

	if (most == T_INVALID)
		return kind == TSDU_EXPEDITED ? TNOTSUPPORT : TBADDATA;
	if (!size && (flags & T_MORE || !(ep->info.flags & T_SENDZERO)))
		return TBADDATA;
	/*
	 * A size of 0 means that the provider has no TSDUs: data is a stream of
	 * bytes.
	 */
	if (most > 0 && ep->sent[kind] + size > (unsigned int)most)
		return TBADDATA;
	return 0;
}

/*
 * Sends a piece; where the provider is not a stream's, the part that there is
 * room for.
 */
static int send_piece(struct endpoint *ep, const void *data, size_t len,
		      int kind, bool more, size_t *took)
{
	const struct tpi_terms terms = {
		.services = COTS,
		.states = SENDING,
		.connection = &ep->sent_on,
		.events = T_DISCONNECT | T_ORDREL,
		.usual = T_DATA_IND,
		.took = took,
	};
	bool urgent = kind == TSDU_EXPEDITED;
	/* T_EXDATA_REQ has the same fields. */
	const struct T_data_req prim = {
		.PRIM_type = urgent ? T_EXDATA_REQ : T_DATA_REQ,
		.MORE_flag = more,
	};

	/* Expedited data has a band of its own, and passes normal data. */
	return tpi_send_made(ep, &prim, sizeof(prim), &terms, data, len,
			     urgent ? TPI_BAND_EXPEDITED : 0);
}

/*
 * Sends as many pieces as there is room for. Returns an error only when no
 * piece was sent.
 */
static int send_pieces(struct endpoint *ep, struct vector *v, int flags,
		       size_t *done)
{
	size_t most = piece_size(ep), len, took = 0;
	int kind = tsdu_kind(flags), error;
	const void *data;
	bool more, last = !(flags & T_MORE);

	/*
	 * A stream of bytes has no TSDU end to mark; T_PUSH sends the data
	 * without waiting for more.
	 */
	if (flags & T_PUSH && kind == TSDU_NORMAL && !ep->info.tsdu)
		last = true;
	do {
		len = v->size - *done < most ? v->size - *done : most;
		more = !last || *done + len < v->size;
		data = vector_gather(v, *done, len);
		if (!data)
			error = xti_system(ENOMEM);
		else
			error = send_piece(ep, data, len, kind, more, &took);
		if (error)
			break;
		*done += took;
		ep->sent[kind] = more || took < len ? ep->sent[kind] + took : 0;
	} while (*done < v->size);
	event_note_sent(ep, kind == TSDU_EXPEDITED ? T_GOEXDATA : T_GODATA, error);
	return *done ? 0 : error;
}

static int send_vector(struct endpoint *ep, struct vector *v, int flags, size_t *done)
{
	int error = state_check(ep, COTS, SENDING);

	if (error)
		return error;
	if (flags & ~(T_MORE | T_EXPEDITED | T_PUSH))
		return TBADFLAG;
	lock_take(&ep->out);
	forget_sent(ep);
	error = check_amount(ep, v->size, flags);
	if (!error)
		error = send_pieces(ep, v, flags, done);
	lock_drop(&ep->out);
	return error;
}

/**
 * t_snd() - send data over a connection
 * @fd: the endpoint, in state T_DATAXFER or T_INREL
 * @buf: the data
 * @nbytes: how much
 * @flags: T_MORE: the TSDU continues with the next call; T_EXPEDITED; T_PUSH
 *
 * Return: how many bytes were sent, less than nbytes only with O_NONBLOCK or
 * after a signal; or -1. XNS Issue 5, t_snd().
 */
int t_snd(int fd, void *buf, unsigned int nbytes, int flags)
{
	struct t_iovec iov = { .iov_base = buf, .iov_len = nbytes };

	return t_sndv(fd, &iov, 1, flags);
}

/**
 * t_sndv() - send data that is in several places
 * @fd: the endpoint, in state T_DATAXFER or T_INREL
 * @iov: where it is
 * @iovcount: how many, 1 to T_IOV_MAX
 * @flags: as for t_snd()
 *
 * Return: as for t_snd(). XNS Issue 5, t_sndv().
 */
int t_sndv(int fd, const struct t_iovec *iov, unsigned int iovcount, int flags)
{
	struct endpoint *ep;
	struct vector v;
	size_t done = 0;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (!error)
		error = vector_check(&v, iov, iovcount);
	if (!error) {
		error = send_vector(ep, &v, flags, &done);
		vector_free(&v);
	}
	return endpoint_result(ep, error) ? -1 : (int)done;
}

/* Finds the kind of data that was taken, and whether its TSDU continues. */
static int read_indication(struct endpoint *ep, const struct tpi_msg *msg, int *kind,
			   bool *more)
{
	const union T_primitives *prim = msg->prim;

	if (msg->len < 0) {
		/*
		 * The data is the rest of a message, whose kind was reported with its
		 * first part.
		 */
		*kind = ep->rest[TSDU_EXPEDITED].left ? TSDU_EXPEDITED :
							TSDU_NORMAL;
		*more = ep->rest[*kind].left && ep->rest[*kind].more;
		return 0;
	}
	if (!tpi_holds(msg, sizeof(struct T_data_ind)))
		return TPROTO;
	switch (prim->type) {
	case T_DATA_IND:
		*kind = TSDU_NORMAL;
		*more = prim->data_ind.MORE_flag;
		return 0;
	case T_EXDATA_IND:
		*kind = TSDU_EXPEDITED;
		*more = prim->exdata_ind.MORE_flag;
		return 0;
	case T_OPTDATA_IND:
		*kind = prim->optdata_ind.DATA_flag & T_ODF_EX ?
			TSDU_EXPEDITED : TSDU_NORMAL;
		*more = prim->optdata_ind.DATA_flag & T_ODF_MORE;
		return 0;
	default:
		return TPROTO;
	}
}

/* Receives data for a caller that holds "in". */
static int receive_data(struct endpoint *ep, void *data, size_t size, size_t *len,
			int *flags)
{
	struct tpi_msg msg;
	int error, type, kind;
	bool more;

	error = state_check(ep, COTS, RECEIVING);
	if (error)
		return error;
	/* The most frequent type is assumed without a look. */
	type = ep->rest[TSDU_NORMAL].left || ep->rest[TSDU_EXPEDITED].left ?
	       TPI_DATA : T_DATA_IND;
	error = tpi_take_message(ep, type, &msg, data, size);
	while (error == TNODATA) {
		error = tpi_await_type(ep, RECEIVING, &type);
		if (error)
			return error;
		if (type == T_DISCON_IND || type == T_ORDREL_IND)
			return TLOOK;
		if (type != TPI_DATA && type != T_DATA_IND &&
		    type != T_EXDATA_IND && type != T_OPTDATA_IND)
			return TPROTO;
		error = tpi_take_message(ep, type, &msg, data, size);
	}
	if (!error)
		error = read_indication(ep, &msg, &kind, &more);
	if (error) {
		tpi_drop_rest(ep, &msg);
	} else {
		/*
		 * Expedited data would have come first: another process has
		 * read it.
		 */
		if (msg.len >= 0 && kind == TSDU_NORMAL)
			ep->rest[TSDU_EXPEDITED].left = false;
		ep->rest[kind].left = msg.more;
		ep->rest[kind].more = more;
		*len = msg.data_len;
		if (flags)
			*flags = (msg.more || more ? T_MORE : 0) |
				 (kind == TSDU_EXPEDITED ? T_EXPEDITED : 0);
	}
	tpi_free(&msg);
	return error;
}

static int receive_into(int fd, void *data, size_t size, int *flags)
{
	struct endpoint *ep;
	size_t len = 0;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = receive_data(ep, data, size, &len, flags);
	lock_drop(&ep->in);
	return endpoint_result(ep, error) ? -1 : (int)len;
}

/**
 * t_rcv() - receive data of a connection
 * @fd: the endpoint, in state T_DATAXFER or T_OUTREL
 * @buf: where to store it
 * @nbytes: how much there is room for
 * @flags: set to T_MORE, if the TSDU continues, and T_EXPEDITED
 *
 * Return: how many bytes were received, or -1. XNS Issue 5, t_rcv().
 */
int t_rcv(int fd, void *buf, unsigned int nbytes, int *flags)
{
	return receive_into(fd, buf, nbytes, flags);
}

/**
 * t_rcvv() - receive data in several places
 * @fd: the endpoint, in state T_DATAXFER or T_OUTREL
 * @iov: where to store it
 * @iovcount: how many, 1 to T_IOV_MAX
 * @flags: as for t_rcv()
 *
 * Return: as for t_rcv(). XNS Issue 5, t_rcvv().
 */
int t_rcvv(int fd, struct t_iovec *iov, unsigned int iovcount, int *flags)
{
	struct endpoint *ep;
	struct vector v;
	void *data;
	int error, ret;

	error = endpoint_get(fd, &ep);
	if (!error)
		error = vector_check(&v, iov, iovcount);
	if (error)
		return endpoint_result(ep, error);
	endpoint_put(ep);
	if (v.size > TPI_DATA_MAX)
		v.size = TPI_DATA_MAX;
	data = vector_room(&v, v.size);
	if (!data && v.size)
		return xti_result(xti_system(ENOMEM));
	pthread_cleanup_push(vector_cleanup, &v);
	ret = receive_into(fd, data, v.size, flags);
	if (ret > 0)
		vector_scatter(&v, data, ret);
	pthread_cleanup_pop(1);
	return ret;
}
