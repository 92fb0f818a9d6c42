/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving on a TCP socket that has a stream */
#ifndef _SOCKET_TCP_HEAD_RCV_H
#define _SOCKET_TCP_HEAD_RCV_H

#include "tcp_head.h"

extern struct qinit strsock_tcp_head_rinit;

void strsock_tcp_head_look(struct strsock_tcp_head *h, bool messages);
bool strsock_tcp_head_reads_directly(const struct strsock_tcp_head *h);
size_t strsock_tcp_head_unread(struct strsock_tcp_head *h);
size_t strsock_tcp_head_bytes(const struct strsock_tcp_head *h);
bool strsock_tcp_head_has_input(const struct strsock_tcp_head *h);
__poll_t strsock_tcp_head_messages(struct strsock_tcp_head *h);
int strsock_tcp_head_recvmsg(struct strsock_tcp_head *h, struct msghdr *msg, size_t len,
			     int flags);
long strsock_tcp_head_getmsg(struct strsock_tcp_head *h, struct file *file,
			     struct strio_msg __user *arg);
void strsock_tcp_head_watch_init(struct strsock_tcp_head *h);
void strsock_tcp_head_watch(struct strsock_tcp_head *h);
void strsock_tcp_head_unwatch(struct strsock_tcp_head *h);
int strsock_tcp_head_lock_readers(struct strsock_tcp_head *h);
void strsock_tcp_head_unlock_readers(struct strsock_tcp_head *h);
void strsock_tcp_head_forget(struct strsock_tcp_head *h);
int strsock_tcp_head_rsrv(queue_t *q);

#endif /* _SOCKET_TCP_HEAD_RCV_H */
