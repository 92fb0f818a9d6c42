// SPDX-License-Identifier: GPL-2.0-only
/*
 * file-server.c - passes each opener of a name a file, open for reading
 *
 * The name is that of an end of a STREAMS pipe with connld on it: each opener
 * has a pipe of its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stropts.h>
#include <strsock.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

int main(int argc, char **argv)
{
	struct strrecvfd client;
	int ends[2], file;

	if (argc != 3) {
		fprintf(stderr, "usage: %s NAME FILE\n", argv[0]);
		return 2;
	}
	/* Something to attach it to; it is seen again when the server is gone. */
	file = open(argv[1], O_WRONLY | O_CREAT, 0666);
	if (file < 0 || close(file))
		fail(argv[1]);
	if (strpipe(ends))
		fail("strpipe (is its kernel module loaded? modprobe strpipe)");
	if (ioctl(ends[1], I_PUSH, "connld"))
		fail("connld");
	if (fattach(ends[1], argv[1]))
		fail("fattach");
	/* The name keeps it. */
	close(ends[1]);
	printf("ready\n");
	fflush(stdout);
	/* The server's end of each pipe comes in like a file that is passed. */
	while (!ioctl(ends[0], I_RECVFD, &client)) {
		fprintf(stderr, "for user %d\n", (int)client.uid);
		file = open(argv[2], O_RDONLY);
		if (file < 0 || ioctl(client.fd, I_SENDFD, file))
			perror(argv[2]);
		close(file);
		close(client.fd);
	}
	fail("I_RECVFD");
}
