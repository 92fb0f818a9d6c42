// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * socket.c - socket(), UDP and TCP on STREAMS
 */
#include <sys/socket.h>

#include "hooks.h"
#include "inet.h"
#include "kind.h"
#include "policy.h"

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
 * STREAMS is required and absent.
 */
HOOK int socket(int domain, int type, int protocol)
{
	if (strsock_policy.socket[inet_kind(domain, type, protocol)])
		return inet_streams(domain, type, protocol);
	return inet_native(domain, type, protocol);
}
