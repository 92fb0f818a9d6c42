// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests that are acknowledged: timod's ioctls, or the primitives themselves */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libstreams/strio.h"
#include "core/put.h"
#include "core/receive.h"
#include "message.h"
#include "request.h"

#define ACK_MAX		TI_ANSWER_MAX	/* bytes */
#define ACK_SECONDS	15	/* how long a provider may take for a request */

/*
 * A sheltered thread has a request that pthread_cancel() does not interrupt. A
 * signal may interrupt the wait for room but not, once the request is sent, the
 * wait for its answer.
 */
struct sheltered {
	sigset_t mask;
	int cancel;
};

static void shelter_thread(struct sheltered *s)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &s->cancel);
	pthread_sigmask(SIG_SETMASK, NULL, &s->mask);
}

static void hold_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void unshelter_thread(const struct sheltered *s)
{
	int saved = errno, old;

	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
	pthread_setcancelstate(s->cancel, &old);
	errno = saved;
}

/* Returns a provider's error, however it was reported. */
static int provider_error(int tli, int unix_error)
{
	/* TSYSERR with an errno of 0 would look like success. */
	if (tli == TSYSERR)
		return xti_system(unix_error > 0 ? unix_error : EPROTO);
	return tli > 0 && tli <= TPROTO ? tli : TPROTO;
}

/*
 * Makes a request by timod. Returns 0, an error, or -1 when no module or driver
 * answers that ioctl.
 */
static int request_by_timod(struct endpoint *ep, const struct put *put, int cmd,
			    struct tpi_msg *ack)
{
	struct strioctl ioc = {
		.ic_cmd = cmd,
		.ic_timout = ACK_SECONDS,
		.ic_len = put->len,
	};
	int ret;

	ack->heap = malloc(ACK_MAX);
	if (!ack->heap)
		return xti_system(ENOMEM);
	ioc.ic_dp = ack->heap;
	memcpy(ack->heap, put->prim, put->len);
	ret = ioctl(ep->fd, I_STR, &ioc);
	if (ret < 0 && errno == EINVAL) {
		/* Another process has popped timod, or timod does not know this ioctl. */
		if (ioctl(ep->fd, I_FIND, "timod") != 1)
			atomic_store(&ep->timod, false);
		return -1;
	}
	if (ret < 0)
		return xti_stream(TSYSERR);
	if (ret)
		return provider_error(ret & 0xff, ret >> 8 & 0xff);
	ack->prim = ack->heap;
	ack->len = ioc.ic_len;
	return 0;
}

/* Returns the milliseconds of CLOCK_MONOTONIC. */
static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Returns the end of the time limit of a request that begins now. */
static long long make_deadline(void)
{
	return now_ms() + ACK_SECONDS * 1000;
}

/* Waits for the stream; returns 0, or TSYSERR with ETIME. */
static int wait_for_stream(struct endpoint *ep, int events, long long until)
{
	struct pollfd p = { .fd = ep->fd, .events = events };
	long long left = until - now_ms();
	int ready;

	/*
	 * The time also ends when messages keep arriving and none of them is
	 * the answer.
	 */
	if (left <= 0)
		return xti_system(ETIME);
	ready = poll(&p, 1, left);
	if (ready < 0)
		return TSYSERR;
	if (!ready)
		return xti_system(ETIME);
	if (p.revents & POLLNVAL)
		return TBADF;
	if (p.revents & POLLHUP && !(p.revents & (events | POLLERR)))
		return xti_system(ENXIO);
	return 0;
}

/*
 * Removes a message that would be in the answer's way. A stream holds one
 * message of high priority: an answer left by a killed process would cause the
 * one to this request to be dropped.
 */
static int remove_stale_ack(struct endpoint *ep)
{
	int type;

	return tpi_peek_type(ep, &type);
}

/* Sends a T_CONN_RES that names an endpoint, which the kernel has to identify. */
static int put_identity(struct endpoint *ep, const struct tpi_req *req,
			const struct strbuf *c, const struct strbuf *d)
{
	struct strfdinsert insert = {
		.ctlbuf = *c,
		.databuf = *d,
		.fildes = req->resfd,
		.offset = req->resfd_at,
	};

	return ioctl(ep->fd, I_FDINSERT, &insert);
}

/*
 * Sends a request if there is room, or fails with EAGAIN: a thread must not wait
 * for room in the kernel with locks held that others want.
 */
