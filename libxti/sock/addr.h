/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* addr.h - the addresses of endpoints: T_BIND_REQ, T_UNBIND_REQ, T_ADDR_REQ */
#ifndef _LIBXTI_SOCK_ADDR_H
#define _LIBXTI_SOCK_ADDR_H

#include "end.h"

LOCAL int sock_bind(struct endpoint *ep, const struct tpi_req *req,
		    struct tpi_msg *ack);
LOCAL int sock_unbind(struct endpoint *ep);
LOCAL int sock_report_addrs(struct endpoint *ep, struct tpi_msg *ack);
/* Gives the socket the endpoint's address, if it lacks the address: 0 or an errno. */
LOCAL int sock_rebind(struct endpoint *ep);

#endif /* _LIBXTI_SOCK_ADDR_H */
