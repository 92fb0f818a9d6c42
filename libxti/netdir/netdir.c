// SPDX-License-Identifier: LGPL-2.1-or-later
/* netdir_getbyname() and netdir_getbyaddr(): names of hosts and services */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inet.h"
#include "kind.h"
#include "netbuf.h"
#include "uaddr.h"

static bool is_this_host(const char *host)
{
	char name[256] = "";

	if (!strcmp(host, HOST_SELF) || !strcmp(host, HOST_ANY) ||
	    !strcmp(host, HOST_SELF_CONNECT) || !strcmp(host, "localhost"))
		return true;
	return !gethostname(name, sizeof(name) - 1) && !strcmp(host, name);
}

/* The address of a service within the host is its name. */
static int find_bytes_byname(const char *host, const char *service, struct nd_addrlist *list)
{
	if (!is_this_host(host))
		return ND_NOHOST;
	if (strlen(service) > ND_BYTES_MAX)
		return ND_NOSERV;
	return nd_add_addr(list, service, strlen(service));
}

static int find_bytes_byaddr(const struct netbuf *addr, struct nd_hostserv *names)
{
	char name[256] = "";

	if (!addr->len || addr->len > ND_BYTES_MAX)
		return ND_BADARG;
	if (gethostname(name, sizeof(name) - 1))
		return ND_SYSTEM;
	names->h_host = strdup(name);
	names->h_serv = nd_bytes_text(addr);
	return names->h_host && names->h_serv ? ND_OK : ND_NOMEM;
}

static int find_byname(const struct netconfig *nc, const char *host, const char *service,
		       struct nd_addrlist *list)
{
	switch (nd_find_kind(nc)) {
	case ND_INET:
		return nd_inet_byname(nc, host, service, list);
	case ND_BYTES:
		return find_bytes_byname(host, service, list);
	default:
		return ND_NOSYM;
	}
}

/**
 * netdir_getbyname() - find the addresses of a service
 * @nc: the transport
 * @service: the host, or HOST_SELF ..., and the service: a name, a number, or
 *	none, for an address whose port is 0
 * @addrs: receives the addresses, for netdir_free() with ND_ADDRLIST
 *
 * Return: ND_OK or another result, which is in _nderror too.
 */
int netdir_getbyname(struct netconfig *nc, struct nd_hostserv *service,
		     struct nd_addrlist **addrs)
{
	struct nd_addrlist *list;
	int result;

	if (!nc || !service || !service->h_host || !addrs)
		return _nderror = ND_BADARG;
	list = calloc(1, sizeof(*list));
	if (!list)
		return _nderror = ND_NOMEM;
	result = find_byname(nc, service->h_host, service->h_serv ? service->h_serv : "", list);
	if (result) {
		int saved = errno;

		netdir_free(list, ND_ADDRLIST);
		errno = saved;
	} else {
		*addrs = list;
	}
	return _nderror = result;
}

/**
 * netdir_getbyaddr() - find the names of an address
 * @nc: the transport
 * @services: receives a list, for netdir_free() with ND_HOSTSERVLIST
 * @addr: the address
 *
 * Return: ND_OK or another result, which is in _nderror too.
 */
int netdir_getbyaddr(struct netconfig *nc, struct nd_hostservlist **services,
		     struct netbuf *addr)
{
	struct nd_hostservlist *list;
	int result;

	if (!nc || !services || !addr || !addr->buf)
		return _nderror = ND_BADARG;
	list = calloc(1, sizeof(*list));
	if (!list)
		return _nderror = ND_NOMEM;
	list->h_hostservs = calloc(1, sizeof(*list->h_hostservs));
	if (!list->h_hostservs) {
		free(list);
		return _nderror = ND_NOMEM;
	}
	list->h_cnt = 1;
	switch (nd_find_kind(nc)) {
	case ND_INET:
		result = nd_inet_byaddr(nc, addr, list->h_hostservs);
		break;
	case ND_BYTES:
		result = find_bytes_byaddr(addr, list->h_hostservs);
		break;
	default:
		result = ND_NOSYM;
	}
	if (result) {
		int saved = errno;

		netdir_free(list, ND_HOSTSERVLIST);
		errno = saved;
	} else {
		*services = list;
	}
	return _nderror = result;
}

static void free_addrs(struct netbuf *addrs, int n)
{
	int i;

	for (i = 0; i < n; i++)
		free(addrs[i].buf);
	free(addrs);
}

static void free_names(struct nd_hostserv *names, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		free(names[i].h_host);
		free(names[i].h_serv);
	}
	free(names);
}

/**
 * netdir_free() - free what the functions of netdir allocated
 * @ptr: from netdir_getbyname(), netdir_getbyaddr() or uaddr2taddr(); or NULL
 * @type: its type: ND_ADDR, ND_ADDRLIST, ND_HOSTSERV or ND_HOSTSERVLIST
 */
void netdir_free(void *ptr, int type)
{
	struct nd_addrlist *addrs = ptr;
	struct nd_hostservlist *names = ptr;

	if (!ptr)
		return;
	switch (type) {
	case ND_ADDR:
		free_addrs(ptr, 1);
		break;
	case ND_ADDRLIST:
		free_addrs(addrs->n_addrs, addrs->n_cnt);
		free(addrs);
		break;
	case ND_HOSTSERV:
		free_names(ptr, 1);
		break;
	case ND_HOSTSERVLIST:
		free_names(names->h_hostservs, names->h_cnt);
		free(names);
	}
}
