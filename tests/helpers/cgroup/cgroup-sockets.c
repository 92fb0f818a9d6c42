// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup-sockets.c - a statically linked program that exchanges messages with itself by UDP
 * and TCP, over IPv4 and IPv6
 *
 * No preload reaches it. Usage: cgroup-sockets [wait], which waits for a byte first.
 */
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGES	50

union name {
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr sa;
};

static int make(int domain, int type, union name *name)
{
	socklen_t len = domain == AF_INET ? sizeof(name->in) : sizeof(name->in6);
	int fd = socket(domain, type | SOCK_CLOEXEC, 0), protocol;

	memset(name, 0, sizeof(*name));
	name->sa.sa_family = domain;
	if (domain == AF_INET)
		name->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		name->in6.sin6_addr = in6addr_loopback;
	if (fd < 0 || bind(fd, &name->sa, len) || getsockname(fd, &name->sa, &len))
		err(1, "socket");
	len = sizeof(protocol);
	if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len))
		err(1, "SO_PROTOCOL");
	printf("domain %d type %d protocol %d", domain, type, protocol);
	return fd;
}

static void exchange(int from, int to)
{
	char sent[100], got[100];
	int i, sum = 0;
	ssize_t n;

	for (i = 0; i < MESSAGES; i++) {
		memset(sent, i, sizeof(sent));
		if (send(from, sent, sizeof(sent), 0) != sizeof(sent))
			err(1, "send");
		n = recv(to, got, sizeof(got), MSG_WAITALL);
		if (n != sizeof(got) || memcmp(sent, got, sizeof(got)))
			err(1, "recv");
		sum += got[0];
	}
	printf(", %d messages, sum %d\n", MESSAGES, sum);
}

static void datagrams(int domain)
{
	union name name, other;
	socklen_t len = domain == AF_INET ? sizeof(name.in) : sizeof(name.in6);
	int to = make(domain, SOCK_DGRAM, &name), from = make(domain, SOCK_DGRAM, &other);

	if (connect(from, &name.sa, len))
		err(1, "connect");
	exchange(from, to);
	close(from);
	close(to);
}

static void bytes(int domain)
{
	union name name, other;
	socklen_t len = domain == AF_INET ? sizeof(name.in) : sizeof(name.in6);
	int listener = make(domain, SOCK_STREAM, &name), from, to;

	if (listen(listener, 1))
		err(1, "listen");
	from = make(domain, SOCK_STREAM, &other);
	if (connect(from, &name.sa, len))
		err(1, "connect");
	to = accept(listener, NULL, NULL);
	if (to < 0)
		err(1, "accept");
	exchange(from, to);
	close(from);
	close(to);
	close(listener);
}

int main(int argc, char **argv)
{
	char c;

	if (argc > 1 && read(0, &c, 1) < 0)
		err(1, "read");
	datagrams(AF_INET);
	datagrams(AF_INET6);
	bytes(AF_INET);
	bytes(AF_INET6);
	return 0;
}
