/* SPDX-License-Identifier: GPL-2.0-only */
/* Socket buffers that are kept for the next datagram */
#ifndef _STREAMS_KEEP_H
#define _STREAMS_KEEP_H

#include <linux/init.h>

struct sk_buff;

/*
 * Returns a buffer for that many bytes, or NULL. Its user writes all bytes that can be
 * read: they were another user's.
 */
struct sk_buff *str_skb_kept(unsigned int size);
/* Frees a buffer of which the caller has the last reference, or keeps it. */
void str_skb_free(struct sk_buff *skb);

int __init str_keep_init(void);
void str_keep_exit(void);

#endif /* _STREAMS_KEEP_H */
