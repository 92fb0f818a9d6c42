/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory cgroup of an endpoint over a sock: its opener's */
#ifndef _TPI_CHARGE_H
#define _TPI_CHARGE_H

#include <linux/sched/mm.h>
#include <net/sock.h>
#include <sys/stream.h>

static inline struct mem_cgroup *tpi_memcg(const struct sock *sk)
{
#ifdef CONFIG_MEMCG
	return sk->sk_memcg;
#else
	return NULL;
#endif
}

/*
 * Passes on by putnext() a message that arrived from the network: in an
 * interrupt the memory that modules allocate for it would be charged to no
 * user.
 */
static inline void tpi_putnext(const struct sock *sk, queue_t *q, mblk_t *mp)
{
	struct mem_cgroup *old = set_active_memcg(tpi_memcg(sk));

	putnext(q, mp);
	set_active_memcg(old);
}

#endif /* _TPI_CHARGE_H */
