/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* listen.h - listening endpoints, and accepting connections: T_CONN_IND, T_CONN_RES */
#ifndef _LIBXTI_SOCK_LISTEN_H
#define _LIBXTI_SOCK_LISTEN_H

#include "end.h"

LOCAL int sock_accept(struct endpoint *ep, const struct tpi_req *req);
/* The function is the service's peek_type() of a listening endpoint. */
LOCAL int sock_listen_peek_type(struct endpoint *ep, int *type);
/* Takes a message of the type that sock_listen_peek_type() found. */
LOCAL int sock_listen_take_message(struct endpoint *ep, int type, struct tpi_msg *msg,
				   void *data, size_t size);

#endif /* _LIBXTI_SOCK_LISTEN_H */
