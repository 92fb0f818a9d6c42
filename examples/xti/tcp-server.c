// SPDX-License-Identifier: GPL-2.0-only
/* tcp-server.c - sends back all that each connection sends, by XTI */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xti.h>

#define PROVIDER	"/dev/streams/tcp"

static void fail(const char *what)
{
	/* errno is why it could not be opened. */
	if (t_errno == TBADNAME && errno == ENOENT)
		fprintf(stderr, PROVIDER " is not there; run: modprobe strinet\n");
	t_error(what);
	exit(1);
}

/* Why a function failed: true if the other side only sends nothing more. */
static bool goes_on(int fd)
{
	if (t_errno != TLOOK)
		fail("echo");
	if (t_look(fd) == T_ORDREL)
		return !t_rcvrel(fd);
	t_rcvdis(fd, NULL);
	return false;
}

static void echo(int fd)
{
	int n, sent, len, flags;
	char data[4096];

	/* T_INREL, when the other side has released it */
	while (t_getstate(fd) == T_DATAXFER) {
		len = t_rcv(fd, data, sizeof(data), &flags);
		if (len < 0 && !goes_on(fd))
			return;
		for (sent = 0; sent < len; sent += n) {
			n = t_snd(fd, data + sent, len - sent, 0);
			if (n >= 0)
				continue;
			if (!goes_on(fd))
				return;
			n = 0;
		}
	}
	if (t_sndrel(fd))
		goes_on(fd);
}

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	/* One at a time; the provider has others wait. */
	struct t_bind bind = { { sizeof(sin), sizeof(sin), &sin }, .qlen = 1 };
	struct t_call *call;
	int fd, conn;
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
	call = t_alloc(fd, T_CALL, T_ADDR);
	if (!call)
		fail("t_alloc");
	while (!t_listen(fd, call)) {
		conn = t_open(PROVIDER, O_RDWR, NULL);
		if (conn < 0)
			fail("t_open");
		if (!t_accept(fd, conn, call))
			echo(conn);
		/* The caller may be gone by now; that is a T_DISCONNECT. */
		else if (t_errno != TLOOK || t_rcvdis(fd, NULL))
			fail("t_accept");
		t_close(conn);
	}
	fail("t_listen");
}
