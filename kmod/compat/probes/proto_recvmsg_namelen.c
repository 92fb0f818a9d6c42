// SPDX-License-Identifier: GPL-2.0-only
/* 7.1: recvmsg() of a protocol returns the length of the name in the msghdr */
#include <net/sock.h>

int probe(struct sock *sk, struct msghdr *msg);
int probe(struct sock *sk, struct msghdr *msg)
{
	return sk->sk_prot->recvmsg(sk, msg, 0, 0);
}
