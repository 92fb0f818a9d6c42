/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * nd.h - declarations that the files of netdir share
 *
 * Inside the library a function returns ND_OK or another of <netdir.h>'s results;
 * with ND_SYSTEM errno says more.
 */
#ifndef _LIBXTI_ND_H
#define _LIBXTI_ND_H

#include <netdir.h>
#include <stdbool.h>
#include <stdint.h>
#include <xti.h>

#include "core/error.h"

/* How a transport's addresses are made */
enum nd_kind {
	ND_INET,		/* struct sockaddr_in, struct sockaddr_in6 */
	ND_BYTES,		/* a loopback transport's: any bytes */
	ND_PATH,		/* libtirpc's own transport: struct sockaddr_un */
	ND_OTHER		/* unknown here */
};

/* Bytes of an address of a loopback transport */
#define ND_BYTES_MAX	128

/* netdir.c: addresses, one after the other at the end of a list */
LOCAL enum nd_kind nd_kind(const struct netconfig *nc);
LOCAL int nd_add(struct nd_addrlist *list, const void *addr, size_t len);
LOCAL struct netbuf *nd_netbuf(const void *addr, size_t len);

/* inet.c */
LOCAL int nd_inet_family(const struct netconfig *nc);
/* Whether the transport sends datagrams */
LOCAL bool nd_inet_datagrams(const struct netconfig *nc);
/* The port of a socket address of the family nc has, or NULL */
LOCAL uint16_t *nd_inet_port(const struct netconfig *nc, const struct netbuf *addr);
LOCAL int nd_inet_byname(const struct netconfig *nc, const char *host,
			 const char *service, struct nd_addrlist *list);
/* The names are allocated. */
LOCAL int nd_inet_byaddr(const struct netconfig *nc, const struct netbuf *addr,
			 struct nd_hostserv *names);

/* uaddr.c: the bytes of a loopback address as text, allocated, and back */
LOCAL char *nd_bytes_text(const struct netbuf *addr);

#endif /* _LIBXTI_ND_H */
