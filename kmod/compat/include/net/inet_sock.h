/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_INET_SOCK_H
#define _STRSOCK_COMPAT_NET_INET_SOCK_H

#include_next <net/inet_sock.h>

/* Older kernels keep a socket's IP options as bit fields, not as flags. */
#ifndef inet_test_bit

#define inet_test_bit(nr, sk)	inet_compat_test_##nr(inet_sk(sk))

static inline bool inet_compat_test_RECVERR(const struct inet_sock *inet)
{
	return inet->recverr;
}

static inline unsigned long inet_cmsg_flags(const struct inet_sock *inet)
{
	return READ_ONCE(inet->cmsg_flags);
}

#endif

#endif
