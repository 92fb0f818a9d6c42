// SPDX-License-Identifier: LGPL-2.1-or-later
/* Making a transport endpoint and closing it: t_open(), t_close() */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "core/info.h"
#include "core/state.h"
#include "core/wait.h"
#include "sock/provider.h"
#include "stream/stream.h"
#include "attach.h"
#include "sync.h"

#define DEV		"/dev/"
#define DEV_STREAMS	"/dev/streams/"

/*
 * Opens a file. System V has its providers in /dev: "/dev/udp" is
 * /dev/streams/udp here, if no file has that name.
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

/* Returns the provider's name below /dev, or "". */
static const char *provider_name(const char *name)
{
	if (!strncmp(name, DEV_STREAMS, strlen(DEV_STREAMS)))
		return name + strlen(DEV_STREAMS);
	return strncmp(name, DEV, strlen(DEV)) ? "" : name + strlen(DEV);
}

/* XTI_PROVIDER says whether a provider may be the kernel's or this library's. */
static void read_allowed(bool *streams, bool *sockets)
{
	const char *which = secure_getenv("XTI_PROVIDER");

	*streams = !which || strcmp(which, "sockets");
	*sockets = !which || strcmp(which, "streams");
}

/* Returns by errno whether the name is not a provider's. */
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

static int open_stream(const char *name, int oflag, int *fd)
{
	int saved;

	*fd = open_name(name, oflag);
	if (*fd < 0)
		return open_error();
	if (isastream(*fd) == 1)
		return 0;
	saved = errno;
	close(*fd);
	errno = saved;
	return TBADNAME;
}

/*
 * Opens the driver if it exists, or else the provider made of the kernel's
 * sockets.
 */
static int open_provider(const char *name, int oflag, int *fd)
{
	bool streams, sockets;
	int error = TBADNAME, saved, cancel;

	read_allowed(&streams, &sockets);
	if (streams)
		error = open_stream(name, oflag, fd);
	else
		errno = ENOENT;
	if (error != TBADNAME || !sockets)
		return error;
	saved = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = sock_open_provider(provider_name(name), oflag, fd);
	pthread_setcancelstate(cancel, &cancel);
	if (error == TBADNAME)
		errno = saved;
	return error;
}

/*
 * Returns whether the file does not answer as a provider does; t_sync() has the
 * same test.
 */
static bool is_no_answer(int error)
{
	return error == TSYSERR &&
	       (errno == ETIME || errno == EINVAL || errno == ERANGE);
}

static int set_up_endpoint(struct endpoint *ep)
{
	int error, current, state;

	lock_take(&ep->in);
	error = attach_carrier(ep);
	if (!error && ep->carrier == &stream_carrier)
		error = stream_push_timod(ep);
	if (!error)
		error = info_fetch(ep, TI_GETINFO, &current);
	if (!error)
		error = sync_derive_state(ep, current, &state);
	if (!error)
		state_set(ep, state);
	lock_drop(&ep->in);
	return error;
}

static bool check_flags(int oflag)
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

	if (!check_flags(oflag))
		return xti_result(TBADFLAG);
	if (!name || !*name)
		return xti_result(TBADNAME);
	error = open_provider(name, oflag, &fd);
	if (error)
		return xti_result(error);
	error = endpoint_create(fd, &ep);
	if (!error)
		error = set_up_endpoint(ep);
	if (ep && is_no_answer(error))
		error = TBADNAME;
	if (!error && info)
		*info = ep->info;
	if (error && ep)
		endpoint_forget(ep);
	if (error) {
		saved = errno;
		/* A thread that is cancelled in close() would leave the file open. */
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		/*
		 * The flag keeps close() from waiting for a request that the stream did
		 * not answer.
		 */
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
 * A connection is aborted unless another process has the endpoint open.
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
	/*
	 * A thread cancelled between the two calls would leave the descriptor
	 * open and unknown.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	/*
	 * The entry is removed first: another thread may be given the number as soon as
	 * it is free.
	 */
	endpoint_forget(ep);
	/* A thread that waits for an event would keep the file open. */
	if (endpoint_shared(ep, 1))
		endpoint_wake(ep);
	lock_take(&ep->number);
	if (close(fd))
		error = errno == EBADF ? TBADF : TSYSERR;
	lock_drop(&ep->number);
	pthread_setcancelstate(cancel, &old);
	return endpoint_result(ep, error);
}
