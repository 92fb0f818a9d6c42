/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls on STREAMS sockets */
#ifndef _SOCKET_OPS_H
#define _SOCKET_OPS_H

#include <linux/init.h>
#include <linux/net.h>

/*
 * Called for a socket of AF_INET6 that the kernel has made one of AF_INET, with the sock
 * locked.
 */
void strsock_inet(struct socket *sock);
/* These are operations of the sockets of both families. */
int strsock_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
#ifdef CONFIG_COMPAT
int strsock_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
#endif
void __init strsock_ops_init(void);
void __init strsock_ops_register(void);
void strsock_ops_unregister(void);

#endif /* _SOCKET_OPS_H */
