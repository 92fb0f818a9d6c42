/* SPDX-License-Identifier: GPL-2.0-only */
/* The protocol behind STREAMS sockets */
#ifndef _SOCKET_PROTO_H
#define _SOCKET_PROTO_H

#include <linux/init.h>

int __init strsock_proto_init(void);
void strsock_proto_exit(void);

#endif /* _SOCKET_PROTO_H */
