/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connld-server - gives each opener of a name a pipe of its own, and sends a
 * line
 *
 *	connld-server name
 *
 * Changed for Linux in one place, as strport(7) says: pipe() is strpipe().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/conf.h>
#include <sys/stropts.h>
#include <strsock.h>

int
main(int argc, char **argv)
{
	struct strrecvfd rfd;
	char line[64], name[FMNAMESZ + 1];
	int fds[2], fd;

	if (argc != 2) {
		fprintf(stderr, "usage: connld-server name\n");
		exit(2);
	}
	if (strpipe(fds) < 0) {
		perror("pipe");
		exit(1);
	}
	if ((fd = open(argv[1], O_RDWR | O_CREAT, 0666)) < 0) {
		perror(argv[1]);
		exit(1);
	}
	(void) close(fd);
	if (ioctl(fds[1], I_PUSH, "connld") < 0 || ioctl(fds[1], I_LOOK, name) < 0) {
		perror("connld");
		exit(1);
	}
	if (fattach(fds[1], argv[1]) < 0) {
		perror("fattach");
		exit(1);
	}
	printf("%s is on %s\n", name, argv[1]);
	(void) fflush(stdout);
	while (ioctl(fds[0], I_RECVFD, &rfd) == 0) {
		(void) sprintf(line, "hello, user %ld\n", (long)rfd.uid);
		(void) write(rfd.fd, line, strlen(line));
		(void) close(rfd.fd);
	}
	return (0);
}
