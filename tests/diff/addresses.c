// SPDX-License-Identifier: GPL-2.0-only
/* addresses.c - addresses; a port is written as the socket that has it */
#include "addresses.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "step.h"

#include <arpa/inet.h>
#include <string.h>

#define NOBODY	1	/* a port that no socket is bound to */

/* An address of AF_INET that is local, or not: "binding" as for address_choose() */
static void choose_ip4(struct address *a, uint32_t r, bool binding)
{
	static const uint32_t to[] = {
		0x7f000001, 0x7f000001, 0x7f000001, 0x7f000001, 0x7f000001, 0x7f000002,
		0x7f090909, 0, 0x7fffffff, 0x7f000001,
	};
	static const uint32_t own[] = {
		0x7f000001, 0x7f000001, 0x7f000001, 0, 0, 0x7f000002, 0x7f090909, 0x0affff01,
		0x7fffffff, 0xffffffff, 0xefffff07,
	};

	a->len = sizeof(a->in);
	a->in.sin_family = AF_INET;
	a->in.sin_addr.s_addr = htonl(binding ? PICK(own, r) : PICK(to, r));
}

/* The same of AF_INET6, with addresses of IPv4 in it */
static void choose_ip6(struct address *a, uint32_t r, bool binding)
{
	static const char *const to[] = {
		"::1", "::1", "::1", "::1", "::1", "::ffff:127.0.0.1", "::ffff:127.0.0.1",
		"::ffff:127.0.0.2", "::", "::ffff:0.0.0.0", "::2",
	};
	static const char *const own[] = {
		"::1", "::1", "::1", "::", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0",
		"::ffff:127.0.0.2", "2001:db8::7", "::2", "ff02::7",
	};

	a->len = sizeof(a->in6);
	a->in6.sin6_family = AF_INET6;
	inet_pton(AF_INET6, binding ? PICK(own, r) : PICK(to, r), &a->in6.sin6_addr);
}

static const struct sockaddr *bad_address(void)
{
	return (const struct sockaddr *)16;
}

/* Makes a few of them useless. */
static void spoil(struct address *a, uint32_t r)
{
	switch (r % 64) {
	case 0:
		a->any.sa_family = a->any.sa_family == AF_INET ? AF_INET6 : AF_INET;
		break;
	case 1:
		a->any.sa_family = AF_UNSPEC;
		break;
	case 2:
		a->len = 3;
		break;
	case 3:
		a->len = 8;
		break;
	case 4:
		a->len = 200;
		break;
	case 5:
		a->len--;
		break;
	case 6:
		a->at = bad_address();
		break;
	case 7:
		a->len = -1;
		break;
	}
}

/**
 * address_choose - an address, mostly a good one, and its text in the call
 * @a: the address
 * @r: the random number to choose by
 * @binding: it is to be bound; else it is a destination
 */
void address_choose(struct address *a, const uint32_t r[2], bool binding)
{
	unsigned int object = (r[1] >> 8) % SOCKETS;
	/* The other family now and then: sockets of AF_INET6 send there too. */
	int family = kind->family == AF_INET6 && (r[0] >> 16) % 16 == 0 ? AF_INET : kind->family;
	socklen_t whole;

	memset(a, 0, sizeof(*a));
	a->at = &a->any;
	if (family == AF_INET6)
		choose_ip6(a, r[0], binding);
	else
		choose_ip4(a, r[0], binding);
	whole = a->len;
	/* The port is at the same place in both families. */
	if (binding)
		a->in.sin_port = r[1] % 4 ? 0 : shared->port[object];
	else if (r[1] % 8)
		a->in.sin_port = shared->port[r[1] % 8 < 6 ? object % 2 : object];
	else
		a->in.sin_port = htons(NOBODY);
	spoil(a, r[0] >> 8);
	put(CALL, ", ");
	address_put(CALL, a, whole);
	if (a->any.sa_family != family)
		put(CALL, " family %d", a->any.sa_family);
	if (a->len != whole)
		put(CALL, " length %d", (int)a->len);
	if (a->at != &a->any)
		put(CALL, " at a bad address");
}

/**
 * address_length - the length of a whole address
 *
 * Return: that of the sockets that are played.
 */
socklen_t address_length(void)
{
	return kind->family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

static void port_put(enum field field, in_port_t port)
{
	unsigned int i;

	if (ntohs(port) <= NOBODY) {
		put(field, "%d", ntohs(port));
		return;
	}
	for (i = 0; i < SOCKETS; i++)
		if (shared->port[i] == port) {
			put(field, "@%u", i);
			return;
		}
	put(field, "?");
}

/**
 * address_put - the text of an address
 * @field: where to store it
 * @name: the address, of the family that its length is of
 * @len: how long it is
 */
void address_put(enum field field, const void *name, socklen_t len)
{
	const struct sockaddr_in6 *sin6 = name;
	const struct sockaddr_in *sin = name;
	char text[INET6_ADDRSTRLEN];

	if (len == sizeof(*sin6))
		put(field, "[%s]:", inet_ntop(AF_INET6, &sin6->sin6_addr, text, sizeof(text)));
	else if (len == sizeof(*sin))
		put(field, "%s:", inet_ntop(AF_INET, &sin->sin_addr, text, sizeof(text)));
	else
		put(field, "%u bytes", len);
	if (len == sizeof(*sin6) || len == sizeof(*sin))
		port_put(field, sin->sin_port);
}

/**
 * port_learn - which port does a socket have by now?
 * @slot: where it is
 */
void port_learn(unsigned int slot)
{
	struct address a;
	socklen_t len = sizeof(a.bytes);

	/* The port is at the same place in both families. */
	if (slot_fd(slot) >= 0 && !getsockname(slot_fd(slot), &a.any, &len))
		shared->port[slots[slot].object] = a.in.sin_port;
}
