// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * socket.c - socket(), UDP and TCP on STREAMS
 */
#include <errno.h>
#include <sys/socket.h>

#include "hooks.h"
#include "inet.h"
#include "kind.h"
#include "policy.h"
#include "push.h"
#include "sys.h"

/* Makes a STREAMS socket, with the modules for sockets of its kind. */
static int make_streams(enum inet_kind kind, int domain, int type, int protocol)
{
	int fd = inet_streams(domain, type, protocol), err;

	err = fd < 0 ? 0 : push_modules("socket", fd, strsock_policy.push[kind]);
	if (!err)
		return fd;
	sys_call(SYS_close, fd, 0, 0, 0);
	errno = err;
	return -1;
}

/**
 * socket - create an endpoint for communication
 * @domain: AF_INET or AF_INET6 for a STREAMS socket
 * @type: SOCK_DGRAM or SOCK_STREAM for a STREAMS socket; SOCK_NONBLOCK and
 *	SOCK_CLOEXEC may be added
 * @protocol: 0, or IPPROTO_UDP or IPPROTO_TCP, for a STREAMS socket
 *
 * POSIX.1-2017 socket(). Any other arguments give a native socket.
 *
 * Return: a descriptor, or -1 with errno set as socket(2) does; ENXIO if
 * STREAMS is required and absent, or a module cannot be pushed.
 */
HOOK int socket(int domain, int type, int protocol)
{
	enum inet_kind kind = inet_kind(domain, type, protocol);

	if (strsock_policy.socket[kind])
		return make_streams(kind, domain, type, protocol);
	return inet_native(domain, type, protocol);
}
