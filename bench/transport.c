// SPDX-License-Identifier: GPL-2.0-only
/* Code that the transports of both programs share */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport.h"

const struct sockaddr_in any_port = {
	.sin_family = AF_INET,
	.sin_addr.s_addr = 0x100007f,	/* 127.0.0.1, as it lies in memory */
};

const struct sockaddr_in6 any_port6 = {
	.sin6_family = AF_INET6,
	.sin6_addr = IN6ADDR_LOOPBACK_INIT,
};

/*
 * Ports that differ in the lowest bit never share a slot of the kernel's
 * tables. Of other ports one pair in as many as there are slots does, and then
 * every datagram costs a longer search.
 */
struct sockaddr_in beside(struct sockaddr_in sin)
{
	sin.sin_port ^= htons(1);
	return sin;
}

const struct transport *transport_find(const struct transport *table, const char *name)
{
	const struct transport *t;

	for (t = table; t->name; t++) {
		if (!strcmp(t->name, name))
			return t;
	}
	return NULL;
}

void channel_open(struct channel *c, const struct transport *t,
		  const struct transport_options *options)
{
	memset(c, 0, sizeof(*c));
	c->transport = t;
	c->options = options;
	if (!t->open(c))
		return;
	if (errno == ENOENT || errno == ENXIO || errno == EPROTONOSUPPORT)
		errx(3, "%s: the kernel module is not loaded", t->name);
	if (errno == EMFILE)
		errx(1, "%s: too many open files; raise ulimit -n, or lower --pairs",
		     t->name);
	err(1, "%s", t->name);
}

void close_both(struct channel *c)
{
	close(c->tx);
	if (c->rx != c->tx)
		close(c->rx);
}

int push_modules(int fd, int count)
{
	while (count-- > 0) {
		if (ioctl(fd, I_PUSH, "nullmod"))
			err(3, "nullmod cannot be pushed; modprobe nullmod");
	}
	return 0;
}

void grow_sockets(struct channel *c)
{
	int size = c->options->hiwat;

	if (size && (setsockopt(c->tx, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)) ||
		     setsockopt(c->rx, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size))))
		err(1, "a buffer of %d bytes", size);
}

int namespace_enter(const struct transport_options *o)
{
	char path[PATH_MAX];
	int fd, back;

	if (!o->netns)
		return -1;
	snprintf(path, sizeof(path), "/run/netns/%s", o->netns);
	back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (back < 0 || fd < 0 || setns(fd, CLONE_NEWNET))
		err(1, "%s", path);
	close(fd);
	return back;
}

void namespace_leave(int back)
{
	if (back < 0)
		return;
	if (setns(back, CLONE_NEWNET))
		err(1, "the namespace that it was in");
	close(back);
}
