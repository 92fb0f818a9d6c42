// SPDX-License-Identifier: GPL-2.0-only
/* 6.7: BPF programs that change a sender's name may change its length */
#include <linux/bpf-cgroup.h>

int probe(struct sock *sk, struct sockaddr *addr, int *len);
int probe(struct sock *sk, struct sockaddr *addr, int *len)
{
	return BPF_CGROUP_RUN_PROG_UDP4_RECVMSG_LOCK(sk, addr, len);
}
