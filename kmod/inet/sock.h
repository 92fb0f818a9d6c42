/* SPDX-License-Identifier: GPL-2.0-only */
/* Sockets of an endpoint */
#ifndef _TPI_INET_SOCK_H
#define _TPI_INET_SOCK_H

#include "end.h"

enum inet_farewell {
	INET_KEEP,		/* as XTI_LINGER says; may sleep that long */
	INET_RELEASE,		/* the kernel sends the remaining data */
	INET_ABORT,		/* the peer is informed */
};

int inet_sock_first(struct inet_end *ep);
/* 0, or -EBUSY: it has another owner. */
int inet_sock_hook(struct inet_end *ep, struct socket *sock);
void inet_sock_unhook(struct inet_end *ep, struct socket *sock);
void inet_sock_end(struct inet_end *ep, struct socket *sock,
		   enum inet_farewell how);
int inet_sock_create(struct inet_end *ep, int protocol, struct socket **res);
int inet_sock_accept(struct inet_end *ep, struct socket **res);
int inet_sock_renew(struct inet_end *ep, enum inet_farewell how);
int inet_sock_bind(struct socket *sock, struct sockaddr_in *sin);
int inet_sock_rebind(struct inet_end *ep);
int inet_sock_connect(struct socket *sock, struct sockaddr_in *sin);
/* false: it has none. */
bool inet_sock_name(struct socket *sock, struct sockaddr_in *sin);
bool inet_sock_peer(struct socket *sock, struct sockaddr_in *sin);

#endif /* _TPI_INET_SOCK_H */
