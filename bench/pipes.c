// SPDX-License-Identifier: GPL-2.0-only
/* Byte channels of one host: pipes, local sockets, STREAMS pipes */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <strsock.h>
#include <stropts.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <unistd.h>

#include "table.h"

static void write_all(struct channel *c, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(c->tx, at, len);

		c->calls++;
		if (n < 0)
			err(1, "write");
		at += n;
		len -= n;
	}
}

static size_t read_all(struct channel *c, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(c->rx, (char *)data + got, len - got);

		c->calls++;
		if (n < 0)
			err(1, "read");
		if (n == 0)
			errx(1, "read: end of file");
		got += n;
	}
	return got;
}

static void put_one(struct channel *c, const void *data, size_t len)
{
	struct strbuf d = { .len = len, .buf = (char *)data };

	c->calls++;
	if (putmsg(c->tx, NULL, &d, 0))
		err(1, "putmsg");
}

static size_t get_all(struct channel *c, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		struct strbuf d = { .maxlen = len - got, .buf = (char *)data + got };
		int flags = 0;

		c->calls++;
		if (getmsg(c->rx, NULL, &d, &flags) < 0)
			err(1, "getmsg");
		if (d.len <= 0)
			errx(1, "getmsg: end of file");
		got += d.len;
	}
	return got;
}

/* Sets the size of a FIFO's buffer, native or STREAMS. */
static int set_pipe_size(struct channel *c)
{
	int size = c->options->hiwat;

	if (size && fcntl(c->tx, F_SETPIPE_SZ, size) < 0)
		err(1, "a pipe of %d bytes", size);
	return 0;
}

static void from(struct channel *c, const int fds[2])
{
	c->rx = fds[0];
	c->tx = fds[1];
}

/* pipe(2) makes a STREAMS pipe under the preload, else a native one. */
static int open_pipe(struct channel *c)
{
	int fds[2];

	if (pipe(fds))
		return -1;
	from(c, fds);
	if (c->options->push)
		push_modules(c->tx, c->options->push);
	return set_pipe_size(c);
}

/* Opens a device as the receiving end, and has STRIO_PIPE open the other one. */
static int open_ends(struct channel *c, const char *device)
{
	struct strio_pipe arg = { 0 };
	int fds[2];

	arg.fds = (uintptr_t)fds;
	arg.first = open(device, O_RDONLY);
	if (arg.first < 0 || ioctl(arg.first, STRIO_PIPE, &arg))
		return -1;
	from(c, fds);
	return 0;
}

static int open_streams_fifo(struct channel *c)
{
	if (open_ends(c, STRIO_PIPE_DEVICE))
		return -1;
	push_modules(c->tx, c->options->push);
	return set_pipe_size(c);
}

static int open_duplex(struct channel *c)
{
	int fds[2];

	if (strpipe(fds))
		return -1;
	from(c, fds);
	push_modules(c->rx, c->options->push);
	return 0;
}

static int open_pair(struct channel *c)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		return -1;
	from(c, fds);
	grow_sockets(c);
	return 0;
}

/*
 * Opens the module strfloor: its write() copies the data in, its read() copies
 * it out again.
 */
static int open_floor(struct channel *c)
{
	c->rx = open("/dev/strfloor", O_RDWR);
	c->tx = c->rx;
	return c->tx < 0 ? -1 : 0;
}

/* Opens the module strpair: a file found by its name opens a second one. */
static int open_floor_pair(struct channel *c)
{
	return open_ends(c, "/dev/strpair");
}

static int open_null(struct channel *c)
{
	c->tx = open("/dev/null", O_WRONLY);
	c->rx = open("/dev/zero", O_RDONLY);
	return c->tx < 0 || c->rx < 0 ? -1 : 0;
}

#define PLAIN .send = write_all, .receive = read_all, .close = close_both

const struct transport transports[] = {
	{ "pipe", "pipe(2); with the preload a STREAMS pipe", .open = open_pipe, PLAIN },
	{ "unix", "AF_UNIX stream pair", .open = open_pair, PLAIN },
	{ "fifo", "STREAMS pipe of STRIO_PIPE, one way", .open = open_streams_fifo, PLAIN },
	{ "duplex", "STREAMS pipe of strpipe(3), write and read", .open = open_duplex, PLAIN },
	{ "putmsg", "the same, putmsg and getmsg", .open = open_duplex,
	  .send = put_one, .receive = get_all, .close = close_both },
	{ "floor", "a file that only copies and wakes (module strfloor; in turn only)",
	  .open = open_floor, .most = 65536, PLAIN },
	{ "floor-putmsg", "the same, putmsg and getmsg",
	  .open = open_floor, .most = 65536,
	  .send = put_one, .receive = get_all, .close = close_both },
	{ "floor-pair", "two files that do nothing (module strpair; to make and close)",
	  .open = open_floor_pair, PLAIN },
	{ "null", "write to /dev/null, read of /dev/zero (of one process)",
	  .open = open_null, PLAIN },
	{ }
};
