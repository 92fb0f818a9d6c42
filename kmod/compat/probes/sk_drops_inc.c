// SPDX-License-Identifier: GPL-2.0-only
/* 6.18: drops of a sock are counted by calls */
#include <net/sock.h>

int probe(struct sock *sk);
int probe(struct sock *sk)
{
	sk_drops_inc(sk);
	return sk_drops_read(sk);
}
