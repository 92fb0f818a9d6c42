/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cmsg.h - the options of a datagram, as control messages of the kernel */
#ifndef _LIBXTI_SOCK_CMSG_H
#define _LIBXTI_SOCK_CMSG_H

#include "end.h"

/*
 * Makes control messages of the options to send a datagram with: 0 or an errno.
 * mapped: IPv4 carries the datagram of an IPv6 endpoint.
 */
LOCAL int sock_cmsg_make(const struct sock_kind *kind, const void *opt, size_t len,
			 struct msghdr *msg, size_t room, bool mapped, int *flags);
/* Stores the options that a datagram came with; returns their bytes. */
LOCAL size_t sock_cmsg_options(const struct sock_kind *kind, struct msghdr *msg,
			       char *to, size_t room);

#endif /* _LIBXTI_SOCK_CMSG_H */
