// SPDX-License-Identifier: GPL-2.0-only
/* echo-server.c - sends every datagram back to where it came from, by XTI */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <xti.h>

#define PROVIDER	"/dev/streams/udp"

static void fail(const char *what)
{
	/* errno is why it could not be opened. */
	if (t_errno == TBADNAME && errno == ENOENT)
		fprintf(stderr, PROVIDER " is not there; run: modprobe strudp\n");
	t_error(what);
	exit(1);
}

/* Takes and reports the error of a datagram that was not delivered. */
static void attend(int fd)
{
	struct t_uderr error = { .addr.maxlen = 0 };

	if (t_look(fd) != T_UDERR || t_rcvuderr(fd, &error))
		fail("t_rcvuderr");
	fprintf(stderr, "a datagram was not delivered: error %d\n", error.error);
}

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct t_bind bind = { .addr = { sizeof(sin), sizeof(sin), &sin } };
	struct t_unitdata *u;
	int fd, flags;
	long port;

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	port = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	if (argc > 2 || port < 0 || port > 65535) {
		fprintf(stderr, "usage: %s [PORT]\n", argv[0]);
		return 2;
	}
	sin.sin_port = htons(port);
	fd = t_open(PROVIDER, O_RDWR, NULL);
	if (fd < 0)
		fail("t_open");
	if (t_bind(fd, &bind, &bind))
		fail("t_bind");
	printf("port %d\n", ntohs(sin.sin_port));
	fflush(stdout);
	u = t_alloc(fd, T_UNITDATA, T_ADDR | T_UDATA);
	if (!u)
		fail("t_alloc");
	for (;;) {
		/* The buffer holds any datagram, so there is never a T_MORE. */
		if (!t_rcvudata(fd, u, &flags) && !t_sndudata(fd, u))
			continue;
		if (t_errno != TLOOK)
			fail("echo");
		attend(fd);
	}
}
