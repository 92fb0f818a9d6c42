/* SPDX-License-Identifier: GPL-2.0-only */
/* tcp-same.h - programs whose output is the same on every TCP socket */
#ifndef TCP_SAME_H
#define TCP_SAME_H

#include "udp-same.h"

#include <netinet/tcp.h>

static inline int stream_of(int proto, int flags)
{
	const char *module = getenv("STRSOCK_TEST_PUSH");
	int fd = socket(spelling == AS_INET ? AF_INET : AF_INET6,
			SOCK_STREAM | SOCK_CLOEXEC | flags, proto);

	TRUE(fd >= 0);
	/* The STREAMS socket has a module, and those that it accepts have it too. */
	if (module && proto == IPPROTO_STREAMS)
		TRUE(!ioctl(fd, I_PUSH, module));
	return fd;
}

/*
 * Makes a connection: [0] is the socket tested, [1] its peer; either may be the
 * one that connects.
 */
static inline void connected(int fds[2], bool asks)
{
	int listener = stream_of(asks ? proto_b : proto_a, 0);
	int client = stream_of(asks ? proto_a : proto_b, 0);
	struct sockaddr_in sin = bind_local(listener);

	TRUE(!listen(listener, 1));
	TRUE(!connect_in(client, sin));
	fds[asks] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	TRUE(fds[asks] >= 0);
	fds[!asks] = client;
	close(listener);
}

#endif /* TCP_SAME_H */
