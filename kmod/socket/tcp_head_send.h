/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending on a TCP socket that has a stream, and the provider's write side */
#ifndef _SOCKET_TCP_HEAD_SEND_H
#define _SOCKET_TCP_HEAD_SEND_H

#include "tcp_head.h"

extern struct qinit strsock_tcp_head_winit;

int strsock_tcp_head_sendmsg(struct strsock_tcp_head *h, struct msghdr *msg, size_t len);
int strsock_tcp_head_release(struct strsock_tcp_head *h);
void strsock_tcp_head_drain(struct strsock_tcp_head *h);
bool strsock_tcp_head_sendable(struct strsock_tcp_head *h);
void strsock_tcp_head_send_held(struct strsock_tcp_head *h);
void strsock_tcp_head_send_rest(struct strsock_tcp_head *h, long timeo);
bool strsock_tcp_head_writable(struct strsock_tcp_head *h);
bool strsock_tcp_head_waits(const struct strsock_tcp_head *h);
int strsock_tcp_head_wput(queue_t *q, mblk_t *mp);
int strsock_tcp_head_wsrv(queue_t *q);

#endif /* _SOCKET_TCP_HEAD_SEND_H */
