// SPDX-License-Identifier: GPL-2.0-only
/* 6.18: what a sock has dropped is counted by calls */
#include <net/sock.h>

int probe(struct sock *sk);
int probe(struct sock *sk)
{
	sk_drops_inc(sk);
	return sk_drops_read(sk);
}
