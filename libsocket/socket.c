// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * socket.c - socket() and socketpair(), as libsocket has them
 *
 * Safe in signal handlers and vfork children: the table is looked through and
 * system calls are made.
 */
#include <errno.h>
#include <sys/socket.h>

#include "hooks.h"
#include "inet.h"
#include "policy.h"
#include "sock2path.h"
#include "sys.h"

/**
 * socket - create an endpoint for communication
 * @domain: the family, of which AF_INET and AF_INET6 have STREAMS sockets
 * @type: SOCK_NONBLOCK and SOCK_CLOEXEC may be added
 * @protocol: 0 for the usual one
 *
 * POSIX.1-2017 socket(). The table says whether it is a STREAMS socket.
 *
 * Return: a descriptor, or -1 with errno set as socket(2) does; ENXIO if
 * STREAMS is required and absent.
 */
HOOK int socket(int domain, int type, int protocol)
{
	int plain = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (strsock_policy.socket[sock2path_find(domain, plain, protocol)])
		return inet_streams(domain, type, protocol);
	return inet_native(domain, type, protocol);
}

/**
 * socketpair - create two endpoints that are connected
 * @domain: AF_UNIX
 * @type: as for socket()
 * @protocol: 0
 * @fds: receives the descriptors
 *
 * POSIX.1-2017 socketpair(). They are the kernel's own whatever the table says:
 * a STREAMS pipe, which System V makes here, is not a socket on Linux, and
 * getsockname(), send() or shutdown() would fail.
 *
 * Return: 0, or -1 with errno set as socketpair(2) does.
 */
HOOK int socketpair(int domain, int type, int protocol, int fds[2])
{
	long err = sys_call(SYS_socketpair, domain, type, protocol, (long)fds);

	if (!err)
		return 0;
	errno = -err;
	return -1;
}
