/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * udp-same.h - programs whose output is the same on every UDP or TCP socket
 *
 * A program runs a case with two kinds of socket, each given by the protocol
 * number of socket(): the socket tested is of the first kind, its peer of the
 * second. It prints each call with its result, and nothing that differs from
 * run to run, so that the output with any kinds can be compared.
 *
 * Addresses are written as those of IPv4. Run with "inet6" the sockets are of
 * AF_INET6, and loopback and any address that family's own, run with "mapped"
 * all are IPv4's as IPv6 spells them. With hosts_are_inet6, and "inet6", the
 * other addresses are IPv6's too: fd00::10.9.9.9 for 10.9.9.9.
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
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <stropts.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/errqueue.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#include "check.h"
#include "waits.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Prints a call and its result. */
#define SAY(call) do {							\
	errno = 0;							\
	long say_ = (long)(call);					\
	printf("%d: %s = %ld%s%s\n", __LINE__, #call, say_,		\
	       say_ < 0 ? " " : "",					\
	       say_ < 0 ? strerrorname_np(errno) : "");			\
} while (0)

struct same_case {
	const char *name;
	void (*run)(void);
};

static int proto_a, proto_b;
static char buf[70000] __attribute__((unused));

/* The form in which addresses are written */
static enum { AS_INET, AS_INET6, AS_MAPPED } spelling;
static bool hosts_are_inet6;

/* Sockets of AF_INET6 do not wait for ever for datagrams that cannot reach them. */
static int sock_of(int proto)
{
	const struct timeval tv = { .tv_usec = 300000 };
	const char *module = getenv("STRSOCK_TEST_PUSH");
	int fd = socket(spelling == AS_INET ? AF_INET : AF_INET6,
			SOCK_DGRAM | SOCK_CLOEXEC, proto);

	TRUE(fd >= 0);
	if (spelling != AS_INET)
		TRUE(!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	/* The STREAMS socket has a module. */
	if (module && proto == IPPROTO_STREAMS)
		TRUE(!ioctl(fd, I_PUSH, module));
	return fd;
}

/* Make the socket tested, and its peer. */
static inline int sock_a(void)
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

struct name {
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
	socklen_t len;
};

/*
 * Returns a name in the form of the sockets' family. A name of another family
 * stays as it is.
 */
static inline struct name spelled(struct sockaddr_in sin)
{
	struct name n = { .in = sin, .len = sizeof(sin) };

	if (spelling == AS_INET)
		return n;
	n = (struct name){ .in6.sin6_family = AF_INET6, .len = sizeof(n.in6) };
	if (sin.sin_family != AF_INET)
		n.in6.sin6_family = sin.sin_family;
	n.in6.sin6_port = sin.sin_port;
	if (spelling == AS_INET6 && sin.sin_addr.s_addr == htonl(INADDR_ANY))
		return n;
	if (spelling == AS_INET6 && sin.sin_addr.s_addr == htonl(INADDR_LOOPBACK)) {
		n.in6.sin6_addr = in6addr_loopback;
		return n;
	}
	if (spelling == AS_INET6 && hosts_are_inet6) {
		n.in6.sin6_addr.s6_addr[0] = 0xfd;
	} else {
		n.in6.sin6_addr.s6_addr[10] = 0xff;
		n.in6.sin6_addr.s6_addr[11] = 0xff;
	}
	memcpy(&n.in6.sin6_addr.s6_addr[12], &sin.sin_addr, 4);
	return n;
}

/*
 * Returns the name in the form of IPv4; 255.255.255.255 for an address that
 * IPv4 does not have.
 */
static inline struct sockaddr_in plain(const struct name *n)
{
	struct sockaddr_in sin = n->in;

	if (n->sa.sa_family != AF_INET6)
		return sin;
	sin = inet(INADDR_BROADCAST, ntohs(n->in6.sin6_port));
	if (IN6_IS_ADDR_UNSPECIFIED(&n->in6.sin6_addr))
		sin.sin_addr.s_addr = htonl(INADDR_ANY);
	else if (IN6_IS_ADDR_LOOPBACK(&n->in6.sin6_addr))
		sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (IN6_IS_ADDR_V4MAPPED(&n->in6.sin6_addr) || n->in6.sin6_addr.s6_addr[0] == 0xfd)
		memcpy(&sin.sin_addr, &n->in6.sin6_addr.s6_addr[12], 4);
	return sin;
}

static inline struct sockaddr_in name_of(int fd)
{
	struct name n = { .len = sizeof(n.in6) };

	TRUE(!getsockname(fd, &n.sa, &n.len));
	return plain(&n);
}

static inline int bind_in(int fd, struct sockaddr_in sin)
{
	struct name n = spelled(sin);

	return bind(fd, &n.sa, n.len);
}

static inline int connect_in(int fd, struct sockaddr_in sin)
{
	struct name n = spelled(sin);

	return connect(fd, &n.sa, n.len);
}

static inline ssize_t send_in(int fd, const void *data, size_t len,
			      struct sockaddr_in sin)
{
	struct name n = spelled(sin);

	return sendto(fd, data, len, 0, &n.sa, n.len);
}

/* Prints the sender's name, and the bytes the name takes. */
static inline ssize_t recv_in(int fd, void *data, size_t len,
			      struct sockaddr_in *from, socklen_t *from_len)
{
	struct name n = { .len = sizeof(n.in6) };
	ssize_t got = recvfrom(fd, data, len, 0, &n.sa, &n.len);

	*from_len = n.len;
	*from = plain(&n);
	return got;
}

/* Binds a socket to a free port of 127.0.0.1. */
static inline struct sockaddr_in bind_local(int fd)
{
	TRUE(!bind_in(fd, inet(INADDR_LOOPBACK, 0)));
	return name_of(fd);
}

/* Returns an unused port. */
static inline struct sockaddr_in nobody(void)
{
	int fd = sock_of(0);
	struct sockaddr_in sin = bind_local(fd);

	close(fd);
	return sin;
}

/*
 * Writes a command as the sockets' family has it: {ip} is ip or ip6, {@} what comes before an
 * address of IPv4 to make it one of that family, {len} the bits of an address,
 * {-6} the option for IPv6, {v} the version.
 */
static inline void family_command(char *to, size_t size, const char *command)
{
	static const char * const words[][3] = {
		{ "{ip}", "ip", "ip6" }, { "{@}", "", "fd00::" }, { "{len}", "32", "128" },
		{ "{-6}", "", "-6" }, { "{v}", "4", "6" },
	};
	bool inet6 = spelling == AS_INET6;
	char *end = to + size - 1;
	unsigned int i;

	while (*command && to < end) {
		for (i = 0; i < COUNT(words); i++)
			if (!strncmp(command, words[i][0], strlen(words[i][0])))
				break;
		if (i < COUNT(words)) {
			to += snprintf(to, end - to, "%s", words[i][1 + inet6]);
			command += strlen(words[i][0]);
		} else {
			*to++ = *command++;
		}
	}
	TRUE(to < end);
	*to = 0;
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

/* Returns the events that poll() reports within ms milliseconds. */
static inline int poll_of(int fd, int events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, ms) < 0 ? -1 : p.revents;
}

/*
 * Runs the test on one processor: packets that it sends to the loopback device
 * arrive in order.
 */
static inline void one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	TRUE(!sched_setaffinity(0, sizeof(one), &one));
}

