/* SPDX-License-Identifier: GPL-2.0-only */
/* A STREAMS socket: a sock of the kernel's UDP, its datagrams carried by us */
#ifndef _SOCKET_SOCK_H
#define _SOCKET_SOCK_H

#include <linux/container_of.h>
#include <linux/udp.h>

#include "../streams/stat.h"
#include "../tpi/udp.h"

struct str_sock {
	struct udp_sock udp;	/* has to be the first member */
	struct strudp_cache cache;
	struct str_entry entry;	/* its line in /proc/streams/open */
};

static inline struct str_sock *str_sk(struct sock *sk)
{
	return container_of(sk, struct str_sock, udp.inet.sk);
}

/* proto.c */
extern struct proto str_udp_prot;

int __init str_proto_init(void);
void str_proto_exit(void);

/* rcv.c */
void str_sock_hook(struct sock *sk);
int str_sock_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len);

/* ops.c */
int __init str_ops_init(void);
void str_ops_exit(void);

#endif /* _SOCKET_SOCK_H */
