/* SPDX-License-Identifier: GPL-2.0-only */
/* STREAMS sockets of SOCK_STREAM: the kernel's TCP, counted */
#ifndef _SOCKET_TCP_H
#define _SOCKET_TCP_H

#include <linux/init.h>

void __init strsock_tcp_init(void);
void strsock_tcp_exit(void);

#endif /* _SOCKET_TCP_H */
