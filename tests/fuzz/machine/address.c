// SPDX-License-Identifier: GPL-2.0-only
/* Addresses of sockets, and datagrams that name their destination */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "calls.h"
#include "oracle.h"

#define MAGIC	0x6c61626c

/* The address of another host, behind a device of the run that drops all packets */
#define ELSEWHERE	0x0a630002	/* 10.99.0.2 */

socklen_t address_draw(struct draw *d, struct sockaddr_storage *ss)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;

	memset(ss, 0, sizeof(*ss));
	if (draw_below(d, 3)) {
		in->sin_family = AF_INET;
		in->sin_port = htons(7000 + draw_below(d, 4));
		in->sin_addr.s_addr = htonl(draw_below(d, 4) ? INADDR_LOOPBACK : ELSEWHERE);
		return draw_below(d, 16) ? sizeof(*in) : draw_below(d, 128);
	}
	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(7000 + draw_below(d, 4));
	in6->sin6_addr = in6addr_loopback;
	return sizeof(*in6);
}

void address_here(struct draw *d, struct sockaddr_storage *ss)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;

	*in = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(7000 + draw_below(d, 4)),
	};
}

void address_turn(struct sockaddr_storage *ss, bool here)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;

	in->sin_addr.s_addr = htonl(here ? INADDR_LOOPBACK : ELSEWHERE);
}

void label(struct labelled *l, const struct sockaddr_storage *ss)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)ss;

	if (in->sin_family == AF_INET)
		*l = (struct labelled){ MAGIC, in->sin_addr.s_addr, in->sin_port };
}

static int option(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

void label_check(int fd, const struct labelled *l, size_t len)
{
	struct sockaddr_in at;
	socklen_t n = sizeof(at);

	if (len < sizeof(*l) || l->magic != MAGIC || option(fd, SO_TYPE) != SOCK_DGRAM ||
	    option(fd, SO_DOMAIN) != AF_INET || getsockname(fd, (struct sockaddr *)&at, &n))
		return;
	if (ntohl(l->address) != INADDR_LOOPBACK)
		oracle_broken("a datagram for %#x arrived on this host", ntohl(l->address));
	if (at.sin_port && l->port != at.sin_port)
		oracle_broken("a datagram for port %d arrived at port %d", ntohs(l->port),
			      ntohs(at.sin_port));
}
