/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tirdwr-client - sends its standard input over a connection, by read() and write()
 *
 *	tirdwr-client device address		address: bytes of a loopback transport
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

	if (argc != 3) {
		fprintf(stderr, "usage: tirdwr-client device address\n");
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
	while ((n = read(0, buf, sizeof(buf))) > 0)
		if (write(fd, buf, n) != n) {
			perror("write");
			exit(1);
		}
	(void) close(fd);
	return (0);
}
