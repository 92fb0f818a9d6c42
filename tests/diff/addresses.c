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

/**
 * address_choose - an address, mostly a good one, and its text in the call
 * @a: the address
 * @r: the random number to choose by
 * @binding: it is to be bound; else it is a destination
 */
void address_choose(struct address *a, const uint32_t r[2], bool binding)
{
	static const uint32_t to[] = {
		0x7f000001, 0x7f000001, 0x7f000001, 0x7f000001, 0x7f000001, 0x7f000002,
		0x7f090909, 0, 0x7fffffff, 0x7f000001,
	};
	static const uint32_t own[] = {
		0x7f000001, 0x7f000001, 0x7f000001, 0, 0, 0x7f000002, 0x7f090909, 0x0affff01,
		0x7fffffff, 0xffffffff, 0xefffff07,
	};
	unsigned int object = (r[1] >> 8) % SOCKETS;

	memset(a, 0, sizeof(*a));
	a->at = &a->any;
	a->len = sizeof(a->in);
	a->in.sin_family = AF_INET;
	a->in.sin_addr.s_addr = htonl(binding ? PICK(own, r[0]) : PICK(to, r[0]));
	if (binding)
		a->in.sin_port = r[1] % 4 ? 0 : shared->port[object];
	else if (r[1] % 8)
		a->in.sin_port = shared->port[r[1] % 8 < 6 ? object % 2 : object];
	else
		a->in.sin_port = htons(NOBODY);
	switch ((r[0] >> 8) % 64) {
	case 0:
		a->in.sin_family = AF_INET6;
		break;
	case 1:
		a->in.sin_family = AF_UNSPEC;
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
		a->len = sizeof(a->in) - 1;
		break;
	case 6:
		a->at = (struct sockaddr *)16;
		break;
	case 7:
		a->len = -1;
		break;
	}
	put(CALL, ", ");
	address_put(CALL, &a->in, sizeof(a->in));
	if (a->in.sin_family != AF_INET)
		put(CALL, " family %d", a->in.sin_family);
	if (a->len != sizeof(a->in))
		put(CALL, " length %d", (int)a->len);
	if (a->at != &a->any)
		put(CALL, " at a bad address");
}

/**
 * address_put - the text of an address
 * @field: where to store it
 * @sin: the address
 * @len: how long it is
 */
void address_put(enum field field, const struct sockaddr_in *sin, socklen_t len)
{
	char text[INET_ADDRSTRLEN];
	unsigned int i;

	if (len != sizeof(*sin)) {
		put(field, "%u bytes", len);
		return;
	}
	put(field, "%s:", inet_ntop(AF_INET, &sin->sin_addr, text, sizeof(text)));
	if (ntohs(sin->sin_port) <= NOBODY) {
		put(field, "%d", ntohs(sin->sin_port));
		return;
	}
	for (i = 0; i < SOCKETS; i++)
		if (shared->port[i] == sin->sin_port) {
			put(field, "@%u", i);
			return;
		}
	put(field, "?");
}

/**
 * port_learn - which port does a socket have by now?
 * @slot: where it is
 */
void port_learn(unsigned int slot)
{
	struct sockaddr_in sin;
	socklen_t len = sizeof(sin);

	if (slot_fd(slot) >= 0 && !getsockname(slot_fd(slot), (void *)&sin, &len))
		shared->port[slots[slot].object] = sin.sin_port;
}
