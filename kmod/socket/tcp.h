/* SPDX-License-Identifier: GPL-2.0-only */
/* STREAMS sockets of SOCK_STREAM: the kernel's TCP, and a short way on this host */
#ifndef _SOCKET_TCP_H
#define _SOCKET_TCP_H

#include <linux/init.h>

int __init strsock_tcp_init(void);
void __init strsock_tcp_register(void);
void strsock_tcp_unregister(void);

#endif /* _SOCKET_TCP_H */
