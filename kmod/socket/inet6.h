/* SPDX-License-Identifier: GPL-2.0-only */
/* STREAMS sockets of AF_INET6: none without IPv6 */
#ifndef _SOCKET_INET6_H
#define _SOCKET_INET6_H

#include <linux/init.h>

int __init strsock_inet6_init(void);
void strsock_inet6_exit(void);

#endif /* _SOCKET_INET6_H */
