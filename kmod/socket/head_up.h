/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arriving data, on its way up: from a socket that has a stream to the stream's queue
 */
#ifndef _SOCKET_HEAD_UP_H
#define _SOCKET_HEAD_UP_H

#include "head.h"

extern struct qinit strsock_head_rinit;

void strsock_head_hook(struct sock *sk);
/* The put procedure of a stream head calls these: they consume the message, or return it. */
mblk_t *strsock_head_limited(queue_t *q, mblk_t *mp);
mblk_t *strsock_head_options(mblk_t *mp);

#endif /* _SOCKET_HEAD_UP_H */
