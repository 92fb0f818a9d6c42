// SPDX-License-Identifier: GPL-2.0-only
/*
 * libxti's universal addresses: text of any kind, and addresses of any bytes
 *
 * An address that was read from a text, and is written again, is read as the same.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netdir.h>
#include <xti.h>

#include "input.h"

static struct netconfig transports[] = {
	{ .nc_netid = "tcp", .nc_semantics = NC_TPI_COTS_ORD, .nc_protofmly = NC_INET,
	  .nc_proto = NC_TCP, .nc_device = "/dev/streams/tcp" },
	{ .nc_netid = "udp6", .nc_semantics = NC_TPI_CLTS, .nc_protofmly = NC_INET6,
	  .nc_proto = NC_UDP, .nc_device = "/dev/streams/udp6" },
	{ .nc_netid = "ticlts", .nc_semantics = NC_TPI_CLTS, .nc_protofmly = NC_LOOPBACK,
	  .nc_proto = NC_NOPROTO, .nc_device = "/dev/streams/ticlts" },
	{ .nc_netid = "local", .nc_semantics = NC_TPI_COTS_ORD, .nc_protofmly = NC_LOOPBACK,
	  .nc_proto = NC_NOPROTO, .nc_device = "-" },
	{ .nc_netid = "other", .nc_semantics = NC_TPI_RAW, .nc_protofmly = "other",
	  .nc_proto = NC_NOPROTO, .nc_device = "" },
};

static void die(const char *why)
{
	fprintf(stderr, "fuzz: %s\n", why);
	abort();
}

static char *text_of(const struct netconfig *nc, struct netbuf *addr)
{
	char *text = taddr2uaddr(nc, addr);

	++*fuzz_calls;
	if ((text ? ND_OK : _nderror) != _nderror || (!text && !_nderror))
		die("_nderror is not that of the result");
	return text;
}

static struct netbuf *address_of(const struct netconfig *nc, const char *text)
{
	struct netbuf *addr = uaddr2taddr(nc, text);

	++*fuzz_calls;
	if (addr && addr->len > addr->maxlen)
		die("an address is longer than its buffer");
	return addr;
}

static void from_text(const struct netconfig *nc, const char *text)
{
	struct netbuf *addr = address_of(nc, text), *again;
	char *written;

	if (!addr)
		return;
	written = text_of(nc, addr);
	if (!written)
		die("an address that was read cannot be written");
	again = address_of(nc, written);
	if (!again || again->len != addr->len ||
	    memcmp(again->buf, addr->buf, addr->len))
		die("an address that was written is read as another one");
	free(written);
	netdir_free(addr, ND_ADDR);
	netdir_free(again, ND_ADDR);
}

/* In a buffer of exactly its size */
static void from_bytes(const struct netconfig *nc, struct input *in)
{
	static const unsigned short families[] = { AF_INET, AF_INET6, AF_UNIX, 0 };
	unsigned int how = input_byte(in);
	struct netbuf addr = { .len = in->left };
	unsigned short family = families[how & 3];
	char *text;

	addr.maxlen = addr.len;
	addr.buf = malloc(addr.len);
	memcpy(addr.buf, in->at, addr.len);
	if (how & 4 && addr.len >= sizeof(family))
		memcpy(addr.buf, &family, sizeof(family));
	text = text_of(nc, &addr);
	if (text)
		from_text(nc, text);
	free(text);
	free(addr.buf);
}

void fuzz_one(struct input *in)
{
	unsigned int how = input_byte(in);
	const struct netconfig *nc = &transports[(how >> 1) % 5];
	char *text;

	if (how & 1) {
		from_bytes(nc, in);
		return;
	}
	text = malloc(in->left + 1);
	memcpy(text, in->at, in->left);
	text[in->left] = '\0';
	from_text(nc, text);
	free(text);
}

int fuzz_start(void)
{
	return 0;
}
