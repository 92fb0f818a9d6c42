/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inet.h - sockets, on STREAMS and native, for the hook and for libsocket
 */
#ifndef STRSOCK_INET_H
#define STRSOCK_INET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

/**
 * inet_is_udp - is it a socket that may be on STREAMS?
 * @domain: as for socket()
 * @type: SOCK_NONBLOCK and SOCK_CLOEXEC may be added
 * @protocol: as for socket()
 *
 * Return: whether it is.
 */
static inline bool inet_is_udp(int domain, int type, int protocol)
{
	return (domain == AF_INET || domain == AF_INET6) &&
	       (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_DGRAM &&
	       (protocol == 0 || protocol == IPPROTO_UDP);
}

int inet_streams(int domain, int type, int protocol);
int inet_native(int domain, int type, int protocol);

#endif /* STRSOCK_INET_H */
