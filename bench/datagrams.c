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

static socklen_t address_len(const struct channel *c)
{
	return c->options->inet6 ? sizeof(c->to.in6) : sizeof(c->to.in);
}

/* Returns the loopback address, with any port. */
static union address loopback(const struct channel *c)
{
	union address any = { .in = any_port };

	if (c->options->inet6)
		any.in6 = (struct sockaddr_in6){
			.sin6_family = AF_INET6,
			.sin6_addr = IN6ADDR_LOOPBACK_INIT,
		};
	return any;
}

/* Returns the address where the receiver is to be bound. */
static union address receiver(const struct channel *c)
{
	union address at = loopback(c);
	const char *host = c->options->address;

	if (host && inet_pton(at.sa.sa_family, host,
			      c->options->inet6 ? (void *)&at.in6.sin6_addr : &at.in.sin_addr) != 1)
		errx(2, "--address: %s", host);
	return at;
}

/* Returns the address from where datagrams are to be sent to the receiver's. */
static union address sender(const struct channel *c)
{
	union address from = c->to;

	if (c->options->address) {
		memset(&from, 0, sizeof(from));
		from.sa.sa_family = c->to.sa.sa_family;
	}
	from.in.sin_port = beside(c->to.in).sin_port;
	return from;
}

/*
 * Returns a socket bound to an address or, if its port is taken, to any port, which is
 * stored in it.
 */
static int bound_socket(const struct channel *c, int protocol, union address *at)
{
	const union address any = loopback(c);
	socklen_t len = address_len(c);
	int fd = socket(at->sa.sa_family, SOCK_DGRAM, protocol);

	if (fd < 0)
		return -1;
	if (bind(fd, &at->sa, len) && (errno != EADDRINUSE || bind(fd, &any.sa, len)))
		return -1;
	return getsockname(fd, &at->sa, &len) ? -1 : fd;
}

static int open_protocol(struct channel *c, int protocol)
{
	int back = namespace_enter(c->options);
	union address self;

	c->to = receiver(c);
	c->rx = bound_socket(c, protocol, &c->to);
	namespace_leave(back);
	if (c->rx < 0)
		return -1;
	self = sender(c);
	c->tx = bound_socket(c, protocol, &self);
	if (c->tx < 0)
		return -1;
	if (c->options->connect && connect(c->tx, &c->to.sa, address_len(c)))
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
	bool to = c->to.in.sin_port && !c->options->connect;

	c->calls++;
	if (sendto(c->tx, data, len, 0, to ? &c->to.sa : NULL, to ? address_len(c) : 0) < 0 &&
	    errno != ECONNREFUSED)
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

/* Binds to an address; stores the one that was bound. */
static bool bind_stream(int fd, union address *at, socklen_t len)
{
	struct {
		struct T_bind_req req;
		union address at;
	} bind = {
		.req = {
			.PRIM_type = T_BIND_REQ,
			.ADDR_length = len,
			.ADDR_offset = sizeof(bind.req),
		},
		.at = *at,
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
	    (socklen_t)ack.prim.bind_ack.ADDR_length != len)
		errx(1, "the provider did not bind: primitive %d", (int)ack.prim.type);
	memcpy(at, ack.bytes + ack.prim.bind_ack.ADDR_offset, len);
	return true;
}

static int bound_stream(const struct channel *c, union address *at)
{
	int fd = open(c->options->inet6 ? UDP_DEVICE "6" : UDP_DEVICE, O_RDWR);

	if (fd < 0)
		return -1;
	if (!bind_stream(fd, at, address_len(c))) {
		*at = loopback(c);
		if (!bind_stream(fd, at, address_len(c)))
			errx(1, "the provider finds no port to bind");
	}
	return fd;
}

static int open_tpi(struct channel *c)
{
	int back = namespace_enter(c->options);
	union address self;

	c->to = receiver(c);
	c->rx = bound_stream(c, &c->to);
	namespace_leave(back);
	if (c->rx < 0)
		return -1;
	self = sender(c);
	c->tx = bound_stream(c, &self);
	if (c->tx < 0)
		return -1;
	return push_modules(c->tx, c->options->push);
}

static void put_unitdata(struct channel *c, const void *data, size_t len)
{
	struct {
		struct T_unitdata_req req;
		union address to;
	} unit = {
		.req = {
			.PRIM_type = T_UNITDATA_REQ,
			.DEST_length = address_len(c),
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
