// SPDX-License-Identifier: GPL-2.0-only
/*
 * libsocket.c - a program of sockets, linked with -lsocket
 *
 * Its twin libsocket-native has the C library's functions; both print the same.
 *
 *	libsocket symbols		the libraries that socket() and socketpair() are from
 *	libsocket server		echoes datagrams, prints its port first
 *	libsocket client PORT COUNT	sends COUNT datagrams, and gets them back
 *	libsocket pair			what socketpair() gives
 *	libsocket make			one UDP socket
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define LARGEST 1400

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerrorname_np(errno));
	exit(1);
}

static void symbol(const char *name)
{
	void *function = dlsym(RTLD_DEFAULT, name);
	Dl_info info;

	if (!function || !dladdr(function, &info))
		exit(1);
	printf("%s %s\n", name, strrchr(info.dli_fname, '/') + 1);
}

static int udp(void)
{
	struct timeval limit = { .tv_sec = 60 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		fail("socket");
	/* A limit turns a hang of the test into an error. */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

/* Serves until an empty datagram comes. */
static void server(void)
{
	struct sockaddr_in name = loopback(0);
	socklen_t len = sizeof(name);
	char data[LARGEST];
	int fd = udp();
	ssize_t n;

	if (bind(fd, (struct sockaddr *)&name, sizeof(name)) ||
	    getsockname(fd, (struct sockaddr *)&name, &len))
		fail("bind");
	printf("%d\n", ntohs(name.sin_port));
	do {
		len = sizeof(name);
		n = recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&name, &len);
		if (n < 0 ||
		    sendto(fd, data, n, 0, (struct sockaddr *)&name, len) != n)
			fail("echo");
	} while (n);
}

static void client(int port, int count)
{
	struct sockaddr_in name = loopback(port);
	unsigned char sent[LARGEST], data[LARGEST + 1];
	int fd = udp(), i, k;

	if (connect(fd, (struct sockaddr *)&name, sizeof(name)))
		fail("connect");
	for (i = 0; i <= count; i++) {
		/* The last datagram is empty, and ends the server. */
		size_t size = i == count ? 0 : 1 + i * 37 % LARGEST;

		for (k = 0; k < (int)size; k++)
			sent[k] = i + k * 7;
		if (send(fd, sent, size, 0) != (ssize_t)size)
			fail("send");
		if (recv(fd, data, sizeof(data), 0) != (ssize_t)size)
			fail("recv");
		if (memcmp(sent, data, size)) {
			printf("datagram %d came back changed\n", i);
			exit(1);
		}
	}
	printf("%d datagrams came back\n", count);
}

static void pair(int domain, int type, int protocol)
{
	int fds[2] = { -1, -1 }, end, value = -1;
	socklen_t len = sizeof(value);
	struct sockaddr_storage name;
	struct ucred peer;
	struct stat st;
	char c = '?';

	errno = EXDEV;
	printf("socketpair(%d, %#x, %d): ", domain, type, protocol);
	if (socketpair(domain, type, protocol, fds)) {
		printf("%s %d %d\n", strerrorname_np(errno), fds[0], fds[1]);
		return;
	}
	printf("%d %d errno %s", fds[0], fds[1], strerrorname_np(errno));
	for (end = 0; end < 2; end++) {
		fstat(fds[end], &st);
		getsockopt(fds[end], SOL_SOCKET, SO_TYPE, &value, &len);
		printf(", mode %#o type %d", st.st_mode & S_IFMT, value);
		len = sizeof(name);
		printf(" name %d", getsockname(fds[end], (struct sockaddr *)&name, &len));
		len = sizeof(peer);
		printf(" peer %d", getsockopt(fds[end], SOL_SOCKET, SO_PEERCRED, &peer,
					      &len) || peer.pid != getpid());
		printf(" sent %zd", send(fds[end], "x", 1, 0));
		printf(" received %zd", recv(fds[!end], &c, 1, 0));
		printf(" %c", c);
	}
	printf(" shutdown %d", shutdown(fds[0], SHUT_WR));
	printf(" end %zd\n", recv(fds[1], &c, 1, MSG_DONTWAIT));
	close(fds[0]);
	close(fds[1]);
}

static void pairs(void)
{
	int fds[2];

	pair(AF_UNIX, SOCK_STREAM, 0);
	pair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	pair(AF_UNIX, SOCK_DGRAM, 0);
	pair(AF_UNIX, SOCK_SEQPACKET, 0);
	pair(AF_UNIX, SOCK_STREAM, 17);
	pair(AF_INET, SOCK_DGRAM, 0);
	pair(AF_INET, SOCK_STREAM, 0);
	pair(-1, SOCK_STREAM, 0);
	errno = 0;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)-1L))
		printf("bad address: %s\n", strerrorname_np(errno));
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		printf("then %d %d\n", fds[0], fds[1]);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	close_range(3, ~0U, 0);
	if (!strcmp(what, "symbols")) {
		symbol("socket");
		symbol("socketpair");
	} else if (!strcmp(what, "server")) {
		server();
	} else if (!strcmp(what, "client") && argc == 4) {
		client(atoi(argv[2]), atoi(argv[3]));
	} else if (!strcmp(what, "pair")) {
		pairs();
	} else if (!strcmp(what, "make")) {
		close(udp());
	} else {
		fprintf(stderr, "usage: libsocket symbols|server|client PORT COUNT|pair|make\n");
		return 2;
	}
	return 0;
}
