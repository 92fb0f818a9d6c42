// SPDX-License-Identifier: GPL-2.0-only
/* Datagrams: sockets, the provider's primitives, and the table */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stropts.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <sys/tihdr.h>
#include <unistd.h>

#include "endpoint.h"
#include "links.h"
#include "message.h"
#include "table.h"
#include "unitdata.h"

#define UDP_MOST	65507

/* Sockets */

/*
 * Returns a socket bound to sin or, if its port is taken, to any port, which is
 * stored in sin.
 */
static int bound_socket(int protocol, struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);
	int fd = socket(AF_INET, SOCK_DGRAM, protocol);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)sin, len) &&
	    (errno != EADDRINUSE ||
	     bind(fd, (const struct sockaddr *)&any_port, len)))
		return -1;
	return getsockname(fd, (struct sockaddr *)sin, &len) ? -1 : fd;
}

static int open_protocol(struct channel *c, int protocol)
{
	int back = namespace_enter(c->options);
	struct sockaddr_in self;

	c->to = any_port;
	if (c->options->address)
		c->to.sin_addr.s_addr = inet_addr(c->options->address);
	c->rx = bound_socket(protocol, &c->to);
	namespace_leave(back);
	if (c->rx < 0)
		return -1;
	self = beside(c->to);
	if (c->options->address)
		self.sin_addr.s_addr = INADDR_ANY;
	c->tx = bound_socket(protocol, &self);
	if (c->tx < 0)
		return -1;
	if (c->options->connect &&
	    connect(c->tx, (struct sockaddr *)&c->to, sizeof(c->to)))
		return -1;
	grow_sockets(c);
	return 0;
}

/* Opens a UDP socket, which is one of STREAMS under the preload. */
static int open_socket(struct channel *c)
{
	return open_protocol(c, 0);
}

static int open_streams_socket(struct channel *c)
{
	return open_protocol(c, IPPROTO_STREAMS);
}

static void send_datagram(struct channel *c, const void *data, size_t len)
{
	bool to = c->to.sin_port && !c->options->connect;

	c->calls++;
	if (sendto(c->tx, data, len, 0, to ? (struct sockaddr *)&c->to : NULL,
		   to ? sizeof(c->to) : 0) < 0 && errno != ECONNREFUSED)
		err(1, "sendto");
}

static size_t receive_datagram(struct channel *c, void *data, size_t len)
{
	ssize_t n = recv(c->rx, data, len, 0);

	c->calls++;
	if (n < 0)
		err(1, "recv");
	return n;
}

static int open_pair(struct channel *c)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
		return -1;
	c->rx = fds[0];
	c->tx = fds[1];
	grow_sockets(c);
	return 0;
}

/*
 * The functions below use the Transport Provider Interface of /dev/streams/udp.
 */

/* Binds to the address that sin asks for; stores the address that was bound. */
static bool bind_stream(int fd, struct sockaddr_in *sin)
{
	struct {
		struct T_bind_req req;
		struct sockaddr_in sin;
	} bind = {
		.req = {
			.PRIM_type = T_BIND_REQ,
			.ADDR_length = sizeof(bind.sin),
			.ADDR_offset = sizeof(bind.req),
		},
		.sin = *sin,
	};
	union {
		union T_primitives prim;
		char bytes[256];
	} ack;
	struct strbuf out = { .len = sizeof(bind), .buf = (char *)&bind };
	struct strbuf in = { .maxlen = sizeof(ack), .buf = ack.bytes };
	int flags = RS_HIPRI;

	if (putmsg(fd, &out, NULL, 0) || getmsg(fd, &in, NULL, &flags) < 0)
		err(1, "binding a stream");
	if (ack.prim.type == T_ERROR_ACK && ack.prim.error_ack.TLI_error == TADDRBUSY)
		return false;
	if (ack.prim.type != T_BIND_ACK ||
	    ack.prim.bind_ack.ADDR_length != sizeof(*sin))
		errx(1, "the provider did not bind: primitive %d", (int)ack.prim.type);
	memcpy(sin, ack.bytes + ack.prim.bind_ack.ADDR_offset, sizeof(*sin));
	return true;
}

