// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * taddr2uaddr() and uaddr2taddr(): universal addresses
 *
 * A universal address is text, the same on every machine. Those of the
 * Internet's transports are the address, then the two bytes of the port:
 * 192.0.2.1.0.111.
 *
 * libtirpc has these functions too, and a program that is linked with both has
 * one of them for both: so they know libtirpc's local transport.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "inet.h"
#include "kind.h"
#include "netbuf.h"
#include "uaddr.h"

#define PATH_AT		offsetof(struct sockaddr_un, sun_path)

/*
 * Writes printable characters unchanged, a backslash twice, and other bytes in
 * octal.
 */
char *nd_bytes_text(const struct netbuf *addr)
{
	const unsigned char *byte = (const void *)addr->buf;
	char *text = malloc(4 * (size_t)addr->len + 1), *at = text;
	unsigned int i;

	if (!text)
		return NULL;
	for (i = 0; i < addr->len; i++) {
		if (byte[i] == '\\')
			at += sprintf(at, "\\\\");
		else if (byte[i] > ' ' && byte[i] <= '~')
			*at++ = byte[i];
		else
			at += sprintf(at, "\\%03o", byte[i]);
	}
	*at = '\0';
	return text;
}

static struct netbuf *text_bytes(const char *text)
{
	unsigned char bytes[ND_BYTES_MAX];
	size_t len = 0;

	for (; *text; len++) {
		unsigned int byte = (unsigned char)*text++;

		if (len == sizeof(bytes))
			return NULL;
		if (byte == '\\' && *text == '\\') {
			text++;
		} else if (byte == '\\') {
			/*
			 * Three digits follow, as nd_bytes_text() writes them.
			 */
			if (strspn(text, "01234567") < 3 || sscanf(text, "%3o", &byte) != 1)
				return NULL;
			if (byte > 255)
				return NULL;
			text += 3;
		}
		bytes[len] = byte;
	}
	return nd_make_netbuf(bytes, len);
}

static char *inet_text(const struct netconfig *nc, const struct netbuf *addr)
{
	uint16_t *at = nd_inet_port(nc, addr);
	char host[NI_MAXHOST], *text;
	unsigned int port;

	if (!at || getnameinfo((const void *)addr->buf, addr->len, host, sizeof(host), NULL, 0,
			       NI_NUMERICHOST))
		return NULL;
	port = ntohs(*at);
	return asprintf(&text, "%s.%u.%u", host, port >> 8, port & 0xff) < 0 ? NULL : text;
}

/*
 * Returns the number after the last dot, which is cut off; -1: there is no
 * number up to 255.
 */
static int last_byte(char *text)
{
	char *dot = strrchr(text, '.'), *end;
	unsigned long value;

	if (!dot || dot[1] < '0' || dot[1] > '9')
		return -1;
	value = strtoul(dot + 1, &end, 10);
	if (*end || value > 255)
		return -1;
	*dot = '\0';
	return value;
}

static struct netbuf *text_inet(const struct netconfig *nc, const char *uaddr)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST,
		.ai_family = nd_inet_family(nc),
		.ai_socktype = SOCK_STREAM,
	};
	char *text = strdup(uaddr);
	struct netbuf *nb = NULL;
	struct in_addr whole;
	struct addrinfo *ai;
	int low, high;

	if (!text)
		return NULL;
	low = last_byte(text);
	high = low < 0 ? -1 : last_byte(text);
	/* getaddrinfo() would also take 192.0. */
	if (high >= 0 && hints.ai_family == AF_INET && inet_pton(AF_INET, text, &whole) != 1)
		high = -1;
	if (high >= 0 && !getaddrinfo(text, NULL, &hints, &ai)) {
		nb = nd_make_netbuf(ai->ai_addr, ai->ai_addrlen);
		freeaddrinfo(ai);
	}
	free(text);
	if (nb)
		*nd_inet_port(nc, nb) = htons(high << 8 | low);
	return nb;
}

static char *path_text(const struct netbuf *addr)
{
	const struct sockaddr_un *sun = (const void *)addr->buf;

	if (!addr->buf || addr->len < PATH_AT || sun->sun_family != AF_UNIX)
		return NULL;
	return strndup(sun->sun_path, addr->len - PATH_AT);
}

static struct netbuf *text_path(const char *uaddr)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };

	size_t len = strlen(uaddr);

	if (len >= sizeof(sun.sun_path))
		return NULL;
	memcpy(sun.sun_path, uaddr, len);
	return nd_make_netbuf(&sun, sizeof(sun));
}

/**
 * taddr2uaddr() - write an address as a universal address
 * @nc: the transport
 * @addr: an address of it
 *
 * Return: allocated text; NULL with _nderror: it is not an address, memory is short,
 * or the family of protocols is unknown.
 */
char *taddr2uaddr(const struct netconfig *nc, const struct netbuf *addr)
{
	char *text = NULL;

	_nderror = ND_BADARG;
	if (!nc || !addr)
		return NULL;
	switch (nd_find_kind(nc)) {
	case ND_INET:
		text = inet_text(nc, addr);
		break;
	case ND_BYTES:
		if (addr->len <= ND_BYTES_MAX)
			text = nd_bytes_text(addr);
		break;
	case ND_PATH:
		text = path_text(addr);
		break;
	case ND_OTHER:
		_nderror = ND_NOSYM;
	}
	if (text)
		_nderror = ND_OK;
	return text;
}

/**
 * uaddr2taddr() - read a universal address
 * @nc: the transport
 * @uaddr: the text that taddr2uaddr() wrote
 *
 * Return: an allocated address, for netdir_free() with ND_ADDR; NULL as
 * taddr2uaddr().
 */
struct netbuf *uaddr2taddr(const struct netconfig *nc, const char *uaddr)
{
	struct netbuf *addr = NULL;

	_nderror = ND_BADARG;
	if (!nc || !uaddr)
		return NULL;
	switch (nd_find_kind(nc)) {
	case ND_INET:
		addr = text_inet(nc, uaddr);
		break;
	case ND_BYTES:
		addr = text_bytes(uaddr);
		break;
	case ND_PATH:
		addr = text_path(uaddr);
		break;
	case ND_OTHER:
		_nderror = ND_NOSYM;
	}
	if (addr)
		_nderror = ND_OK;
	return addr;
}
