/* SPDX-License-Identifier: GPL-2.0-only */
/* A STREAMS socket: a sock of the kernel's UDP, its datagrams carried by us */
#ifndef _SOCKET_SOCK_H
#define _SOCKET_SOCK_H

#include <linux/container_of.h>
#include <linux/udp.h>
#include <net/inet_sock.h>
#include <net/rps.h>

#include "streams/head/stat.h"
#include "udp/udp.h"

struct socket;
struct sthead;

struct str_sock {
	struct udp_sock udp;	/* has to be the first member */
	struct strudp_cache cache;
	struct str_entry entry;	/* its line in /proc/streams/open */
	struct sthead *head;	/* its stream; NULL: it has none */
	bool native;		/* it may get none: see sthead_exclude() */
};

static inline struct str_sock *str_sk(struct sock *sk)
{
	return container_of(sk, struct str_sock, udp.inet.sk);
}

/* For a caller that holds the socket's file; else under RCU. */
static inline struct sthead *str_sock_head(struct sock *sk)
{
	/* It is set once, after its contents, and freed with the socket. */
	return smp_load_acquire(&str_sk(sk)->head);
}

/*
 * For code called through the socket's hook or its operations, which were read
 * first; NULL in a hook: the socket is being closed.
 */
static inline struct sthead *str_sock_its_head(struct sock *sk)
{
	/* Pairs with sthead_publish(). */
	smp_rmb();
	return str_sock_head(sk);
}

/* proto.c */
extern struct proto str_udp_prot;

/* Gives a sock a port that the kernel chooses. 0 or -EAGAIN. */
int str_sock_autobind(struct sock *sk);

/* As the kernel does before it sends: a sock without a port gets one. */
static inline int str_sock_send_prepare(struct sock *sk)
{
	sock_rps_record_flow(sk);
	return likely(READ_ONCE(inet_sk(sk)->inet_num)) ? 0 :
							  str_sock_autobind(sk);
}

/* A new sock, which the kernel has made its own UDP's, becomes ours. */
void str_sock_begin(struct sock *sk);
/* Ends that, once or again. May sleep. */
void str_sock_forget(struct sock *sk);
/* Counts its socks with another's; returns the value to restore at the end. */
unsigned int str_proto_share(struct proto *prot, const struct proto *with);
void str_proto_unshare(struct proto *prot, unsigned int own);

int __init str_proto_init(void);
void str_proto_exit(void);

/* rcv.c */
int str_sock_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		     int *addr_len);
bool str_sock_checksum_ok(struct sock *sk, struct sk_buff *skb);
int str_sock_give(struct sock *sk, struct sk_buff *skb, int off,
		  struct msghdr *msg, size_t len, int flags, int *addr_len);
bool str_sock_is_plain6(const struct sock *sk, const struct msghdr *msg,
			int flags);
int str_sock_recvmsg6(struct sock *sk, struct msghdr *msg, size_t len,
		      int flags, int *addr_len);

/* ops.c */
/* Of one of AF_INET6 that the kernel has made one of AF_INET, sock locked. */
void str_sock_inet(struct socket *sock);
int str_sock_release(struct socket *sock);
void __init str_ops_init(void);
void __init str_ops_register(void);
void str_ops_unregister(void);

/* inet6.c: AF_INET6; not there without IPv6 */
int __init str_inet6_init(void);
void str_inet6_exit(void);

/* stream.c */
void __init str_stream_init(void);
void str_stream_exit(void);

#endif /* _SOCKET_SOCK_H */
