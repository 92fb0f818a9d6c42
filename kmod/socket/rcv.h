/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving on a STREAMS socket */
#ifndef _SOCKET_RCV_H
#define _SOCKET_RCV_H

#include <linux/socket.h>
#include <net/sock.h>

int strsock_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		    int *addr_len);
int strsock_recvmsg6(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len);

#endif /* _SOCKET_RCV_H */
