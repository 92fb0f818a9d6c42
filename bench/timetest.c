// SPDX-License-Identifier: GPL-2.0-only
/*
 * timetest.c - nanoseconds of a message, measured in the kernel by the module strtime
 *
 * Each round measures the native channel and the STREAMS one, one after the other, so that
 * a disturbance of the machine meets both. Prints "WORK SIZE NATIVE STREAMS" for each round.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <unistd.h>

#include "../kmod/test/strtime.h"

#define ROUND_NS	2000000		/* the time of one measurement, about */
#define ROOM		(1 << 20)	/* bytes of a socket's buffers */
#define STREAMS		253		/* the protocol of sockets on STREAMS */

struct ends {
	int tx, rx;
};

/* Makes the channel, natively or on STREAMS; -1 with errno. */
typedef int open_fn(struct ends *e, int family, bool streams);

static int open_pipe(struct ends *e, int family, bool streams)
{
	struct strio_pipe arg = { 0 };
	int fds[2];

	if (!streams) {
		if (pipe(fds))
			return -1;
	} else {
		arg.fds = (uintptr_t)fds;
		arg.first = open(STRIO_PIPE_DEVICE, O_RDONLY);
		if (arg.first < 0 || ioctl(arg.first, STRIO_PIPE, &arg))
			return -1;
	}
	e->rx = fds[0];
	e->tx = fds[1];
	return 0;
}

static int make_socket(int family, int type, bool streams)
{
	int fd = socket(family, type, streams ? STREAMS : 0), room = ROOM;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	return fd;
}

/* Binds a socket to a free port of the loopback address, which is stored. */
static int bind_loopback(int fd, int family, struct sockaddr_storage *addr, socklen_t *len)
{
	struct sockaddr_in6 *in6 = (void *)addr;
	struct sockaddr_in *in = (void *)addr;

	memset(addr, 0, sizeof(*addr));
	addr->ss_family = family;
	if (family == AF_INET) {
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		*len = sizeof(*in);
	} else {
		in6->sin6_addr = in6addr_loopback;
		*len = sizeof(*in6);
	}
	return bind(fd, (void *)addr, *len) || getsockname(fd, (void *)addr, len) ? -1 : 0;
}

static int open_udp(struct ends *e, int family, bool streams)
{
	struct sockaddr_storage addr;
	socklen_t len;

	e->rx = make_socket(family, SOCK_DGRAM, streams);
	e->tx = make_socket(family, SOCK_DGRAM, streams);
	if (e->rx < 0 || e->tx < 0 || bind_loopback(e->rx, family, &addr, &len))
		return -1;
	return connect(e->tx, (void *)&addr, len);
}

static int open_tcp(struct ends *e, int family, bool streams)
{
	struct sockaddr_storage addr;
	socklen_t len;
	int listener = make_socket(family, SOCK_STREAM, streams);

	e->tx = make_socket(family, SOCK_STREAM, streams);
	if (listener < 0 || e->tx < 0 || bind_loopback(listener, family, &addr, &len) ||
	    listen(listener, 1) || connect(e->tx, (void *)&addr, len))
		return -1;
	e->rx = accept(listener, NULL, NULL);
	close(listener);
	return e->rx < 0 ? -1 : 0;
}

static const struct work {
	const char *name;
	open_fn *open;
	int family;
	unsigned int most;	/* bytes of a message */
} works[] = {
	{ "pipe", open_pipe, AF_UNSPEC, STRTIME_MOST },
	{ "udp", open_udp, AF_INET, 65507 },
	{ "udp6", open_udp, AF_INET6, 65487 },
	{ "tcp", open_tcp, AF_INET, STRTIME_MOST },
	{ "tcp6", open_tcp, AF_INET6, STRTIME_MOST },
};

static const unsigned int sizes[] = { 1, 64, 512, 4096, 16384, STRTIME_MOST };

static double measure(int device, const struct ends *e, unsigned int size, unsigned int count)
{
	static char buf[STRTIME_MOST] __attribute__((aligned(4096)));
	struct strtime t = {
		.tx = e->tx, .rx = e->rx, .size = size, .count = count, .buf = (uintptr_t)buf,
	};

	if (ioctl(device, STRTIME_RUN, &t))
		err(1, "%u messages of %u bytes", count, size);
	return (double)t.ns / count;
}

static void run_size(int device, const struct work *w, const struct ends *native,
		     const struct ends *streams, unsigned int size, int rounds)
{
	unsigned int count = ROUND_NS / measure(device, native, size, 100) + 1;
	int i;

	measure(device, streams, size, count);
	for (i = 0; i < rounds; i++) {
		double first, second;

		first = measure(device, i & 1 ? streams : native, size, count);
		second = measure(device, i & 1 ? native : streams, size, count);
		printf("%s %u %.1f %.1f\n", w->name, size, i & 1 ? second : first,
		       i & 1 ? first : second);
	}
	fflush(stdout);
}

static void open_nonblock(struct ends *e, const struct work *w, bool streams)
{
	if (w->open(e, w->family, streams))
		err(1, "%s, %s", w->name, streams ? "on STREAMS" : "natively");
	fcntl(e->tx, F_SETFL, O_NONBLOCK);
	fcntl(e->rx, F_SETFL, O_NONBLOCK);
}

static bool has_streams(const struct work *w)
{
	struct ends e;

	if (!w->open(&e, w->family, true)) {
		close(e.tx);
		close(e.rx);
	} else if (errno == EPROTONOSUPPORT) {
		warnx("%s has no STREAMS sockets, and is left out", w->name);
		return false;
	}
	return true;
}

/*
 * Each size has channels of its own: a byte too many would misalign all later
 * transfers.
 */
static void run_work(int device, const struct work *w, int rounds)
{
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned int size = sizes[i] < w->most ? sizes[i] : w->most;
		struct ends native, streams;

		open_nonblock(&native, w, false);
		open_nonblock(&streams, w, true);
		run_size(device, w, &native, &streams, size, rounds);
		close(native.tx);
		close(native.rx);
		close(streams.tx);
		close(streams.rx);
	}
}

int main(int argc, char **argv)
{
	int device = open("/dev/strtime", O_RDWR), rounds = argc > 1 ? atoi(argv[1]) : 51;
	unsigned int i;

	if (rounds < 1 || argc > 2)
		errx(2, "Usage: timetest [ROUNDS]; bench/kernel-time starts it");
	if (device < 0)
		err(1, "/dev/strtime; load the module strtime");
	for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (has_streams(&works[i]))
			run_work(device, &works[i], rounds);
	return 0;
}
