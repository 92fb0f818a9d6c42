// SPDX-License-Identifier: GPL-2.0-only
/*
 * file-client.c - prints the file that a server passes to openers of its name
 */
#include <fcntl.h>
#include <stdio.h>
#include <stropts.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct strrecvfd passed;
	char data[4096];
	ssize_t n;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: %s NAME\n", argv[0]);
		return 2;
	}
	fd = open(argv[1], O_RDWR);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	if (isastream(fd) != 1) {
		fprintf(stderr, "%s: no server there\n", argv[1]);
		return 1;
	}
	/* It stays open when the stream that it came by is closed. */
	if (ioctl(fd, I_RECVFD, &passed) || close(fd)) {
		perror("I_RECVFD");
		return 1;
	}
	while ((n = read(passed.fd, data, sizeof(data))) > 0)
		fwrite(data, 1, n, stdout);
	return n < 0;
}
