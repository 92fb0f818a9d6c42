/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tli-server - takes one connection, reads a line from it, and answers with its
 * standard input
 *
 *	tli-server device address		address: bytes of a loopback transport
 *
 * As a program of System V has it, not changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stream.h>
#include <sys/stropts.h>
#include <sys/tiuser.h>

extern int t_errno;

int
main(argc, argv)
	int argc;
	char **argv;
{
	struct t_bind *bind;
	struct t_call *call;
	char buf[1024];
	int fd, conn, flags, n;

	if (argc != 3) {
		fprintf(stderr, "usage: tli-server device address\n");
		exit(2);
	}
	if ((fd = t_open(argv[1], O_RDWR, (struct t_info *)NULL)) < 0 ||
	    (conn = t_open(argv[1], O_RDWR, (struct t_info *)NULL)) < 0) {
		t_error("t_open");
		exit(1);
	}
	if ((bind = (struct t_bind *)t_alloc(fd, T_BIND_STR, T_ADDR)) == NULL ||
	    (call = (struct t_call *)t_alloc(fd, T_CALL_STR, T_ALL)) == NULL) {
		t_error("t_alloc");
		exit(1);
	}
	bind->qlen = 1;
	bind->addr.len = strlen(argv[2]);
	(void) memcpy(bind->addr.buf, argv[2], bind->addr.len);
	if (t_bind(fd, bind, bind) < 0 || t_bind(conn, NULL, NULL) < 0) {
		t_error("t_bind");
		exit(1);
	}
	fprintf(stderr, "listening\n");
	if (t_listen(fd, call) < 0) {
		t_error("t_listen");
		exit(1);
	}
	if (t_accept(fd, conn, call) < 0) {
		t_error("t_accept");
		exit(1);
	}
	if ((n = t_rcv(conn, buf, sizeof(buf), &flags)) < 0) {
		t_error("t_rcv");
		exit(1);
	}
	fprintf(stderr, "asked for %.*s", n, buf);
	while ((n = read(0, buf, sizeof(buf))) > 0)
		if (t_snd(conn, buf, (unsigned)n, 0) != n) {
			t_error("t_snd");
			exit(1);
		}
	/* All that was sent has arrived when the other side's release has come. */
	if (t_sndrel(conn) < 0) {
		t_error("t_sndrel");
		exit(1);
	}
	if (t_rcv(conn, buf, sizeof(buf), &flags) >= 0 || t_errno != TLOOK ||
	    t_rcvrel(conn) < 0) {
		t_error("t_rcvrel");
		exit(1);
	}
	return (0);
}
