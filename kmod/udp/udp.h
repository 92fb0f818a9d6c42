/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that streams and STREAMS sockets over UDP share */
#ifndef _STRUDP_H
#define _STRUDP_H

#include <linux/container_of.h>
#include <linux/udp.h>
#include <net/udp.h>

/* Largest payload of a UDP datagram over IPv4, bytes. */
#define UDP_MAX_PAYLOAD	(65535 - sizeof(struct iphdr) - sizeof(struct udphdr))

struct strudp_path;

/* A sock's cache of the destinations it sends to. */
struct strudp_cache {
	struct strudp_path __rcu *path;
	__be32 missed_addr;		/* last destination not in it */
	__be16 missed_port;
	bool direct;			/* the next one may go there directly */
	u8 indirect;			/* how many could not */
};

/* The declaration is here for callers that do not need path.h. */
void strudp_cache_drop(struct strudp_cache *cache);

/* Returns the counters for a datagram that came by IPv6, or by IPv4. */
static inline struct udp_mib __percpu *strudp_mib(const struct sock *sk,
						  bool inet6)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (inet6)
		return sock_net(sk)->mib.udp_stats_in6;
#endif
	return sock_net(sk)->mib.udp_statistics;
}

/*
 * Subtracts a datagram from the kernel's count of received ones, which includes
 * all that a hook has taken. A datagram that was dropped there was not
 * received, and one that waits for its reader is not received yet.
 */
static inline void strudp_uncount(struct sock *sk, bool inet6)
{
	SNMP_ADD_STATS(strudp_mib(sk, inet6), UDP_MIB_INDATAGRAMS, -1);
}

#endif /* _STRUDP_H */
