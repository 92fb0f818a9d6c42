/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* renew.h - making sockets for endpoints, and replacing an endpoint's socket */
#ifndef _LIBXTI_SOCK_RENEW_H
#define _LIBXTI_SOCK_RENEW_H

#include "end.h"

/*
 * Marks a socket as one of this library's. Returns -1 with errno on an error.
 */
LOCAL int sock_mark(int fd, const struct sock_kind *kind);
/*
 * Makes a new socket of that kind, with the mark. Returns -1 with errno on an
 * error.
 */
LOCAL int sock_make(const struct sock_kind *kind, int protocol);
/*
 * Puts a socket in the place of the endpoint's, whose number and flags it gets;
 * the original descriptor is closed. Returns TBADF when another thread has
 * closed the endpoint.
 */
LOCAL int sock_replace(struct endpoint *ep, int fd);
/*
 * Puts a new socket with the endpoint's options in the place of its socket.
 * Returns TSYSERR on an error.
 */
LOCAL int sock_renew(struct endpoint *ep, int protocol);

#endif /* _LIBXTI_SOCK_RENEW_H */
