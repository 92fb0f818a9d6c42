/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * udp-same.h - programs whose output is the same on every UDP socket
 *
 * A program runs a case with two kinds of socket, each given by the protocol
 * number of socket(): what is tested is of the first kind, its peer of the
 * second. It prints each call with its result, and nothing that differs from
 * run to run, so that the output with any kinds can be compared.
 */
#ifndef UDP_SAME_H
#define UDP_SAME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/errqueue.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Prints a call and what it returned. */
#define SAY(call) do {							\
	errno = 0;							\
	long say_ = (long)(call);					\
	printf("%d: %s = %ld%s%s\n", __LINE__, #call, say_,		\
	       say_ < 0 ? " " : "",					\
	       say_ < 0 ? strerrorname_np(errno) : "");			\
} while (0)

/* A call without which the case makes no sense. */
#define NEED(cond) do {							\
	if (!(cond)) {							\
		printf("%s:%d: cannot go on: %s (%s)\n", __FILE__,	\
		       __LINE__, #cond, strerror(errno));		\
		exit(1);						\
	}								\
} while (0)

struct same_case {
	const char *name;
	void (*run)(void);
};

static int proto_a, proto_b;
static char buf[70000];

static int sock_of(int proto)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, proto);

	NEED(fd >= 0);
	return fd;
}

/* What is tested, and its peer. */
static int sock_a(void)
{
	return sock_of(proto_a);
}

static inline int sock_b(void)
{
	return sock_of(proto_b);
}

static inline struct sockaddr_in inet(uint32_t addr, int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(addr),
	};
}

static inline struct sockaddr_in name_of(int fd)
{
	struct sockaddr_in sin = {};
	socklen_t len = sizeof(sin);

	NEED(!getsockname(fd, (struct sockaddr *)&sin, &len));
	return sin;
}

static inline int bind_in(int fd, struct sockaddr_in sin)
{
	return bind(fd, (struct sockaddr *)&sin, sizeof(sin));
}

static inline int connect_in(int fd, struct sockaddr_in sin)
{
	return connect(fd, (struct sockaddr *)&sin, sizeof(sin));
}

static inline ssize_t send_in(int fd, const void *data, size_t len,
			      struct sockaddr_in sin)
{
	return sendto(fd, data, len, 0, (struct sockaddr *)&sin, sizeof(sin));
}

/* To a free port of 127.0.0.1. */
static inline struct sockaddr_in bind_local(int fd)
{
	NEED(!bind_in(fd, inet(INADDR_LOOPBACK, 0)));
	return name_of(fd);
}

/* A port nobody has. */
static inline struct sockaddr_in nobody(void)
{
	int fd = sock_of(0);
	struct sockaddr_in sin = bind_local(fd);

	close(fd);
	return sin;
}

static inline int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

static inline int get_int(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

/* What poll() says within a time, milliseconds. */
static inline int poll_of(int fd, int events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, ms) < 0 ? -1 : p.revents;
}

/* Waits until there is something to read, or an error. */
static inline void settle(int fd)
{
	NEED(poll_of(fd, POLLIN, 10000) > 0);
}

static inline void say_data(const char *what, const void *data, long len)
{
	const unsigned char *p = data;
	unsigned long sum = 5381;
	long i;

	for (i = 0; i < len; i++)
		sum = sum * 33 + p[i];
	printf("%s: %ld bytes, sum %lx\n", what, len, sum);
}

static inline int same_main(int argc, char **argv,
			    const struct same_case *cases)
{
	const struct same_case *c;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (c = cases; argc == 4 && c->name; c++) {
		if (strcmp(c->name, argv[1]))
			continue;
		proto_a = atoi(argv[2]);
		proto_b = atoi(argv[3]);
		alarm(300);
		c->run();
		return 0;
	}
	fprintf(stderr, "Usage: %s CASE PROTOCOL PROTOCOL, one of:", argv[0]);
	for (c = cases; c->name; c++)
		fprintf(stderr, " %s", c->name);
	fputc('\n', stderr);
	return 2;
}

#endif /* UDP_SAME_H */
