/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * addresses.h - addresses; a port is written as the socket that has it
 *
 * Nothing is ever sent further than the loopback device.
 */
#ifndef _ADDRESSES_H
#define _ADDRESSES_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "line.h"

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		char bytes[256];
	};
	const struct sockaddr *at;	/* the bytes, or a bad address */
	socklen_t len;
};

void address_choose(struct address *a, const uint32_t r[2], bool binding);
socklen_t address_length(void);
void address_put(enum field field, const void *name, socklen_t len);
void port_learn(unsigned int slot);

#endif /* _ADDRESSES_H */
