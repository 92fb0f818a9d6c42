/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_SOCK_H
#define _STRSOCK_COMPAT_NET_SOCK_H

#include_next <net/sock.h>
#include "strsock_features.h"

/*
 * Makes @newsock the next connection of @sock, as accept(2) does. Returns 0 or
 * an error.
 */
static inline int compat_accept(struct socket *sock, struct socket *newsock,
				int flags)
{
#ifdef HAVE_PROTO_ACCEPT_ARG
	struct proto_accept_arg arg = { .flags = flags };

	return READ_ONCE(sock->ops)->accept(sock, newsock, &arg);
#else
	return READ_ONCE(sock->ops)->accept(sock, newsock, flags, false);
#endif
}

#ifndef HAVE_SK_DROPS_INC
static inline void sk_drops_inc(struct sock *sk)
{
	atomic_inc(&sk->sk_drops);
}

static inline int sk_drops_read(const struct sock *sk)
{
	return atomic_read(&sk->sk_drops);
}
#endif

/*
 * Makes a sock take no pages from the current task's fragment. Before Linux 6.2
 * sk_allocation alone decides that.
 */
static inline void sk_use_own_frag(struct sock *sk)
{
#ifdef HAVE_SK_USE_TASK_FRAG
	sk->sk_use_task_frag = false;
#endif
}

/**
 * PROTO_RECVMSG_OP() - define a recvmsg() for struct proto
 * @name: the function to define
 * @func: the function it calls, with int *addr_len for the length of the name
 */
#ifdef HAVE_PROTO_RECVMSG_NAMELEN
#define PROTO_RECVMSG_OP(name, func)					\
static int name(struct sock *sk, struct msghdr *msg, size_t len, int flags) \
{									\
	return func(sk, msg, len, flags, &msg->msg_namelen);		\
}
#else
#define PROTO_RECVMSG_OP(name, func)					\
static int name(struct sock *sk, struct msghdr *msg, size_t len, int flags, \
		int *addr_len)						\
{									\
	return func(sk, msg, len, flags, addr_len);			\
}
#endif

/* Calls the recvmsg() of a protocol. */
static inline int compat_proto_recvmsg(const struct proto *prot,
				       struct sock *sk, struct msghdr *msg,
				       size_t len, int flags, int *addr_len)
{
#ifdef HAVE_PROTO_RECVMSG_NAMELEN
	int ret = prot->recvmsg(sk, msg, len, flags);

	*addr_len = msg->msg_namelen;
	return ret;
#else
	return prot->recvmsg(sk, msg, len, flags, addr_len);
#endif
}

/*
 * Sets the offset at which the socks of a protocol have IPv6's data; by default
 * it is at their end.
 */
static inline void proto_set_ipv6_pinfo(struct proto *prot, unsigned int offset)
{
#ifdef HAVE_PROTO_IPV6_PINFO_OFFSET
	prot->ipv6_pinfo_offset = offset;
#endif
}

#endif
