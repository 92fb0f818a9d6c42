/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name.h - the names that sockets of the loopback transports have
 *
 * ticots and ticotsord are SOCK_SEQPACKET, ticlts is SOCK_DGRAM, all of AF_UNIX.
 *
 * The sockets have abstract names, which the kernel knows within a network
 * namespace, and which end with their sockets. Such names have no owner. So a
 * name contains the number of a user; a caller tries its own user and then
 * root, and trusts a socket that answers only if the kernel says that it
 * belongs to that user.
 */
#ifndef _LIBXTI_SOCK_LOOP_NAME_H
#define _LIBXTI_SOCK_LOOP_NAME_H

#include <sys/un.h>

#include "sock/end.h"

#define LOOP_QLEN_MAX	1024	/* connections that wait to be accepted */

/* Makes the name that an address has for that user; returns its length. */
LOCAL socklen_t loop_make_name(const struct sock_kind *kind, uid_t user,
			       const struct sock_addr *addr, struct sockaddr_un *name);
/*
 * Replaces a name by its address. The address is empty when the name does not
 * hold all of its bytes.
 */
LOCAL void loop_parse_name(struct sock_addr *addr);
/* Returns whether a socket of that name may claim the address. */
LOCAL bool loop_name_has_addr(const struct sock_kind *kind, const struct sock_addr *addr,
			      const struct sockaddr_un *name, socklen_t len);
/* Lists the users whose names are tried; returns their number, 1 or 2. */
LOCAL int loop_list_users(uid_t user[2]);
/*
 * Gives the endpoint's socket a name. Returns 0 or an errno. An address of no
 * bytes stands for any free one.
 */
LOCAL int loop_bind(struct endpoint *ep, struct sock_addr *addr);

#endif /* _LIBXTI_SOCK_LOOP_NAME_H */
