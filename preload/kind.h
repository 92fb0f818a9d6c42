/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kind.h - the sockets that may be on STREAMS
 */
#ifndef STRSOCK_KIND_H
#define STRSOCK_KIND_H

#include <netinet/in.h>
#include <sys/socket.h>

enum inet_kind {
	INET_NONE,		/* others */
	INET_UDP,
	INET_UDP6,
	INET_TCP,
	INET_TCP6,
	INET_KINDS
};

/**
 * inet_kind - may a socket be on STREAMS, and what is it then?
 * @domain: as for socket()
 * @type: SOCK_NONBLOCK and SOCK_CLOEXEC may be added
 * @protocol: as for socket()
 *
 * Return: the kind.
 */
static inline enum inet_kind inet_kind(int domain, int type, int protocol)
{
	type &= ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (type == SOCK_DGRAM && (protocol == 0 || protocol == IPPROTO_UDP)) {
		if (domain == AF_INET)
			return INET_UDP;
		if (domain == AF_INET6)
			return INET_UDP6;
	}
	if (type == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP)) {
		if (domain == AF_INET)
			return INET_TCP;
		if (domain == AF_INET6)
			return INET_TCP6;
	}
	return INET_NONE;
}

#endif /* STRSOCK_KIND_H */
