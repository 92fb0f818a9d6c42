/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dgram.h - the service of datagrams over the Internet */
#ifndef _LIBXTI_SOCK_DGRAM_H
#define _LIBXTI_SOCK_DGRAM_H

#include "end.h"

LOCAL extern const struct sock_service sock_dgram_service;

typedef int sock_datagram_fn(struct endpoint *ep, struct tpi_msg *msg, void *data,
			     size_t size);
/*
 * The service's take_message() for datagrams; datagram takes one from the
 * socket.
 */
LOCAL int sock_dgram_take_message(struct endpoint *ep, int type, struct tpi_msg *msg,
				  void *data, size_t size, sock_datagram_fn *datagram);

#endif /* _LIBXTI_SOCK_DGRAM_H */
