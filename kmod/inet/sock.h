/* SPDX-License-Identifier: GPL-2.0-only */
/* Sockets of an endpoint */
#ifndef _STRINET_SOCK_H
#define _STRINET_SOCK_H

#include "end.h"

enum inet_farewell {
	INET_KEEP,		/* as XTI_LINGER says; may sleep that long */
	INET_RELEASE,		/* the kernel sends the remaining data */
	INET_ABORT,		/* the peer is informed */
};

void strinet_sock_begin(void);
int strinet_sock_first(struct strinet_end *ep);
/*
 * Takes over a socket's callbacks. Returns 0, or -EBUSY: the socket has another
 * owner.
 */
int strinet_sock_hook(struct strinet_end *ep, struct socket *sock);
void strinet_sock_unhook(struct strinet_end *ep, struct socket *sock);
void strinet_sock_end(struct strinet_end *ep, struct socket *sock,
		      enum inet_farewell how);
int strinet_sock_create(struct strinet_end *ep, int protocol, struct socket **res);
int strinet_sock_accept(struct strinet_end *ep, struct socket **res);
int strinet_sock_renew(struct strinet_end *ep, enum inet_farewell how);
int strinet_sock_bind(struct strinet_end *ep, struct socket *sock,
		      union tpi_addr *addr);
int strinet_sock_rebind(struct strinet_end *ep);
int strinet_sock_connect(struct strinet_end *ep, union tpi_addr *addr);
/* Both functions return false if the socket has no such address. */
bool strinet_sock_name(struct socket *sock, union tpi_addr *addr);
bool strinet_sock_peer(struct socket *sock, union tpi_addr *addr);

#endif /* _STRINET_SOCK_H */
