// SPDX-License-Identifier: LGPL-2.1-or-later
/* netdir_options(): options that transports share under different names */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>

#include "inet.h"
#include "kind.h"

/*
 * Programs may take these reserved ports: the lower half is for well-known
 * services.
 */
#define RESERVED_LAST	(IPPORT_RESERVED - 1)
#define RESERVED_FIRST	(IPPORT_RESERVED / 2)

/* Returns the result for the error of a function of XTI. */
static int xti_failure(void)
{
	switch (t_errno) {
	case TACCES:
		return ND_ACCESS;
	case TSYSERR:
		return errno == EACCES || errno == EPERM ? ND_ACCESS : ND_SYSTEM;
	default:
		return ND_FAILCTRL;
	}
}

static int set_broadcast(const struct netconfig *nc, int fd)
{
	struct {
		struct t_opthdr head;
		t_uscalar_t value;
	} option = {
		.head = {
			.len = sizeof(option),
			.level = T_INET_IP,
			.name = T_IP_BROADCAST,
		},
		.value = T_YES,
	}, answer = { };
	struct t_optmgmt req = {
		.opt = { sizeof(option), sizeof(option), &option },
		.flags = T_NEGOTIATE,
	}, ret = {
		.opt = { sizeof(answer), 0, &answer },
	};

	if (nd_inet_family(nc) != AF_INET || !nd_inet_datagrams(nc))
		return ND_NOCTRL;
	if (t_optmgmt(fd, &req, &ret))
		return xti_failure();
	return ret.flags == T_SUCCESS ? ND_OK : ND_FAILCTRL;
}

static int bind_reserved(const struct netconfig *nc, int fd, const struct netbuf *given)
{
	struct sockaddr_storage addr = { .ss_family = nd_inet_family(nc) };
	struct t_bind req = { .addr = { sizeof(addr), 0, &addr } };
	unsigned int port, first = getpid() % (RESERVED_LAST - RESERVED_FIRST + 1), i;

	req.addr.len = addr.ss_family == AF_INET ? sizeof(struct sockaddr_in) :
						   sizeof(struct sockaddr_in6);
	if (given) {
		if (!nd_inet_port(nc, given))
			return ND_BADARG;
		memcpy(&addr, given->buf, req.addr.len);
	}
	/* Programs that start at once do not all try the same ports. */
	for (i = 0; i <= RESERVED_LAST - RESERVED_FIRST; i++) {
		port = RESERVED_FIRST + (first + i) % (RESERVED_LAST - RESERVED_FIRST + 1);
		*nd_inet_port(nc, &req.addr) = htons(port);
		if (!t_bind(fd, &req, NULL))
			return ND_OK;
		if (t_errno != TADDRBUSY)
			return xti_failure();
	}
	return ND_FAILCTRL;
}

static int check_reserved(const struct netconfig *nc, const struct netbuf *addr)
{
	uint16_t *port = addr ? nd_inet_port(nc, addr) : NULL;

	if (!port)
		return ND_BADARG;
	return ntohs(*port) < IPPORT_RESERVED ? ND_OK : ND_FAILCTRL;
}

static bool is_any(const struct sockaddr *addr)
{
	const struct sockaddr_in *sin = (const void *)addr;
	const struct sockaddr_in6 *sin6 = (const void *)addr;

	return addr->sa_family == AF_INET ? sin->sin_addr.s_addr == INADDR_ANY :
					    IN6_IS_ADDR_UNSPECIFIED(&sin6->sin6_addr);
}

/*
 * Replaces the server's address by the one that its client reaches: the
 * wildcard stands for this host's address on the way to the client, which
 * routing determines.
 */
static int reached_by(const struct netconfig *nc, struct netbuf *server,
		      const struct netbuf *client)
{
	struct sockaddr_storage local;
	socklen_t len = sizeof(local);
	uint16_t port = *nd_inet_port(nc, server);
	int fd, saved;

	if (!is_any((void *)server->buf))
		return ND_OK;
	fd = socket(nd_inet_family(nc), SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return ND_SYSTEM;
	if (connect(fd, (void *)client->buf, client->len) ||
	    getsockname(fd, (struct sockaddr *)&local, &len)) {
		saved = errno;
		close(fd);
		errno = saved;
		return ND_SYSTEM;
	}
	close(fd);
	memcpy(server->buf, &local, server->len);
	*nd_inet_port(nc, server) = port;
	return ND_OK;
}

static int merge_addrs(const struct netconfig *nc, struct nd_mergearg *arg)
{
	struct netbuf *server = NULL, *client = NULL;
	int result = ND_BADARG;

	if (!arg || !arg->s_uaddr || !arg->c_uaddr)
		return ND_BADARG;
	if (nd_find_kind(nc) != ND_INET) {
		arg->m_uaddr = strdup(arg->s_uaddr);
		return arg->m_uaddr ? ND_OK : ND_NOMEM;
	}
	server = uaddr2taddr(nc, arg->s_uaddr);
	client = uaddr2taddr(nc, arg->c_uaddr);
	if (server && client)
		result = reached_by(nc, server, client);
	if (!result) {
		arg->m_uaddr = taddr2uaddr(nc, server);
		if (!arg->m_uaddr)
			result = ND_NOMEM;
	}
	netdir_free(server, ND_ADDR);
	netdir_free(client, ND_ADDR);
	return result;
}

static int handle_option(const struct netconfig *nc, int what, int fd, void *arg)
{
	if (nd_find_kind(nc) == ND_OTHER)
		return ND_NOSYM;
	if (what == ND_MERGEADDR)
		return merge_addrs(nc, arg);
	if (what < ND_SET_BROADCAST || what > ND_MERGEADDR)
		return ND_UKNWN;
	/* Within a host there are neither broadcasts nor reserved addresses. */
	if (nd_find_kind(nc) != ND_INET)
		return ND_NOCTRL;
	switch (what) {
	case ND_SET_BROADCAST:
		return set_broadcast(nc, fd);
	case ND_SET_RESERVEDPORT:
		return bind_reserved(nc, fd, arg);
	default:
		return check_reserved(nc, arg);
	}
}

/**
 * netdir_options() - set an option of a transport, or ask for one
 * @nc: the transport
 * @what: ND_SET_BROADCAST, ND_SET_RESERVEDPORT, ND_CHECK_RESERVEDPORT or
 *	ND_MERGEADDR
 * @fd: an endpoint of it, for the first two
 * @arg: the option's argument
 *
 * Return: ND_OK or another result, which is in _nderror too.
 */
int netdir_options(struct netconfig *nc, int what, int fd, char *arg)
{
	int result = nc ? handle_option(nc, what, fd, arg) : ND_BADARG;

	return _nderror = result;
}
