// SPDX-License-Identifier: GPL-2.0-only
/* echo-server.c - sends every datagram back to where it came from, by XTI */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <xti.h>

static void fail(const char *what)
{
	t_error(what);
	exit(1);
}

/* What could not be delivered is told, and taken away. */
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

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sin.sin_port = htons(argc > 1 ? atoi(argv[1]) : 0);
	fd = t_open("/dev/streams/udp", O_RDWR, NULL);
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
