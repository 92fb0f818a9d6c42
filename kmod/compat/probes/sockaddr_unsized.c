// SPDX-License-Identifier: GPL-2.0-only
/* 6.19: bind() and connect() take a struct sockaddr_unsized */
#include <linux/net.h>

int probe(struct socket *sock, struct sockaddr_unsized *addr);
int probe(struct socket *sock, struct sockaddr_unsized *addr)
{
	return sock->ops->bind(sock, addr, 0);
}
