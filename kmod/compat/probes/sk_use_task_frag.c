// SPDX-License-Identifier: GPL-2.0-only
/* 6.2: a flag of a sock tells whether it uses the fragments of the current task */
#include <net/sock.h>

void probe(struct sock *sk);
void probe(struct sock *sk)
{
	sk->sk_use_task_frag = false;
}
