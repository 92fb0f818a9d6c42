// SPDX-License-Identifier: GPL-2.0-only
/* 6.10: a socket's accept() takes all arguments in a struct proto_accept_arg */
#include <linux/net.h>
#include <net/sock.h>

int probe(struct socket *sock, struct socket *newsock);
int probe(struct socket *sock, struct socket *newsock)
{
	struct proto_accept_arg arg = { .flags = O_NONBLOCK };

	return sock->ops->accept(sock, newsock, &arg);
}
