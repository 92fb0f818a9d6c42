// SPDX-License-Identifier: LGPL-2.1-or-later
/* Endpoints that this process knows, and those that another left to it: t_sync(), t_getstate() */
#include <fcntl.h>
#include <stropts.h>
#include <string.h>

#include "core/info.h"
#include "core/receive.h"
#include "core/state.h"
#include "attach.h"
#include "sync.h"

/*
 * Derives the user's state from the provider's. A provider is ahead of its user
 * by the messages that wait: an event that the user has not seen has not
 * happened to the user yet. Only the first message can be looked at. If that
 * leaves the user's state open, known gives it.
 */
static int derive_behind(int current, int front, int known)
{
	bool data = front == T_DATA_IND || front == T_EXDATA_IND ||
		    front == T_OPTDATA_IND || front == TPI_DATA;

	if (front == T_CONN_CON)
		return T_OUTCON;
	switch (current) {
	case TS_UNBND:
		return T_UNBND;
	case TS_IDLE:
		if (front == T_DISCON_IND)
			return known > T_IDLE ? known : T_DATAXFER;
		return data || front == T_ORDREL_IND ? T_OUTREL : T_IDLE;
	case TS_WCON_CREQ:
		return T_OUTCON;
	case TS_WRES_CIND:
		return front == T_CONN_IND && known != T_INCON ? T_IDLE : T_INCON;
	case TS_DATA_XFER:
		return T_DATAXFER;
	case TS_WIND_ORDREL:
		return T_OUTREL;
	case TS_WREQ_ORDREL:
		return data || front == T_ORDREL_IND ? T_DATAXFER : T_INREL;
	default:
		return T_UNINIT;
	}
}

int sync_derive_state(struct endpoint *ep, int current, int *state)
{
	int front = TPI_NONE, error = 0;

	/* Providers of datagrams have no states of connections. */
	if (ep->info.servtype == T_CLTS) {
		*state = current == TS_UNBND ? T_UNBND :
			 current == TS_IDLE ? T_IDLE : T_UNINIT;
	} else {
		error = tpi_peek_type(ep, &front);
		*state = derive_behind(current, front, state_now(ep));
	}
	if (!error && *state == T_UNINIT)
		error = (unsigned int)current < TS_NOSTATES ? TSTATECHNG : TPROTO;
	return error;
}

/*
 * Returns whether the first message is the rest of one, or may have come before
 * a rest.
 */
static bool may_hide_rest(int front)
{
	return front == TPI_DATA || front == T_EXDATA_IND ||
	       front == T_OPTDATA_IND;
}

static int learn_state(struct endpoint *ep)
{
	int error, current, state, known, front;

	known = state_now(ep);
	error = attach_carrier(ep);
	if (!error)
		error = info_fetch(ep, TI_SYNC, &current);
	if (!error)
		error = sync_derive_state(ep, current, &state);
	if (!error) {
		/* The part of a TSDU that was sent ended with its connection. */
		if (state < T_DATAXFER)
			atomic_fetch_add(&ep->connections, 1);
		state_set(ep, state);
		/* Another process has read the data that was there. */
		if (!tpi_peek_type(ep, &front) && !may_hide_rest(front))
			memset(ep->rest, 0, sizeof(ep->rest));
		/*
		 * The process that listened may know better how many indications there
		 * are.
		 */
		if (state != T_INCON)
			ep->ocnt = 0;
		else if (!ep->ocnt)
			ep->ocnt = 1;
		if (state == T_UNBND)
			ep->qlen = 0;
		else if (known == T_UNINIT || known == T_UNBND ||
			 (state == T_INCON && !ep->qlen))
			/* Another process has bound the endpoint. */
			ep->qlen = QLEN_UNKNOWN;
	}
	return error;
}

static int sync_endpoint(struct endpoint *ep, bool fresh)
{
	int error;

	lock_take(&ep->in);
	/*
	 * The lock keeps the state from being one found before another thread's
	 * t_sndrel().
	 */
	lock_take(&ep->gate);
	/*
	 * The thread that made the entry may have found that the descriptor is not an
	 * endpoint.
	 */
	error = atomic_load(&ep->closed) ? TBADF : learn_state(ep);
	if (error && fresh)
		endpoint_forget(ep);
	lock_drop(&ep->gate);
	lock_drop(&ep->in);
	return error;
}

/* Stores the endpoint, with a reference, on success, and NULL otherwise. */
static int sync_descriptor(int fd, struct endpoint **ep)
{
	bool fresh;
	int error;

	*ep = NULL;
	if (fcntl(fd, F_GETFD) < 0)
		return TBADF;
	/* Another thread may obtain the same endpoint. */
	error = endpoint_obtain(fd, ep, &fresh);
	if (error)
		return error;
	error = sync_endpoint(*ep, fresh);
	/* These errors mean that the stream does not answer as a provider does. */
	if (error == TSYSERR && fresh &&
	    (errno == ETIME || errno == EINVAL || errno == ERANGE))
		error = TBADF;
	if (error) {
		endpoint_put(*ep);
		*ep = NULL;
	}
	return error;
}

/*
 * Registers an inherited endpoint. A stream without timod, which t_open()
 * pushes, is not asked: it may be a pipe, whose reader is not to receive a
 * request for a provider.
 */
int endpoint_inherit(int fd, struct endpoint **ep)
{
	int saved = errno, error = TBADF;

	*ep = NULL;
	if (isastream(fd) != 1 || ioctl(fd, I_FIND, "timod") == 1)
		error = sync_descriptor(fd, ep);
	if (error == TBADF)
		errno = saved;
	return error;
}

int endpoint_act(int fd, int (*act)(struct endpoint *ep, void *arg), void *arg)
{
	struct endpoint *ep;
	int error;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = act(ep, arg);
	lock_drop(&ep->in);
	return endpoint_result(ep, error);
}

/**
 * t_getstate() - the state of an endpoint
 * @fd: the endpoint
 *
 * Return: T_UNBND ... T_INREL, or -1. XNS Issue 5, t_getstate().
 */
int t_getstate(int fd)
{
	struct endpoint *ep;
	int error, state;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	state = state_now(ep);
	endpoint_put(ep);
	return state;
}

/**
 * t_sync() - synchronise the library with an endpoint's provider
 * @fd: a descriptor of a transport provider: from another process, open(),
 *	dup(), or of this process and used by another meanwhile
 *
 * Return: the state, T_UNBND ... T_INREL, or -1. XNS Issue 5, t_sync().
 */
int t_sync(int fd)
{
	struct endpoint *ep;
	int error = sync_descriptor(fd, &ep), state;

	if (error)
		return xti_result(error);
	state = state_now(ep);
	endpoint_put(ep);
	return state;
}
