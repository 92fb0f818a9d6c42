// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-socket.c - makes sockets of all kinds and prints their visible
 * properties
 *
 * The output is the same natively and under strsock.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int option(int fd, int name)
{
	socklen_t len = sizeof(int);
	int value = -1;

	getsockopt(fd, SOL_SOCKET, name, &value, &len);
	return value;
}

static void make(int domain, int type, int protocol)
{
	int fd;

	errno = EXDEV;
	fd = socket(domain, type, protocol);
	printf("socket(%d, %#x, %d): ", domain, type, protocol);
	if (fd < 0) {
		printf("%s\n", strerrorname_np(errno));
		return;
	}
	printf("%d errno %s domain %d type %d protocol %d F_GETFL %#o F_GETFD %d\n",
	       fd, strerrorname_np(errno), option(fd, SO_DOMAIN), option(fd, SO_TYPE),
	       option(fd, SO_PROTOCOL), fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
	close(fd);
}

int main(int argc, char **argv)
{
	struct rlimit limit = { 3, 3 };

	close_range(3, ~0U, 0);
	if (argc == 2 && !strcmp(argv[1], "limits")) {
		setrlimit(RLIMIT_NOFILE, &limit);
		make(AF_INET, SOCK_DGRAM, 0);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "udp")) {
		make(AF_INET, SOCK_DGRAM, 0);
		return 0;
	}
	make(AF_INET, SOCK_DGRAM, 0);
	make(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
	make(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	make(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	make(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
	make(AF_INET, SOCK_DGRAM, IPPROTO_TCP);
	make(AF_INET, SOCK_DGRAM | 0x100, 0);
	make(AF_INET, SOCK_DGRAM, -1);
	make(AF_INET, SOCK_STREAM, 0);
	make(AF_INET, SOCK_STREAM, IPPROTO_UDP);
	make(AF_INET6, SOCK_DGRAM, 0);
	make(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
	make(AF_INET6, SOCK_DGRAM, IPPROTO_UDPLITE);
	make(AF_INET6, SOCK_STREAM, 0);
	make(AF_UNIX, SOCK_DGRAM, 0);
	make(AF_UNIX, SOCK_STREAM, 0);
	make(-1, SOCK_DGRAM, 0);
	return 0;
}
