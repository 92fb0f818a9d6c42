/* SPDX-License-Identifier: GPL-2.0-only */
/* Options and ioctls of a STREAMS socket of TCP */
#ifndef _SOCKET_TCP_OPT_H
#define _SOCKET_TCP_OPT_H

struct proto_ops;
struct socket;

/* Replaces the kernel's calls that the short way makes differ. */
void strsock_tcp_opt_init(struct proto_ops *ops);
int strsock_tcp_skip_unread(char __user *val, int __user *len, size_t unread);
int strsock_tcp_opt_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);

#endif /* _SOCKET_TCP_OPT_H */
