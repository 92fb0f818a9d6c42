/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of packets between two socks of this host, through IP and the loopback device:
 * whether anything on it would act on them, see them or delay them
 *
 * All functions are called under RCU.
 */
#ifndef _STRUDP_WAY_H
#define _STRUDP_WAY_H

#include <linux/bpf-cgroup.h>
#include <linux/filter.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>
#include <net/rps.h>
#include <net/sch_generic.h>
#include <net/sock.h>

#include "shortcut.h"

/* For one look at several pointers, which are nearly always all NULL. */
#define BITS(pointer)	((unsigned long)rcu_access_pointer(pointer))

#ifdef CONFIG_NETFILTER
/*
 * The hook of a security module that asks for packets which rules of netfilter
 * have marked: it ignores packets that meet no rules. It has its hook point to
 * itself.
 */
static inline bool way_hook_is_for_marked(const struct nf_hook_entries *e)
{
	const struct nf_hook_ops *ops;

	if (e->num_hook_entries != 1)
		return false;
	ops = READ_ONCE(nf_hook_entries_get_hook_ops(e)[0]);
	return ops->priority == NF_IP_PRI_SELINUX_FIRST &&
	       ops->hook_ops_type == NF_HOOK_OP_UNDEFINED;
}

static __always_inline bool way_has_hooks(const struct net *net, int family)
{
	struct nf_hook_entries __rcu * const *hooks =
		family == AF_INET6 ? net->nf.hooks_ipv6 : net->nf.hooks_ipv4;
	const struct nf_hook_entries *post = rcu_dereference(hooks[NF_INET_POST_ROUTING]);

	return BITS(hooks[NF_INET_LOCAL_OUT]) | BITS(hooks[NF_INET_PRE_ROUTING]) |
	       BITS(hooks[NF_INET_LOCAL_IN]) ||
	       (post && !way_hook_is_for_marked(post));
}
#else
static inline bool way_has_hooks(const struct net *net, int family)
{
	return false;
}
#endif

static __always_inline bool way_has_device_hooks(const struct net_device *lo)
{
#ifdef CONFIG_NETFILTER_INGRESS
	if (rcu_access_pointer(lo->nf_hooks_ingress))
		return true;
#endif
#ifdef CONFIG_NETFILTER_EGRESS
	if (rcu_access_pointer(lo->nf_hooks_egress))
		return true;
#endif
	return false;
}

static __always_inline bool way_has_packet_sockets(const struct net *net)
{
#if IS_ENABLED(CONFIG_PACKET)
	return !hlist_empty(&net->packet.sklist);
#else
	return false;
#endif
}

/* Returns whether the device has a queue; else it passes packets on at once, on this CPU. */
static __always_inline bool way_queues(const struct net_device *lo)
{
	const struct Qdisc *q =
		rcu_dereference(netdev_get_tx_queue(lo, 0)->qdisc);

	return !q || q->enqueue;
}

/*
 * Returns whether an IPsec policy may apply to incoming packets. The setting of lo that
 * disables policies is not considered.
 */
static __always_inline bool way_has_policies(const struct net *net)
{
#ifdef CONFIG_XFRM
	return READ_ONCE(net->xfrm.policy_count[XFRM_POLICY_IN]) ||
	       READ_ONCE(net->xfrm.policy_default[XFRM_POLICY_IN]) !=
		       XFRM_USERPOLICY_ACCEPT;
#else
	return false;
#endif
}

/*
 * Returns whether the cgroup of a sock has BPF programs of a kind, which is a constant. Those
 * of other cgroups, as systemd gives to its units, have no part in the sock's packets.
 */
static __always_inline bool way_has_programs(const struct sock *sk,
					     enum cgroup_bpf_attach_type kind)
{
#ifdef CONFIG_CGROUP_BPF
	return cgroup_bpf_enabled(kind) && cgroup_bpf_sock_enabled((struct sock *)sk, kind);
#else
	return false;
#endif
}

/*
 * Writes a line for each obstacle of a table: its name, and how often it was met on all
 * processors. Returns the bytes, for a module's parameter.
 */
static inline int way_obstacles_print(char *buffer, const char * const *names, int n,
				      const unsigned long __percpu *met)
{
	int i, cpu, len = 0;

	for (i = 0; i < n; i++) {
		unsigned long sum = 0;

		for_each_possible_cpu(cpu)
			sum += per_cpu_ptr(met, cpu)[i];
		len += sysfs_emit_at(buffer, len, "%s %lu\n", names[i], sum);
	}
	return len;
}

/*
 * The obstacles of the way of a namespace net with the loopback device lo, for packets of
 * a family: X(name, whether it is there). passed: whether rules of netfilter have let the
 * flow through a moment ago
 */
#define STR_WAY_OBSTACLES(X, passed)						\
	X(off, strudp_shortcut(net) == STRUDP_OFF)				\
	X(netfilter, way_has_hooks(net, family) &&				\
		     !(strudp_shortcut(net) == STRUDP_ESTABLISHED && (passed)))	\
	X(netfilter_device, way_has_device_hooks(lo))				\
	X(packet, way_has_packet_sockets(net))					\
	X(taps, netdev_has_taps(lo))						\
	/* Taps of one type of frames, as data links have them */		\
	X(types, !list_empty(&lo->ptype_specific))				\
	X(xdp, rcu_access_pointer(lo->xdp_prog))				\
	X(queue, way_queues(lo))						\
	X(tc, netdev_has_tc(lo))						\
	X(handler, rcu_access_pointer(lo->rx_handler))				\
	X(steering, netdev_steers_packets(lo))					\
	X(ipsec, way_has_policies(net))

#define STAMP_FLAGS	(SK_FLAGS_TIMESTAMP | BIT(SOCK_RCVTSTAMP))

#endif /* _STRUDP_WAY_H */
