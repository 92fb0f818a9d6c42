/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending on a socket that has a stream, and the provider's write side */
#ifndef _SOCKET_HEAD_SEND_H
#define _SOCKET_HEAD_SEND_H

#include "head.h"

extern struct qinit strsock_head_winit;

int strsock_head_sendmsg(struct strsock_head *h, struct msghdr *msg, size_t len);
void strsock_head_drain(struct strsock_head *h);
bool strsock_head_writable(struct strsock_head *h);
bool strsock_head_sendable(struct strsock_head *h);
void strsock_head_send_held(struct strsock_head *h, bool wait);
void strsock_head_send_rest(struct strsock_head *h, long timeo);
int strsock_head_wput(queue_t *q, mblk_t *mp);
int strsock_head_wsrv(queue_t *q);
mblk_t *strsock_head_blocks(size_t len);

#endif /* _SOCKET_HEAD_SEND_H */
