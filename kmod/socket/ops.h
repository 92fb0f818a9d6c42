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
/* Makes the operations of a family's sockets, without sending and receiving, of the kernel's. */
void __init strsock_ops_make(struct proto_ops *ops, const struct proto_ops *native);
void __init strsock_ops_init(void);
void __init strsock_ops_register(void);
void strsock_ops_unregister(void);

#endif /* _SOCKET_OPS_H */