static int bound_stream(struct sockaddr_in *sin)
{
	int fd = open(UDP_DEVICE, O_RDWR);

	if (fd < 0)
		return -1;
	if (!bind_stream(fd, sin)) {
		*sin = any_port;
		if (!bind_stream(fd, sin))
			errx(1, "the provider finds no port to bind");
	}
	return fd;
}

static int open_tpi(struct channel *c)
{
	int back = namespace_enter(c->options);
	struct sockaddr_in self;

	c->to = any_port;
	if (c->options->address)
		c->to.sin_addr.s_addr = inet_addr(c->options->address);
	c->rx = bound_stream(&c->to);
	namespace_leave(back);
	if (c->rx < 0)
		return -1;
	self = beside(c->to);
	if (c->options->address)
		self.sin_addr.s_addr = INADDR_ANY;
	c->tx = bound_stream(&self);
	if (c->tx < 0)
		return -1;
	return push_modules(c->tx, c->options->push);
}

static void put_unitdata(struct channel *c, const void *data, size_t len)
{
	struct {
		struct T_unitdata_req req;
		struct sockaddr_in to;
	} unit = {
		.req = {
			.PRIM_type = T_UNITDATA_REQ,
			.DEST_length = sizeof(unit.to),
			.DEST_offset = sizeof(unit.req),
		},
		.to = c->to,
	};
	struct strbuf ctl = { .len = sizeof(unit), .buf = (char *)&unit };
	struct strbuf d = { .len = len, .buf = (char *)data };

	c->calls++;
	if (putmsg(c->tx, &ctl, &d, 0))
		err(1, "putmsg");
}

static size_t get_unitdata(struct channel *c, void *data, size_t len)
{
	return get_message(c, T_UNITDATA_IND, data, len);
}

/* Opens sockets on links that a data link is bound on too. */
static int open_socket_dlpi(struct channel *c)
{
	return bind_links(c) < 0 ? -1 : open_socket(c);
}

#define SOCKET	.most = UDP_MOST, .send = send_datagram,	\
		.receive = receive_datagram, .close = close_both
#define XTI	.most = UDP_MOST, .send = send_unitdata,	\
		.receive = receive_unitdata, .close = close_endpoints

const struct transport transports[] = {
	{ "socket", "UDP socket; with the preload on STREAMS", .lossy = true,
	  .open = open_socket, SOCKET },
	{ "streams", "STREAMS socket asked for by its protocol number",
	  .lossy = true, .open = open_streams_socket, SOCKET },
	{ "tpi", "putmsg and getmsg on " UDP_DEVICE, .lossy = true,
	  .most = UDP_MOST, .open = open_tpi, .send = put_unitdata,
	  .receive = get_unitdata, .close = close_both },
	{ "xti", "t_sndudata and t_rcvudata on " UDP_DEVICE, .lossy = true,
	  .open = open_xti_udp, XTI },
	{ "xtios", "the same on " UDP_SOCKETS_DEVICE ", over the kernel's sockets",
	  .lossy = true, .open = open_xti_udp_sockets, XTI },
	{ "unix", "AF_UNIX datagram pair", .open = open_pair, SOCKET },
	{ "dlpi", "putmsg and getmsg of frames, by /dev/streams/dlpi",
	  .lossy = true, .most = LINK_MOST, .open = open_dlpi, .send = put_frame,
	  .receive = get_frame, .close = close_both },
	{ "socket-dlpi", "UDP socket, beside streams of /dev/streams/dlpi for other frames",
	  .lossy = true, .open = open_socket_dlpi, SOCKET },
	{ "packet", "packet socket of SOCK_DGRAM", .lossy = true,
	  .most = LINK_MOST, .open = open_packet, .send = send_packet,
	  .receive = receive_datagram, .close = close_both },
	{ "packet-raw", "packet socket of SOCK_RAW: whole frames", .lossy = true,
	  .most = LINK_MOST, .open = open_packet_raw, .send = send_packet_raw,
	  .receive = receive_packet_raw, .close = close_both },
	{ }
};
