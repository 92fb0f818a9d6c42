// SPDX-License-Identifier: LGPL-2.1-or-later
/* Datagrams: t_sndudata(), t_rcvudata(), their forms with vectors, t_rcvuderr() */
#include <stddef.h>
#include <string.h>

#include "core/event.h"
#include "core/options.h"
#include "core/put.h"
#include "core/receive.h"
#include "core/state.h"
#include "core/vector.h"
#include "sync.h"

/* Returns whether a provider with XTI options could not read these. */
static bool are_options_bad(const struct netbuf *opt)
{
	const char *at = opt->buf, *value;
	size_t left = opt->len;
	struct t_opthdr oh;
	int got;

	do {
		got = options_next(&at, &left, &oh, &value);
	} while (got > 0);
	return got < 0;
}

static bool is_longer(unsigned int len, t_scalar_t most)
{
	return most != T_INFINITE && (most < 0 || len > (unsigned int)most);
}

static int check_unitdata(const struct endpoint *ep, const struct netbuf *addr,
			  const struct netbuf *opt, size_t len)
{
	size_t room = TPI_CTL_MAX - sizeof(struct T_unitdata_req);

	if (!addr->len || is_longer(addr->len, ep->info.addr) || addr->len > room)
		return TBADADDR;
	if (opt->len && (is_longer(opt->len, ep->info.options) ||
			 opt->len > room - tpi_aligned(addr->len) ||
			 (ep->xti_options && are_options_bad(opt))))
		return TBADOPT;
	if (!len && !(ep->info.flags & T_SENDZERO))
		return TBADDATA;
	return len > TPI_DATA_MAX || is_longer(len, ep->info.tsdu) ? TBADDATA : 0;
}

static const struct tpi_terms sending = {
	.services = CLTS,
	.states = IN(T_IDLE),
	.events = T_UDERR,
	.usual = T_UNITDATA_IND,
};

/*
 * Sends a datagram with options, or to a long address. An empty datagram has a
 * data part too.
 */
static int send_with_options(struct endpoint *ep,
			     const struct t_unitdata *unitdata,
			     const void *data, size_t len)
{
	static const struct T_unitdata_req prim = { .PRIM_type = T_UNITDATA_REQ };
	const struct tpi_req req = {
		.prim = &prim,
		.size = sizeof(prim),
		.part = {
			{ &unitdata->addr,
			  offsetof(struct T_unitdata_req, DEST_length) },
			{ &unitdata->opt,
			  offsetof(struct T_unitdata_req, OPT_length) },
		},
	};

	return tpi_send(ep, &req, &sending, data, len, 0);
}

static int send_unitdata(struct endpoint *ep, const struct t_unitdata *unitdata,
			 const void *data, size_t len)
{
	const struct netbuf *addr = &unitdata->addr;
	struct {
		struct T_unitdata_req req;
		char addr[64];
	} small;
	int error;

	error = check_unitdata(ep, addr, &unitdata->opt, len);
	if (error)
		return error;
	if (!data)
		data = "";
	if (unitdata->opt.len || addr->len > sizeof(small.addr)) {
		error = send_with_options(ep, unitdata, data, len);
	} else {
		small.req = (struct T_unitdata_req){
			.PRIM_type = T_UNITDATA_REQ,
			.DEST_length = addr->len,
			.DEST_offset = sizeof(small.req),
		};
		tpi_copy_bytes(small.addr, addr->buf, addr->len);
		error = tpi_send_made(ep, &small,
				      sizeof(small.req) + addr->len, &sending,
				      data, len, 0);
	}
	event_note_sent(ep, T_GODATA, error);
	return error;
}

/**
 * t_sndudata() - send a datagram
 * @fd: the endpoint, in state T_IDLE
 * @unitdata: where to, options or none, and the data
 *
 * Return: 0 or -1. XNS Issue 5, t_sndudata().
 */
int t_sndudata(int fd, const struct t_unitdata *unitdata)
{
	struct endpoint *ep;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (!error)
		error = state_check(ep, CLTS, IN(T_IDLE));
	if (!error)
		error = send_unitdata(ep, unitdata, unitdata->udata.buf,
				      unitdata->udata.len);
	return endpoint_result(ep, error);
}

/**
 * t_sndvudata() - send a datagram whose data is in several places
 * @fd: the endpoint, in state T_IDLE
 * @unitdata: where to, and options or none; udata is not looked at
 * @iov: where the data is
 * @iovcount: how many, 1 to T_IOV_MAX
 *
 * Return: 0 or -1. XNS Issue 5, t_sndvudata().
 */
int t_sndvudata(int fd, struct t_unitdata *unitdata, struct t_iovec *iov,
		unsigned int iovcount)
{
	struct vector v = {};
	struct endpoint *ep;
	void *data = NULL;
	int error;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (!error)
		error = state_check(ep, CLTS, IN(T_IDLE));
	if (!error)
		error = vector_check(&v, iov, iovcount);
	if (!error && v.size > TPI_DATA_MAX)
		error = TBADDATA;
	if (!error) {
		data = vector_gather(&v, 0, v.size);
		if (!data)
			error = v.size ? xti_system(ENOMEM) : 0;
	}
	if (!error)
		error = send_unitdata(ep, unitdata, data, v.size);
	vector_free(&v);
	return endpoint_result(ep, error);
}

/*
 * Stores the sender and the options, which come only with the first part of a
 * datagram.
 */
