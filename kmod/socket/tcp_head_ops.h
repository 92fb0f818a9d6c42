/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls on a TCP socket that has a stream */
#ifndef _SOCKET_TCP_HEAD_OPS_H
#define _SOCKET_TCP_HEAD_OPS_H

#include <linux/init.h>

void __init strsock_tcp_head_ops_init(void);

#endif /* _SOCKET_TCP_HEAD_OPS_H */
