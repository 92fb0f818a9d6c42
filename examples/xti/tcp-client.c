// SPDX-License-Identifier: GPL-2.0-only
/* tcp-client.c - sends a line to a TCP server and prints all it answers, by XTI */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xti.h>

#define PROVIDER	"/dev/streams/tcp"

static int fail(int fd, const char *what)
{
	struct t_discon why = { .reason = 0 };

	/* errno is why it could not be opened. */
	if (t_errno == TBADNAME && errno == ENOENT)
		fprintf(stderr, PROVIDER " is not there; run: modprobe strinet\n");
	/* The reason of the disconnect says more than that there was one. */
	if (t_errno == TLOOK && t_look(fd) == T_DISCONNECT && !t_rcvdis(fd, &why))
		fprintf(stderr, "%s\n", strerror(why.reason));
	else
		t_error(what);
	return 1;
}

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct t_call call = { .addr = { sizeof(sin), sizeof(sin), &sin } };
	int fd, n, sent, len, flags;
	char answer[4096];
	long port;

	port = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
	if (port < 1 || port > 65535 || !inet_aton(argv[1], &sin.sin_addr)) {
		fprintf(stderr, "usage: %s ADDRESS PORT TEXT\n", argv[0]);
		return 2;
	}
	sin.sin_port = htons(port);
	fd = t_open(PROVIDER, O_RDWR, NULL);
	if (fd < 0)
		return fail(fd, "t_open");
	if (t_bind(fd, NULL, NULL))
		return fail(fd, "t_bind");
	if (t_connect(fd, &call, NULL))
		return fail(fd, "t_connect");
	len = strlen(argv[3]);
	for (sent = 0; sent < len; sent += n) {
		n = t_snd(fd, argv[3] + sent, len - sent, 0);
		if (n < 0)
			return fail(fd, "t_snd");
	}
	/* Nothing more from here; the other side may go on. */
	if (t_sndrel(fd))
		return fail(fd, "t_sndrel");
	while ((n = t_rcv(fd, answer, sizeof(answer), &flags)) >= 0)
		fwrite(answer, 1, n, stdout);
	/* No more from there either, if the connection ends in order. */
	if (t_errno != TLOOK || t_look(fd) != T_ORDREL || t_rcvrel(fd))
		return fail(fd, "t_rcv");
	printf("\n");
	return t_close(fd) ? fail(fd, "t_close") : 0;
}
