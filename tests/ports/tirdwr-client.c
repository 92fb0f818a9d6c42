/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tirdwr-client - writes a line to a connection, and copies the answer to standard
 * output, by write() and read()
 *
 *	tirdwr-client device address line	address: bytes of a loopback transport
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
	struct t_call *sndcall;
	char buf[1024];
	int fd, n;

	if (argc != 4) {
		fprintf(stderr, "usage: tirdwr-client device address line\n");
		exit(2);
	}
	if ((fd = t_open(argv[1], O_RDWR, (struct t_info *)NULL)) < 0) {
		t_error("t_open");
		exit(1);
	}
	if (t_bind(fd, (struct t_bind *)NULL, (struct t_bind *)NULL) < 0) {
		t_error("t_bind");
		exit(1);
	}
	if ((sndcall = (struct t_call *)t_alloc(fd, T_CALL_STR, T_ADDR)) == NULL) {
		t_error("t_alloc");
		exit(1);
	}
	sndcall->addr.len = strlen(argv[2]);
	(void) memcpy(sndcall->addr.buf, argv[2], sndcall->addr.len);
	if (t_connect(fd, sndcall, (struct t_call *)NULL) < 0) {
		t_error("t_connect");
		exit(1);
	}
	if (ioctl(fd, I_PUSH, "tirdwr") < 0) {
		perror("I_PUSH of tirdwr");
		exit(1);
	}
	/*
	 * The server answers after this line only: its answer ends with a primitive, and
	 * tirdwr cannot be pushed while one waits.
	 */
	(void) sprintf(buf, "%.1000s\n", argv[3]);
	if (write(fd, buf, strlen(buf)) < 0) {
		perror("write");
		exit(1);
	}
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		(void) write(1, buf, n);
	if (n < 0) {
		perror("read");
		exit(1);
	}
	/* The server has released the connection: tirdwr does so too. */
	(void) close(fd);
	return (0);
}
