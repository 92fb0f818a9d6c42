// SPDX-License-Identifier: LGPL-2.1-or-later
/* How a transport's addresses are made */
#include <string.h>
#include <sys/socket.h>

#include "kind.h"

enum nd_kind nd_find_kind(const struct netconfig *nc)
{
	const char *family = nc->nc_protofmly ? nc->nc_protofmly : NC_NOPROTOFMLY;

	if (!strcmp(family, NC_INET) || !strcmp(family, NC_INET6))
		return ND_INET;
	if (strcmp(family, NC_LOOPBACK))
		return ND_OTHER;
	/* libtirpc's lines have no device. */
	return nc->nc_device && nc->nc_device[0] == '/' ? ND_BYTES : ND_PATH;
}

int nd_inet_family(const struct netconfig *nc)
{
	return strcmp(nc->nc_protofmly, NC_INET6) ? AF_INET : AF_INET6;
}

bool nd_inet_datagrams(const struct netconfig *nc)
{
	return nc->nc_semantics == NC_TPI_CLTS || nc->nc_semantics == NC_TPI_RAW;
}
