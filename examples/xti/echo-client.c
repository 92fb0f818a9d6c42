// SPDX-License-Identifier: GPL-2.0-only
/* echo-client.c - sends a line to a UDP server and prints the answer, by XTI */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xti.h>

#define PROVIDER	"/dev/streams/udp"

static int fail(const char *what)
{
	/* errno is why it could not be opened. */
	if (t_errno == TBADNAME && errno == ENOENT)
		fprintf(stderr, PROVIDER " is not there; run: modprobe strudp\n");
	t_error(what);
	return 1;
}

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct t_unitdata u = { .addr = { sizeof(sin), sizeof(sin), &sin } };
	struct t_uderr error = { .addr.maxlen = 0 };
	struct pollfd p = { .events = POLLIN };
	char answer[65507];
	int flags;
	long port;

	port = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
	if (port < 1 || port > 65535 || !inet_aton(argv[1], &sin.sin_addr)) {
		fprintf(stderr, "usage: %s ADDRESS PORT TEXT\n", argv[0]);
		return 2;
	}
	sin.sin_port = htons(port);
	p.fd = t_open(PROVIDER, O_RDWR, NULL);
	if (p.fd < 0)
		return fail("t_open");
	if (t_bind(p.fd, NULL, NULL))
		return fail("t_bind");
	u.udata = (struct netbuf){ .len = strlen(argv[3]), .buf = argv[3] };
	if (t_sndudata(p.fd, &u))
		return fail("t_sndudata");
	if (poll(&p, 1, 5000) != 1) {
		fprintf(stderr, "no answer\n");
		return 1;
	}
	if (t_look(p.fd) == T_UDERR && !t_rcvuderr(p.fd, &error)) {
		fprintf(stderr, "%s\n", strerror(error.error));
		return 1;
	}
	u.udata = (struct netbuf){ .maxlen = sizeof(answer), .buf = answer };
	if (t_rcvudata(p.fd, &u, &flags))
		return fail("t_rcvudata");
	printf("%.*s\n", (int)u.udata.len, answer);
	return t_close(p.fd) ? fail("t_close") : 0;
}
