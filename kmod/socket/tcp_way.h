/* SPDX-License-Identifier: GPL-2.0-only */
/* The conditions under which bytes of TCP may pass their receiver without TCP */
#ifndef _SOCKET_TCP_WAY_H
#define _SOCKET_TCP_WAY_H

#include <linux/types.h>

struct strsock_tcp;

/* Returns the first obstacle, or 0: there is none. Under RCU, with the sender's lock. */
unsigned int strsock_tcp_obstacle(const struct strsock_tcp *s, const struct strsock_tcp *peer);
/*
 * Returns whether rules of netfilter are an obstacle that is over with the message that TCP
 * sends for it.
 */
bool strsock_tcp_obstacle_passes(const struct strsock_tcp *s, unsigned int obstacle);
/* Returns its name, as strstat(8) shows it. */
const char *strsock_tcp_obstacle_name(unsigned int obstacle);

#endif /* _SOCKET_TCP_WAY_H */
