/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream of a STREAMS socket: its lifetime */
#ifndef _SOCKET_HEAD_LIFE_H
#define _SOCKET_HEAD_LIFE_H

#include <linux/net.h>

struct strsock_head;

/* A socket that has a stream has these operations; head_ops.c fills them in. */
extern struct proto_ops strsock_head_ops, strsock_head6_ops;

struct strsock_head *strsock_head_get(struct socket *sock);
/* Returns whether sockets may become streams at all: a parameter of the module. */
bool strsock_head_allowed(void);
bool strsock_head_able(struct sock *sk);
void strsock_head_close(struct socket *sock);
int strsock_head_exclude(struct sock *sk);

#endif /* _SOCKET_HEAD_LIFE_H */
