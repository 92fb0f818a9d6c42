/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* conn.h - connecting and disconnecting: T_CONN_REQ, T_CONN_CON, T_DISCON_REQ */
#ifndef _LIBXTI_SOCK_CONN_H
#define _LIBXTI_SOCK_CONN_H

#include "end.h"

LOCAL int sock_connect(struct endpoint *ep, const struct tpi_req *req);
LOCAL int sock_disconnect(struct endpoint *ep, const struct tpi_req *req);
/* The function is the service's peek_type() of an endpoint that has no connection. */
LOCAL int sock_conn_peek_type(struct endpoint *ep, int *type);
/* The function is the service's take_message() of everything but data. */
LOCAL int sock_conn_take_message(struct endpoint *ep, int type, struct tpi_msg *msg);

#endif /* _LIBXTI_SOCK_CONN_H */
