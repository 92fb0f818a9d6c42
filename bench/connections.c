// SPDX-License-Identifier: GPL-2.0-only
/* Connections over loopback, of TCP or SCTP: sockets, and XTI over them */
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "endpoint.h"
#include "sockmap.h"
#include "table.h"

#define TCP_DEVICE	"/dev/streams/tcp"
#define SCTP_DEVICE	"/dev/streams/sctp"
#define SCTP_TSDU	65536

/* Sockets */

static int stream_socket(const struct channel *c)
{
	return socket(c->options->inet6 ? AF_INET6 : AF_INET, SOCK_STREAM,
		      c->options->sctp ? IPPROTO_SCTP : IPPROTO_TCP);
}

/* Listens at a port of the loopback address; returns the descriptor and the address. */
static int listening_socket(const struct channel *c, struct sockaddr_storage *at,
			    socklen_t *len)
{
	int fd = stream_socket(c);

	if (fd < 0)
		return -1;
	if (c->options->inet6) {
		memcpy(at, &any_port6, sizeof(any_port6));
		*len = sizeof(any_port6);
	} else {
		memcpy(at, &any_port, sizeof(any_port));
		*len = sizeof(any_port);
	}
	if (bind(fd, (struct sockaddr *)at, *len) || listen(fd, 1) ||
	    getsockname(fd, (struct sockaddr *)at, len))
		err(1, "a listening socket");
	return fd;
}

static int open_sockets(struct channel *c)
{
	struct sockaddr_storage at;
	socklen_t len;
	int fd = listening_socket(c, &at, &len);

	if (fd < 0)
		return -1;
	c->tx = stream_socket(c);
	if (c->tx < 0)
		return -1;
	if (connect(c->tx, (struct sockaddr *)&at, len))
		err(1, "a connection");
	c->rx = accept(fd, NULL, NULL);
	if (c->rx < 0)
		err(1, "accept");
	close(fd);
	grow_sockets(c);
	return 0;
}

static int open_joined(struct channel *c)
{
	if (open_sockets(c))
		return -1;
	c->map = sockmap_join(c->tx, c->rx);
	return 0;
}

static void close_joined(struct channel *c)
{
	close_both(c);
	close(c->map);
}

static void send_flags(struct channel *c, const void *data, size_t len, int flags)
{
	const char *at = data;

	while (len) {
		ssize_t n = send(c->tx, at, len, flags);

		c->calls++;
		if (n < 0)
			err(1, "send");
		at += n;
		len -= n;
	}
}

static void send_all(struct channel *c, const void *data, size_t len)
{
	send_flags(c, data, len, 0);
}

static void send_more(struct channel *c, const void *data, size_t len)
{
	send_flags(c, data, len, c->more ? MSG_MORE : 0);
}

static size_t receive_all(struct channel *c, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = recv(c->rx, (char *)data + got, len - got, 0);

		c->calls++;
		if (n < 0)
			err(1, "recv");
		if (n == 0)
			errx(1, "recv: the connection has ended");
		got += n;
	}
	return got;
}

/* XTI */

static int open_endpoints(struct channel *c)
{
	const char *device = c->options->sctp ? SCTP_DEVICE : TCP_DEVICE;
	struct sockaddr_in at = any_port, self = any_port;
	struct t_call to = { .addr = { .len = sizeof(at), .buf = &at } };
	struct t_call call = { };
	int fd = bound_endpoint(device, &at, 1);

	if (fd < 0)
		return -1;
	c->tx = bound_endpoint(device, &self, 0);
	c->rx = open_endpoint(device);
	if (c->tx < 0 || c->rx < 0)
		return -1;
	/*
	 * The kernel completes the connection before any process accepts: one
	 * process is enough.
	 */
	if (t_connect(c->tx, &to, NULL))
		xti_err("t_connect");
	if (t_listen(fd, &call))
		xti_err("t_listen");
	if (t_accept(fd, c->rx, &call))
		xti_err("t_accept");
	t_close(fd);
	return push_modules(c->tx, c->options->push);
}

static void snd_flags(struct channel *c, const void *data, size_t len, int flags)
{
	const char *at = data;

	while (len) {
		int n = t_snd(c->tx, (void *)at, len, flags);

		c->calls++;
		if (n < 0)
			xti_err("t_snd");
		at += n;
		len -= n;
	}
}

static void snd_all(struct channel *c, const void *data, size_t len)
{
	snd_flags(c, data, len, 0);
}

/* The TSDU continues as long as messages follow, and as there is room in it. */
static void snd_more(struct channel *c, const void *data, size_t len)
{
	size_t most = c->options->sctp ? SCTP_TSDU : SIZE_MAX;
	bool more = c->more && len <= most - c->sent - len;

	snd_flags(c, data, len, more ? T_MORE : 0);
	c->sent = more ? c->sent + len : 0;
}

static size_t rcv_all(struct channel *c, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		int flags, n = t_rcv(c->rx, (char *)data + got, len - got, &flags);

		c->calls++;
		if (n < 0)
			xti_err("t_rcv");
		got += n;
	}
	return got;
}

/* Acknowledgements may be put off, and Nagle's algorithm waits for them. */
#define SOCKETS	.waits = true, .open = open_sockets, .receive = receive_all,	\
		.close = close_both
#define XTI	.waits = true, .open = open_endpoints, .receive = rcv_all,	\
		.close = close_endpoints

const struct transport transports[] = {
	{ "socket", "sockets: send and recv", .send = send_all, SOCKETS },
	{ "socket-more", "the same, MSG_MORE with all but the last of a burst",
	  .send = send_more, SOCKETS },
	{ "sockmap", "the same sockets, whose bytes BPF redirects", .waits = true,
	  .open = open_joined, .send = send_all, .receive = receive_all, .close = close_joined },
	{ "xti", "t_snd and t_rcv on " TCP_DEVICE " or sctp", .send = snd_all, XTI },
	{ "xti-more", "the same, T_MORE with all but the last of a burst",
	  .send = snd_more, XTI },
	{ }
};
