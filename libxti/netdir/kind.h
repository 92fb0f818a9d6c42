/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kind.h - how a transport's addresses are made
 *
 * A function of the folder netdir returns ND_OK or another of <netdir.h>'s results;
 * with ND_SYSTEM errno says more.
 */
#ifndef _LIBXTI_NETDIR_KIND_H
#define _LIBXTI_NETDIR_KIND_H

#include <netdir.h>
#include <stdbool.h>
#include <xti.h>

#include "core/error.h"

enum nd_kind {
	ND_INET,		/* struct sockaddr_in, struct sockaddr_in6 */
	ND_BYTES,		/* a loopback transport's: any bytes */
	ND_PATH,		/* libtirpc's own transport: struct sockaddr_un */
	ND_OTHER		/* unknown here */
};

#define ND_BYTES_MAX	128	/* bytes of an address of a loopback transport */

LOCAL enum nd_kind nd_find_kind(const struct netconfig *nc);
/* Returns AF_INET or AF_INET6 for a transport of the Internet. */
LOCAL int nd_inet_family(const struct netconfig *nc);
/* Returns whether a transport of the Internet sends datagrams. */
LOCAL bool nd_inet_datagrams(const struct netconfig *nc);

#endif /* _LIBXTI_NETDIR_KIND_H */
