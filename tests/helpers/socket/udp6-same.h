/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * udp6-same.h - UDP sockets of AF_INET6 by addresses in words
 *
 * To be run in a network namespace of its own, with an interface d0 beside the
 * loopback one that carries multicast.
 */
#ifndef UDP6_SAME_H
#define UDP6_SAME_H

#include "udp-received.h"
#include "udp-same.h"

static inline struct name in6(const char *addr, int port, unsigned int scope)
{
	struct name n = { .in6.sin6_family = AF_INET6, .len = sizeof(n.in6) };

	TRUE(inet_pton(AF_INET6, addr, &n.in6.sin6_addr) == 1);
	n.in6.sin6_port = htons(port);
	n.in6.sin6_scope_id = scope;
	return n;
}

static inline int bind_to(int fd, struct name n)
{
	return bind(fd, &n.sa, n.len);
}

static inline int connect_to(int fd, struct name n)
{
	return connect(fd, &n.sa, n.len);
}

static inline ssize_t send_to(int fd, const void *data, size_t len, struct name n)
{
	return sendto(fd, data, len, 0, &n.sa, n.len);
}

static inline int port_of(int fd)
{
	return ntohs(name_of(fd).sin_port);
}

/* Prints a name without its port, which differs from run to run. */
static inline void say_name(const char *what, const struct name *n)
{
	char text[INET6_ADDRSTRLEN] = "?";

	if (n->sa.sa_family == AF_INET6)
		inet_ntop(AF_INET6, &n->in6.sin6_addr, text, sizeof(text));
	else if (n->sa.sa_family == AF_INET)
		inet_ntop(AF_INET, &n->in.sin_addr, text, sizeof(text));
	printf("  %s: family %d, %u bytes, %s, port %s", what, n->sa.sa_family,
	       n->len, text, n->in.sin_port ? "set" : "0");
	if (n->sa.sa_family == AF_INET6)
		printf(", flow %#x, scope %u", ntohl(n->in6.sin6_flowinfo),
		       n->in6.sin6_scope_id);
	putchar('\n');
}

/* Finds all datagrams sent before, without waiting. */
static inline ssize_t receive(int fd, int flags)
{
	if (flags & MSG_DONTWAIT)
		all_arrived();
	return receive_message(fd, flags);
}

#endif /* UDP6_SAME_H */
