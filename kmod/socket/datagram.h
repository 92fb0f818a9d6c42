/* SPDX-License-Identifier: GPL-2.0-only */
/* A datagram, from the queue of the kernel's UDP to the receive call */
#ifndef _SOCKET_DATAGRAM_H
#define _SOCKET_DATAGRAM_H

#include <linux/socket.h>
#include <net/sock.h>

bool strsock_checksum_ok(struct sock *sk, struct sk_buff *skb);
int strsock_datagram(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len);
int strsock_give(struct sock *sk, struct sk_buff *skb, int off,
		 struct msghdr *msg, size_t len, int flags, int *addr_len);
bool strsock_datagram_is_plain6(const struct sock *sk, const struct msghdr *msg,
				int flags);
int strsock_datagram6(struct sock *sk, struct msghdr *msg, size_t len,
		      int flags, int *addr_len);

#endif /* _SOCKET_DATAGRAM_H */
