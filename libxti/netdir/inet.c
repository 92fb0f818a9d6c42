// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names and addresses of the Internet's transports, by the C library's lookups */
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>

#include "inet.h"
#include "kind.h"
#include "netbuf.h"

/* rpcbind has this port, also on a host whose /etc/services does not list it. */
#define RPCBIND_PORT	111

union inet {
	struct sockaddr sa;
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
};

static size_t inet_size(int family)
{
	return family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

static uint16_t *inet_port(union inet *addr)
{
	return addr->sa.sa_family == AF_INET ? &addr->sin.sin_port : &addr->sin6.sin6_port;
}

uint16_t *nd_inet_port(const struct netconfig *nc, const struct netbuf *addr)
{
	union inet *inet = (void *)addr->buf;

	if (!inet || addr->len < inet_size(nd_inet_family(nc)) ||
	    inet->sa.sa_family != nd_inet_family(nc))
		return NULL;
	return inet_port(inet);
}

static bool parse_number(const char *text, uint16_t *port)
{
	unsigned long value;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	value = strtoul(text, &end, 10);
	if (*end || value > 0xffff)
		return false;
	*port = htons(value);
	return true;
}

/* Finds a service among the names of that protocol; false: no service has the name. */
static bool find_service(const char *name, const char *protocol, uint16_t *port)
{
	struct servent entry, *found = NULL;
	char text[4096];

	getservbyname_r(name, protocol, &entry, text, sizeof(text), &found);
	if (found)
		*port = found->s_port;
	return found;
}

static int find_port(const struct netconfig *nc, const char *name, uint16_t *port)
{
	const char *protocol = nc->nc_proto ? nc->nc_proto : NC_NOPROTO;

	*port = 0;
	if (!*name || parse_number(name, port))
		return ND_OK;
	if (!strcmp(protocol, NC_NOPROTO))
		return ND_NOSERV;
	if (find_service(name, protocol, port))
		return ND_OK;
	/* Services of SCTP are seldom listed; they have TCP's numbers. */
	if (!strcmp(protocol, "sctp") && find_service(name, NC_TCP, port))
		return ND_OK;
	if (!strcmp(name, "rpcbind")) {
		*port = htons(RPCBIND_PORT);
		return ND_OK;
	}
	return ND_NOSERV;
}

static int lookup_error(int error)
{
	switch (error) {
	case EAI_MEMORY:
		return ND_NOMEM;
	case EAI_AGAIN:
		errno = EAGAIN;
		return ND_SYSTEM;
	case EAI_SYSTEM:
		return ND_SYSTEM;
	default:
		return ND_NOHOST;
	}
}

static int add_inet(struct nd_addrlist *list, union inet *addr, uint16_t port)
{
	*inet_port(addr) = port;
	return nd_add_addr(list, addr, inet_size(addr->sa.sa_family));
}

static int add_host(int family, const char *host, uint16_t port, struct nd_addrlist *list)
{
	struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found, *ai;
	int error = getaddrinfo(host, NULL, &hints, &found), result = ND_OK;

	if (error)
		return lookup_error(error);
	for (ai = found; ai && !result; ai = ai->ai_next) {
		union inet addr;

		memcpy(&addr, ai->ai_addr, inet_size(family));
		result = add_inet(list, &addr, port);
	}
	freeaddrinfo(found);
	return result;
}

/* Finds the broadcast address of an interface, or with IPv6 that of all its nodes. */
static bool find_broadcast(const struct ifaddrs *ifa, int family, union inet *addr)
{
	if (!ifa->ifa_addr || ifa->ifa_addr->sa_family != family || !(ifa->ifa_flags & IFF_UP))
		return false;
	if (family == AF_INET) {
		if (!(ifa->ifa_flags & IFF_BROADCAST) || !ifa->ifa_broadaddr)
			return false;
		memcpy(&addr->sin, ifa->ifa_broadaddr, sizeof(addr->sin));
		return true;
	}
	if (!(ifa->ifa_flags & IFF_MULTICAST) || (ifa->ifa_flags & IFF_LOOPBACK))
		return false;
	*addr = (union inet){ .sin6.sin6_family = AF_INET6 };
	addr->sin6.sin6_addr.s6_addr[0] = 0xff;
	addr->sin6.sin6_addr.s6_addr[1] = 0x02;
	addr->sin6.sin6_addr.s6_addr[15] = 0x01;
	addr->sin6.sin6_scope_id = if_nametoindex(ifa->ifa_name);
	return true;
}

static bool is_listed(const struct nd_addrlist *list, const union inet *addr)
{
	size_t size = inet_size(addr->sa.sa_family);
	int i;

	for (i = 0; i < list->n_cnt; i++)
		if (!memcmp(list->n_addrs[i].buf, addr, size))
			return true;
	return false;
}

static int add_broadcast(int family, uint16_t port, struct nd_addrlist *list)
{
	union inet addr = { .sin = { .sin_family = AF_INET, .sin_addr.s_addr = INADDR_BROADCAST } };
	struct ifaddrs *all, *ifa;
	int result = ND_OK;

	if (getifaddrs(&all))
		return ND_SYSTEM;
	for (ifa = all; ifa && !result; ifa = ifa->ifa_next) {
		union inet one;

		if (!find_broadcast(ifa, family, &one))
			continue;
		*inet_port(&one) = port;
		/* An interface has several addresses of one network. */
		if (!is_listed(list, &one))
			result = add_inet(list, &one, port);
	}
	freeifaddrs(all);
	if (result || list->n_cnt)
		return result;
	/*
	 * If no interface has a broadcast address, the family's general one is
	 * used.
	 */
	return family == AF_INET ? add_inet(list, &addr, port) : ND_NOHOST;
}

int nd_inet_byname(const struct netconfig *nc, const char *host, const char *service,
		   struct nd_addrlist *list)
{
	int family = nd_inet_family(nc), result;
	union inet addr = { .sa.sa_family = family };
	uint16_t port;

	result = find_port(nc, service, &port);
	if (result)
		return result;
	if (!strcmp(host, HOST_SELF) || !strcmp(host, HOST_ANY))
		return add_inet(list, &addr, port);
	if (!strcmp(host, HOST_SELF_CONNECT)) {
		if (family == AF_INET)
			addr.sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		else
			addr.sin6.sin6_addr = in6addr_loopback;
		return add_inet(list, &addr, port);
	}
	if (!strcmp(host, HOST_BROADCAST))
		return nd_inet_datagrams(nc) ? add_broadcast(family, port, list) : ND_NOHOST;
	return add_host(family, host, port, list);
}

/* Returns the name of a port, or its number; the text is allocated. */
static char *port_name(const struct netconfig *nc, uint16_t port)
{
	const char *protocol = nc->nc_proto ? nc->nc_proto : NC_NOPROTO;
	struct servent entry, *found = NULL;
	char text[4096], *name;

	getservbyport_r(port, protocol, &entry, text, sizeof(text), &found);
	if (found)
		return strdup(found->s_name);
	return asprintf(&name, "%u", ntohs(port)) < 0 ? NULL : name;
}

int nd_inet_byaddr(const struct netconfig *nc, const struct netbuf *addr,
		   struct nd_hostserv *names)
{
	uint16_t *port = nd_inet_port(nc, addr);
	union inet inet, any = { .sa.sa_family = nd_inet_family(nc) };
	char host[NI_MAXHOST] = "";
	int error;

	if (!port)
		return ND_BADARG;
	memcpy(&inet, addr->buf, inet_size(any.sa.sa_family));
	*inet_port(&any) = *port;
	if (!memcmp(&inet, &any, inet_size(any.sa.sa_family))) {
		/* A service that listens on any address is on this host. */
		if (gethostname(host, sizeof(host) - 1))
			return ND_SYSTEM;
	} else {
		error = getnameinfo(&inet.sa, inet_size(any.sa.sa_family), host, sizeof(host),
				    NULL, 0, NI_NAMEREQD);
		if (error)
			return lookup_error(error);
	}
	names->h_host = strdup(host);
	names->h_serv = port_name(nc, *port);
	return names->h_host && names->h_serv ? ND_OK : ND_NOMEM;
}
