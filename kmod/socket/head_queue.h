/* SPDX-License-Identifier: GPL-2.0-only */
/* The receive queue of a socket that has a stream */
#ifndef _SOCKET_HEAD_QUEUE_H
#define _SOCKET_HEAD_QUEUE_H

#include "head.h"

int strsock_head_collect(struct strsock_head *h);
void strsock_head_collect_quietly(struct strsock_head *h);
bool strsock_head_queued(struct strsock_head *h, const struct sk_buff *last);
int strsock_head_enqueue(struct strsock_head *h, struct sk_buff *skb);
struct sk_buff *strsock_head_dequeue(struct strsock_head *h);
struct sk_buff *strsock_head_first(struct strsock_head *h);
bool strsock_head_take(struct strsock_head *h, struct sk_buff *skb);
void strsock_head_queue_init(struct strsock_head *h);
void strsock_head_queue_end(struct strsock_head *h);
void strsock_head_purge(struct strsock_head *h);
int strsock_head_receive(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, struct sk_buff **last);

#endif /* _SOCKET_HEAD_QUEUE_H */
