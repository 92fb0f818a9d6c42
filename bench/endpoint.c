// SPDX-License-Identifier: GPL-2.0-only
/* Endpoints of XTI, bound to ports of the loopback address */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"

_Noreturn void xti_err(const char *what)
{
	if (t_errno == TSYSERR)
		err(1, "%s", what);
	errx(1, "%s: %s", what, t_strerror(t_errno));
}

static bool bind_endpoint(int fd, struct sockaddr_in *sin, unsigned int qlen)
{
	struct t_bind wanted = {
		.addr = { .len = sizeof(*sin), .buf = sin },
		.qlen = qlen,
	};
	struct sockaddr_in got;
	struct t_bind bound = {
		.addr = { .maxlen = sizeof(got), .buf = &got },
	};

	if (t_bind(fd, &wanted, &bound)) {
		if (t_errno == TADDRBUSY)
			return false;
		xti_err("t_bind");
	}
	if (bound.qlen != qlen)
		errx(1, "t_bind: a queue of %u connections, not %u", bound.qlen, qlen);
	*sin = got;
	return true;
}

int open_endpoint(const char *device)
{
	int fd;

	/* The driver is measured, unless the caller asks for XTI_PROVIDER=sockets. */
	setenv("XTI_PROVIDER", "streams", 0);
	fd = t_open(device, O_RDWR, NULL);
	if (fd < 0 && t_errno == TBADNAME)
		errno = ENOENT;
	else if (fd < 0 && t_errno != TSYSERR)
		xti_err(device);
	return fd;
}

int bound_endpoint(const char *device, struct sockaddr_in *sin, unsigned int qlen)
{
	int fd = open_endpoint(device);

	if (fd < 0)
		return -1;
	if (!bind_endpoint(fd, sin, qlen)) {
		*sin = any_port;
		if (!bind_endpoint(fd, sin, qlen))
			errx(1, "%s: the provider finds no port to bind", device);
	}
	return fd;
}

void close_endpoints(struct channel *c)
{
	if (t_close(c->tx) || t_close(c->rx))
		xti_err("t_close");
}
