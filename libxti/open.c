// SPDX-License-Identifier: LGPL-2.1-or-later
/* Making a transport endpoint and closing it: t_open(), t_close() */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "state.h"
#include "stream.h"

#define DEV		"/dev/"
#define DEV_STREAMS	"/dev/streams/"

/*
 * System V has its providers in /dev, or right below: "/dev/udp", which is
 * /dev/streams/udp here.
 */
static int open_name(const char *name, int oflag)
{
	char path[sizeof(DEV_STREAMS) + 64];
	int fd = open(name, oflag), saved = errno;

	if (fd >= 0 || errno != ENOENT || strncmp(name, DEV, strlen(DEV)))
		return fd;
	if (snprintf(path, sizeof(path), DEV_STREAMS "%s",
		     name + strlen(DEV)) < (int)sizeof(path))
		fd = open(path, oflag);
	if (fd < 0)
		errno = saved;
	return fd;
}

/* Which errors say that the name is not a provider's. */
static int open_error(void)
{
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
	case ELOOP:
	case ENXIO:
	case ENODEV:
	case EISDIR:
		return TBADNAME;
	default:
		return TSYSERR;
	}
}

/* Nothing that answers as a provider does: t_sync() says so of the same. */
static bool no_answer(int error)
{
	return error == TSYSERR &&
	       (errno == ETIME || errno == EINVAL || errno == ERANGE);
}

static int set_up(struct endpoint *ep)
{
	int error, current, state;

	lock_take(&ep->in);
	error = endpoint_attach(ep);
	if (!error)
		error = stream_push_timod(ep);
	if (!error)
		error = info_fetch(ep, TI_GETINFO, &current);
	if (!error)
		error = state_derive(ep, current, &state);
	if (!error)
		state_set(ep, state);
	lock_drop(&ep->in);
	return error;
}

static bool flags_good(int oflag)
{
	return (oflag & O_ACCMODE) == O_RDWR &&
	       !(oflag & ~(O_ACCMODE | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

/**
 * t_open() - make a transport endpoint
 * @name: the provider's device, /dev/streams/udp; /dev/udp is the same, unless
 *	there is such a file
 * @oflag: O_RDWR, and O_NONBLOCK, O_CLOEXEC, O_NOCTTY
 * @info: set to the characteristics of the provider; or NULL
 *
 * Return: its descriptor, or -1. XNS Issue 5, t_open().
 */
int t_open(const char *name, int oflag, struct t_info *info)
{
	struct endpoint *ep = NULL;
	int fd, error, saved, cancel;

	if (!flags_good(oflag))
		return xti_result(TBADFLAG);
	if (!name || !*name)
		return xti_result(TBADNAME);
	fd = open_name(name, oflag);
	if (fd < 0)
		return xti_result(open_error());
	error = isastream(fd) == 1 ? endpoint_create(fd, &ep) : TBADNAME;
	if (!error)
		error = set_up(ep);
	if (ep && no_answer(error))
		error = TBADNAME;
	if (!error && info)
		*info = ep->info;
	if (error && ep)
		endpoint_forget(ep);
	if (error) {
		saved = errno;
		/* A thread that is cancelled there would not have closed it. */
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		/* Nor wait for what a stream does with what it did not answer. */
		fcntl(fd, F_SETFL, oflag | O_NONBLOCK);
		close(fd);
		pthread_setcancelstate(cancel, &cancel);
		errno = saved;
	}
	endpoint_put(ep);
	return error ? xti_result(error) : fd;
}

/**
 * t_close() - close a transport endpoint
 * @fd: the endpoint
 *
 * A connection is broken off when nobody else has the endpoint open.
 *
 * Return: 0 or -1. XNS Issue 5, t_close().
 */
int t_close(int fd)
{
	struct endpoint *ep;
	int error, cancel, old;

	pthread_testcancel();
	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	/* Not between the two: the descriptor would stay, and nobody knew it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	/* First: another thread may be given the number as soon as it is free. */
	endpoint_forget(ep);
	/* Who waits would keep it open. */
	if (endpoint_shared(ep, 1))
		tpi_wake(ep, false);
	if (close(fd))
		error = errno == EBADF ? TBADF : TSYSERR;
	pthread_setcancelstate(cancel, &old);
	return endpoint_result(ep, error);
}
