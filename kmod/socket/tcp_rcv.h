/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving what came the short way, and what TCP brought, in the order it was sent */
#ifndef _SOCKET_TCP_RCV_H
#define _SOCKET_TCP_RCV_H

#include <linux/types.h>

struct msghdr;
struct pipe_inode_info;
struct sock;
struct socket;
struct strsock_tcp;

int strsock_tcp_recvmsg(struct strsock_tcp *s, struct socket *sock, struct msghdr *msg,
			size_t len, int flags);
ssize_t strsock_tcp_splice(struct strsock_tcp *s, struct socket *sock, loff_t *pos,
			   struct pipe_inode_info *pipe, size_t len, unsigned int flags);
/* Returns the unread bytes in the ring, once all that TCP has to bring before has come. */
size_t strsock_tcp_unread(const struct strsock_tcp *s);
/* Returns the bytes that TCP brought before those, while there are some in the ring. */
size_t strsock_tcp_before_ring(const struct strsock_tcp *s);
/* Returns how many bytes the next read may return, or 0; *ring: they came the short way. */
size_t strsock_tcp_coming(const struct strsock_tcp *s, bool *ring);
bool strsock_tcp_is_at_mark(const struct sock *sk);
int strsock_tcp_has_nothing(struct sock *sk, bool ended);

#endif /* _SOCKET_TCP_RCV_H */
