/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inet.h - names and addresses of the Internet's transports */
#ifndef _LIBXTI_NETDIR_INET_H
#define _LIBXTI_NETDIR_INET_H

#include <netdir.h>
#include <stdint.h>

#include "core/error.h"

/*
 * Finds the port of a socket address of the family that nc has; NULL: the
 * family is another one.
 */
LOCAL uint16_t *nd_inet_port(const struct netconfig *nc, const struct netbuf *addr);
LOCAL int nd_inet_byname(const struct netconfig *nc, const char *host,
			 const char *service, struct nd_addrlist *list);
/* Finds the names of an address, which it allocates. */
LOCAL int nd_inet_byaddr(const struct netconfig *nc, const struct netbuf *addr,
			 struct nd_hostserv *names);

#endif /* _LIBXTI_NETDIR_INET_H */