static int copy_sender(const struct tpi_msg *msg, struct t_unitdata *unitdata)
{
	const struct T_unitdata_ind *ind = &msg->prim->unitdata_ind;
	int error;

	if (msg->len < 0) {
		unitdata->addr.len = 0;
		unitdata->opt.len = 0;
		return 0;
	}
	if (!tpi_holds(msg, sizeof(*ind)) || ind->PRIM_type != T_UNITDATA_IND)
		return TPROTO;
	error = tpi_copy_part(msg, ind->SRC_offset, ind->SRC_length,
			      &unitdata->addr);
	if (!error)
		error = tpi_copy_part(msg, ind->OPT_offset, ind->OPT_length,
				      &unitdata->opt);
	return error;
}

/* Receives a datagram for a caller that holds "in"; len is set to the bytes received. */
static int receive_datagram(struct endpoint *ep, struct t_unitdata *unitdata, void *data,
			    size_t size, size_t *len, int *flags)
{
	struct tpi_msg msg;
	int error, type;

	error = state_check(ep, CLTS, IN(T_IDLE));
	if (error)
		return error;
	/* The most frequent type is assumed without a look. */
	type = ep->rest[TSDU_NORMAL].left ? TPI_DATA : T_UNITDATA_IND;
	error = tpi_take_message(ep, type, &msg, data, size);
	while (error == TNODATA) {
		error = tpi_await_type(ep, IN(T_IDLE), &type);
		if (error)
			return error;
		if (type == T_UDERROR_IND)
			return TLOOK;
		if (type != TPI_DATA && type != T_UNITDATA_IND)
			return TPROTO;
		error = tpi_take_message(ep, type, &msg, data, size);
	}
	if (!error)
		error = copy_sender(&msg, unitdata);
	if (error) {
		/* The rest of the datagram is dropped as well. */
		tpi_drop_rest(ep, &msg);
	} else {
		*len = msg.data_len;
		if (flags)
			*flags = msg.more ? T_MORE : 0;
	}
	ep->rest[TSDU_NORMAL].left = msg.more;
	tpi_free(&msg);
	return error;
}

/**
 * t_rcvudata() - receive a datagram, or its next part
 * @fd: the endpoint, in state T_IDLE
 * @unitdata: set to where it came from, options and data
 * @flags: set to T_MORE when there was no room for all of the data, else 0
 *
 * Return: 0 or -1; with TBUFOVFLW the datagram is lost. XNS Issue 5,
 * t_rcvudata().
 */
int t_rcvudata(int fd, struct t_unitdata *unitdata, int *flags)
{
	struct endpoint *ep;
	size_t len = 0;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = receive_datagram(ep, unitdata, unitdata->udata.buf,
				 unitdata->udata.maxlen, &len, flags);
	lock_drop(&ep->in);
	if (!error)
		unitdata->udata.len = len;
	return endpoint_result(ep, error);
}

/**
 * t_rcvvudata() - receive a datagram in several places
 * @fd: the endpoint, in state T_IDLE
 * @unitdata: set to where it came from and options; udata is not looked at
 * @iov: where to store the data
 * @iovcount: how many, 1 to T_IOV_MAX
 * @flags: as for t_rcvudata()
 *
 * Return: how many bytes were received, or -1. XNS Issue 5, t_rcvvudata().
 */
int t_rcvvudata(int fd, struct t_unitdata *unitdata, struct t_iovec *iov,
		unsigned int iovcount, int *flags)
{
	struct vector v = {};
	struct endpoint *ep;
	void *data = NULL;
	size_t len = 0;
	int error;

	error = endpoint_get(fd, &ep);
	if (!error)
		error = vector_check(&v, iov, iovcount);
	if (error)
		return endpoint_result(ep, error);
	/* No datagram is larger than a message. */
	if (v.size > TPI_DATA_MAX)
		v.size = TPI_DATA_MAX;
	data = vector_room(&v, v.size);
	if (!data && v.size)
		return endpoint_result(ep, xti_system(ENOMEM));
	pthread_cleanup_push(vector_cleanup, &v);
	lock_take(&ep->in);
	error = receive_datagram(ep, unitdata, data, v.size, &len, flags);
	lock_drop(&ep->in);
	if (!error)
		vector_scatter(&v, data, len);
	pthread_cleanup_pop(1);
	return endpoint_result(ep, error) ? -1 : (int)len;
}

static int receive_error(struct endpoint *ep, void *arg)
{
	struct t_uderr *uderr = arg;
	const struct T_uderror_ind *ind;
	struct tpi_msg msg;
	int error, type;

	error = state_check(ep, CLTS, IN(T_IDLE));
	if (!error)
		error = tpi_peek_type(ep, &type);
	if (!error && type != T_UDERROR_IND)
		error = TNOUDERR;
	if (error)
		return error;
	error = tpi_take_whole(ep, T_UDERROR_IND, &msg, NULL, sizeof(*ind));
	/* Another process took the indication first. */
	if (error == TNODATA)
		return TNOUDERR;
	if (!error && uderr) {
		ind = &msg.prim->uderror_ind;
		uderr->error = ind->ERROR_type;
		error = tpi_copy_part(&msg, ind->DEST_offset, ind->DEST_length,
				      &uderr->addr);
		if (!error)
			error = tpi_copy_part(&msg, ind->OPT_offset, ind->OPT_length,
					      &uderr->opt);
	}
	tpi_free(&msg);
	return error;
}

/**
 * t_rcvuderr() - the error of a datagram that could not be delivered
 * @fd: the endpoint, in state T_IDLE
 * @uderr: set to its destination, options, and the error; NULL: the indication is
 *	only dropped
 *
 * Return: 0 or -1. XNS Issue 5, t_rcvuderr().
 */
int t_rcvuderr(int fd, struct t_uderr *uderr)
{
	return endpoint_act(fd, receive_error, uderr);
}