static int put_once(struct endpoint *ep, const struct tpi_req *req,
		    const struct strbuf *c, const struct strbuf *d, int band,
		    int flags)
{
	struct strio_msg msg = {
		.ctl = to_strio(c),
		.data = to_strio(d),
		.band = band,
		.flags = flags | STRIO_NOWAIT,
	};
	struct pollfd p = { .fd = ep->fd, .events = POLLOUT };

	if (!req->resfd_at)
		return strio_putmsg(ep->fd, &msg);
	if (poll(&p, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return put_identity(ep, req, c, d);
}

static int put_request(struct endpoint *ep, const struct tpi_req *req,
		       const struct put *put, long long until)
{
	struct strbuf c = { .len = put->len, .buf = (char *)put->prim };
	struct strbuf d = { .len = -1 };
	int flags = MSG_BAND, band = 0, error;

	if (req->data && req->data->len) {
		d.len = req->data->len;
		d.buf = (char *)req->data->buf;
	}
	switch (put->prim->type) {
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		/* The two requests are not in order with other messages. */
		flags = MSG_HIPRI;
		break;
	case T_DISCON_REQ:
		/*
		 * A primitive that ends a connection does not wait for room for
		 * its data.
		 */
		band = TPI_BAND_DISCON;
		break;
	}
	error = remove_stale_ack(ep);
	if (error)
		return error;
	while (put_once(ep, req, &c, &d, band, flags)) {
		if (errno != EAGAIN)
			return xti_stream(TSYSERR);
		error = wait_for_stream(ep, band ? POLLWRBAND : POLLOUT, until);
		if (error)
			return error;
	}
	return 0;
}

/*
 * Takes the next message of high priority. Returns TNODATA if another process
 * took it.
 */
static int take_ack(struct endpoint *ep, struct tpi_msg *ack, long long until)
{
	int error;

	if (!ack->heap)
		ack->heap = malloc(ACK_MAX);
	if (!ack->heap)
		return xti_system(ENOMEM);
	error = wait_for_stream(ep, POLLPRI, until);
	if (!error)
		error = stream_take_high(ep->fd, ack->heap, ACK_MAX, &ack->len);
	ack->prim = ack->heap;
	return error;
}

/*
 * Returns the result of a request by an answer of high priority: 0, an error, or
 * -1 when it answers another process's request; TPROTO when it is not an answer.
 */
static int judge_ack(const struct tpi_msg *ack, t_scalar_t request, int want)
{
	const union T_primitives *prim = ack->prim;

	if (!tpi_holds(ack, sizeof(prim->type)))
		return TPROTO;
	switch (prim->type) {
	case T_ERROR_ACK:
		if (!tpi_holds(ack, sizeof(prim->error_ack)))
			return TPROTO;
		if (prim->error_ack.ERROR_prim != request)
			return -1;
		return provider_error(prim->error_ack.TLI_error,
				      prim->error_ack.UNIX_error);
	case T_OK_ACK:
		if (!tpi_holds(ack, sizeof(prim->ok_ack)))
			return TPROTO;
		if (prim->ok_ack.CORRECT_prim != request)
			return -1;
		return want == T_OK_ACK ? 0 : TPROTO;
	default:
		return prim->type == want ? 0 : TPROTO;
	}
}

static int await_ack(struct endpoint *ep, t_scalar_t request, int want,
		     struct tpi_msg *ack, long long until)
{
	int error;

	do {
		error = take_ack(ep, ack, until);
		if (error == TNODATA)
			/* Another process of the stream took the answer first. */
			error = -1;
		else if (!error)
			error = judge_ack(ack, request, want);
	} while (error < 0);
	return error;
}

/*
 * Finds out why a request failed. The connection, or an indication, may have
 * ended or come while the request was on its way: the event that waits says so.
 */
static int explain_failure(struct endpoint *ep, t_scalar_t request, int error)
{
	bool alone = request == T_CONN_REQ || request == T_UNBIND_REQ;
	int type;

	if (error != TOUTSTATE && error != TBADSEQ)
		return error;
	if (tpi_peek_type(ep, &type))
		return error;
	return type == T_DISCON_IND || (alone && type == T_CONN_IND) ? TLOOK :
								       error;
}

int stream_request(struct endpoint *ep, const struct tpi_req *req,
		   struct tpi_msg *ack)
{
	long long until = make_deadline();
	struct sheltered s;
	struct put put;
	t_scalar_t type;
	int error;

	error = put_make(&put, req);
	if (error)
		return error;
	type = put.prim->type;
	shelter_thread(&s);
	error = -1;
	if (req->cmd && atomic_load(&ep->timod)) {
		hold_signals();
		error = request_by_timod(ep, &put, req->cmd, ack);
		if (!error) {
			error = judge_ack(ack, type, req->want);
			/*
			 * timod matches answers to requests, so an answer to another
			 * one is an error.
			 */
			if (error < 0)
				error = TPROTO;
		}
	}
	if (error < 0) {
		/* Sending may have to wait for room. */
		pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
		error = put_request(ep, req, &put, until);
		hold_signals();
		if (!error)
			error = await_ack(ep, type, req->want, ack, until);
	}
	if (!error && !tpi_holds(ack, req->least))
		error = TPROTO;
	error = explain_failure(ep, type, error);
	put_free(&put);
	unshelter_thread(&s);
	return error;
}
