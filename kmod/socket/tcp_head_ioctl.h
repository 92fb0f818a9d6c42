/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of a TCP socket that has a stream, or may get one */
#ifndef _SOCKET_TCP_HEAD_IOCTL_H
#define _SOCKET_TCP_HEAD_IOCTL_H

#include <linux/net.h>

/* Handles the first STREAMS call on a socket, which makes it a stream. */
long strsock_tcp_head_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
			    bool compat);
/* These are operations of a socket that has a stream. */
int strsock_tcp_head_ops_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
#ifdef CONFIG_COMPAT
int strsock_tcp_head_ops_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
#endif

#endif /* _SOCKET_TCP_HEAD_IOCTL_H */
