/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_BPF_CGROUP_H
#define _STRSOCK_COMPAT_LINUX_BPF_CGROUP_H

#include_next <linux/bpf-cgroup.h>
#include "strsock_features.h"

/*
 * Runs the programs that may change a sender's name, with the name and its
 * length.
 */
static inline void bpf_recvmsg_name(struct sock *sk, struct sockaddr *addr,
				    int *len)
{
#ifdef HAVE_BPF_RECVMSG_NAMELEN
	if (sk->sk_family == AF_INET6)
		BPF_CGROUP_RUN_PROG_UDP6_RECVMSG_LOCK(sk, addr, len);
	else
		BPF_CGROUP_RUN_PROG_UDP4_RECVMSG_LOCK(sk, addr, len);
#else
	if (sk->sk_family == AF_INET6)
		BPF_CGROUP_RUN_PROG_UDP6_RECVMSG_LOCK(sk, addr);
	else
		BPF_CGROUP_RUN_PROG_UDP4_RECVMSG_LOCK(sk, addr);
#endif
}

#endif
