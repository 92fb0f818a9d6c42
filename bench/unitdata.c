// SPDX-License-Identifier: GPL-2.0-only
/* Datagrams over loopback by XTI */
#include <err.h>

#include "endpoint.h"
#include "unitdata.h"

static int open_endpoints(struct channel *c, const char *device)
{
	struct sockaddr_in self;

	c->to.in = any_port;
	c->rx = bound_endpoint(device, &c->to.in, 0);
	if (c->rx < 0)
		return -1;
	self = beside(c->to.in);
	c->tx = bound_endpoint(device, &self, 0);
	if (c->tx < 0)
		return -1;
	return push_modules(c->tx, c->options->push);
}

int open_xti_udp(struct channel *c)
{
	return open_endpoints(c, UDP_DEVICE);
}

int open_xti_udp_sockets(struct channel *c)
{
	return open_endpoints(c, UDP_SOCKETS_DEVICE);
}

void send_unitdata(struct channel *c, const void *data, size_t len)
{
	struct t_unitdata unit = {
		.addr = { .len = sizeof(c->to.in), .buf = &c->to.in },
		.udata = { .len = len, .buf = (void *)data },
	};

	c->calls++;
	if (t_sndudata(c->tx, &unit))
		xti_err("t_sndudata");
}

size_t receive_unitdata(struct channel *c, void *data, size_t len)
{
	struct sockaddr_in from;
	struct t_unitdata unit = {
		.addr = { .maxlen = sizeof(from), .buf = &from },
		.udata = { .maxlen = len, .buf = data },
	};
	int flags;

	c->calls++;
	if (t_rcvudata(c->rx, &unit, &flags))
		xti_err("t_rcvudata");
	if (flags & T_MORE)
		errx(1, "t_rcvudata: not a whole datagram");
	return unit.udata.len;
}