/*
 * Waits until all datagrams sent before have arrived. An ICMP answer to one of
 * them is sent when it arrives, which may be after the first message of this
 * function.
 */
static inline void all_arrived(void)
{
	static int fd = -1;
	char byte;
	int i;

	if (fd < 0) {
		struct sockaddr_in sin = inet(INADDR_LOOPBACK, 0);
		socklen_t len = sizeof(sin);

		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		TRUE(fd >= 0);
		TRUE(!bind(fd, (struct sockaddr *)&sin, len));
		TRUE(!getsockname(fd, (struct sockaddr *)&sin, &len));
		TRUE(!connect(fd, (struct sockaddr *)&sin, len));
	}
	for (i = 0; i < 2; i++) {
		TRUE(send(fd, "x", 1, 0) == 1);
		TRUE(recv(fd, &byte, 1, 0) == 1);
	}
}

/* Waits until the socket is readable, or has an error. */
static inline void settle(int fd)
{
	/* A socket of AF_INET6 may receive nothing. */
	if (spelling != AS_INET)
		all_arrived();
	TRUE(poll_of(fd, POLLIN, spelling == AS_INET ? WAIT_LIMIT_MS : 0) > 0);
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

static inline bool same_spelling(const char *word)
{
	if (!strcmp(word, "inet"))
		spelling = AS_INET;
	else if (!strcmp(word, "inet6"))
		spelling = AS_INET6;
	else if (!strcmp(word, "mapped"))
		spelling = AS_MAPPED;
	else
		return false;
	return true;
}

/* Runs each case in a process of its own, one after the other. */
static inline void same_all(const struct same_case *cases)
{
	const struct same_case *c;
	int status;

	for (c = cases; c->name; c++) {
		printf("== %s\n", c->name);
		if (!fork()) {
			alarm(300);
			c->run();
			exit(0);
		}
		wait(&status);
		if (status)
			printf("== ended by status %#x\n", status);
	}
}

static inline int same_main(int argc, char **argv,
			    const struct same_case *cases)
{
	const struct same_case *c = cases;
	bool all;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 4 || argc > 5 || (argc == 5 && !same_spelling(argv[4])))
		goto usage;
	all = !strcmp(argv[1], "all");
	while (!all && c->name && strcmp(c->name, argv[1]))
		c++;
	if (!c->name)
		goto usage;
	proto_a = atoi(argv[2]);
	proto_b = atoi(argv[3]);
	if (all) {
		same_all(cases);
		return 0;
	}
	alarm(300);
	c->run();
	return 0;

usage:
	fprintf(stderr, "Usage: %s CASE PROTOCOL PROTOCOL [inet|inet6|mapped], one of: all",
		argv[0]);
	for (c = cases; c->name; c++)
		fprintf(stderr, " %s", c->name);
	fputc('\n', stderr);
	return 2;
}

#endif /* UDP_SAME_H */
