/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that streams and STREAMS sockets over UDP share */
#ifndef _STRUDP_H
#define _STRUDP_H

#include <linux/container_of.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/uidgid.h>
#include <net/udp.h>

/* Largest payload of a UDP datagram over IPv4, bytes. */
#define UDP_MAX_PAYLOAD	(65535 - sizeof(struct iphdr) - sizeof(struct udphdr))
/* The same over IPv6 without jumbograms */
#define UDP6_MAX_PAYLOAD	(65535 - sizeof(struct udphdr))

union strudp_addr {
	__be32 in;
	struct in6_addr in6;
};

/* The key that a route is looked up by. */
struct strudp_key {
	union strudp_addr daddr;
	union strudp_addr bound;	/* the sender's own address, or any */
	__be16 dport;
	__be16 sport;
	unsigned int tos;		/* IPv6: the traffic class */
	kuid_t uid;
	u8 family;
	bool connected;			/* IPv6: it is that of connect() */
	int oif;			/* IPv6: the interface of a scope, or of the sender */
};

static inline bool strudp_key_is_inet6(const struct strudp_key *key)
{
	return IS_ENABLED(CONFIG_IPV6) && key->family == AF_INET6;
}

/* Replaced under RCU, and never changed once made, except receiver and seen. */
struct strudp_path {
	struct strudp_key key;
	union strudp_addr saddr;
	struct dst_entry *dst;
	u32 cookie;			/* IPv6: for dst_check() */
	u32 local;			/* IPv6: the state of the table of local routes */
	u32 hash;			/* IPv6: for flow labels */
	/*
	 * To a sock of this host: the slots of the kernel's tables for a sock
	 * bound to that address, and to any. NULL: another host.
	 */
	struct udp_hslot *exact;
	struct udp_hslot *any;
	/*
	 * The slot of raw sockets that want UDP: IP gives each a copy. Other raw
	 * sockets may share it.
	 */
	struct hlist_head *raw;
	/*
	 * A datagram was seen to arrive unchanged, through all rules of netfilter, in the
	 * queue of this sock, which may be gone by now; then, in jiffies.
	 */
	const struct sock *receiver;
	unsigned long seen;
	struct rcu_head rcu;
};

/* The headers that a datagram would have if it had arrived by IP */
struct strudp_head {
	union {
		struct iphdr in;
		struct ipv6hdr in6;
	};
	int iif;			/* IPv6: the interface by which it arrived */
	__be16 sport;
};

/* A sock's cache of the destinations it sends to. */
struct strudp_cache {
	struct strudp_path __rcu *path;
	u32 missed_addr;		/* last destination not in it, of IPv6 folded */
	__be16 missed_port;
	bool direct;			/* the next one may go there directly */
	u8 indirect;			/* how many could not */
	u8 obstacle;			/* the reason, of direct.c; 0: none is known */
};

/* The declaration is here for callers that do not need path.h. */
void strudp_cache_drop(struct strudp_cache *cache);
/* Returns the name of the obstacle that sent the last datagrams through IP, or "none". */
const char *strudp_obstacle_name(const struct strudp_cache *cache);

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
