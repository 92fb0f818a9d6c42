/* SPDX-License-Identifier: GPL-2.0-only */
/* The protocol behind STREAMS sockets */
#ifndef _SOCKET_PROTO_H
#define _SOCKET_PROTO_H

#include <linux/init.h>
#include <linux/sockptr.h>
#include <net/sock.h>

/* These two are operations of the protocols of both families. */
int strsock_setsockopt(struct sock *sk, int level, int optname, sockptr_t optval,
		       unsigned int optlen);
int strsock_getsockopt(struct sock *sk, int level, int optname, char __user *optval,
		       int __user *optlen);
int __init strsock_proto_init(void);
void strsock_proto_exit(void);

#endif /* _SOCKET_PROTO_H */
