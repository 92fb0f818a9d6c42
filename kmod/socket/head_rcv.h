/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving on a socket that has a stream */
#ifndef _SOCKET_HEAD_RCV_H
#define _SOCKET_HEAD_RCV_H

#include "head.h"

int strsock_head_recvmsg(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, long timeo);
long strsock_head_getmsg(struct strsock_head *h, struct file *file,
			 struct strio_msg __user *arg);
mblk_t *strsock_head_look(struct stream *sd);
int strsock_head_read_wait(struct strsock_head *h, bool nowait);
void strsock_head_flushed(struct strsock_head *h);
void strsock_head_read_done(struct strsock_head *h);
bool strsock_head_is_shown(const mblk_t *mp);
long strsock_head_first_bytes(struct strsock_head *h);

#endif /* _SOCKET_HEAD_RCV_H */
