/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that streams and STREAMS sockets over UDP share */
#ifndef _TPI_UDP_H
#define _TPI_UDP_H

#include <linux/container_of.h>
#include <linux/udp.h>
#include <net/udp.h>

struct msghdr;

/* Largest payload of a UDP datagram over IPv4, bytes. */
#define UDP_MAX_PAYLOAD	(65535 - sizeof(struct iphdr) - sizeof(struct udphdr))

/*
 * Value of udp_sock.encap_type for a socket whose datagrams are ours; the
 * kernel only checks whether it is 0.
 */
#define UDP_ENCAP_STREAMS	253

struct strudp_path;

/* A sock's cache of the destinations it sends to. */
struct strudp_cache {
	struct strudp_path __rcu *path;
	__be32 missed_addr;		/* last destination not in it */
	__be16 missed_port;
	bool direct;			/* the next one may go there directly */
	u8 indirect;			/* how many could not */
};

/* udp_send.c */
int strudp_sendmsg(struct sock *sk, struct strudp_cache *cache,
		   struct msghdr *msg, size_t len);

/* udp_path.c */
void strudp_cache_drop(struct strudp_cache *cache);

/* udp_rcv.c */
int strudp_charge(struct sock *sk, struct sk_buff *skb);

/* udp_skb.c */
void strudp_skb_free(struct sk_buff *skb);

/* udp_hook.c */
typedef int (*udp_encap_rcv_t)(struct sock *sk, struct sk_buff *skb);
/* Its arguments differ from kernel to kernel: see ENCAP_ERR_RCV(). */
typedef typeof_member(struct udp_sock, encap_err_rcv) udp_encap_err_t;

void strudp_hook_enable(void);
void strudp_hook(struct sock *sk, udp_encap_rcv_t rcv, udp_encap_err_t error);
void strudp_unhook(struct sock *sk);
bool strudp_icmp_is_hard(const struct sk_buff *skb);
int strudp_hook_inet6(void);
void strudp_hook_exit(void);

/* Where a datagram that came by IPv6, or by IPv4, is counted. */
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
 * The kernel counts a datagram as received when a hook has taken it. It was
 * not received if it was dropped there, and not yet if it waits for its
 * reader.
 */
static inline void strudp_uncount(struct sock *sk, bool inet6)
{
	SNMP_ADD_STATS(strudp_mib(sk, inet6), UDP_MIB_INDATAGRAMS, -1);
}

static inline bool strudp_hooked(const struct sock *sk)
{
	return READ_ONCE(udp_sk(sk)->encap_type) == UDP_ENCAP_STREAMS;
}

#endif /* _TPI_UDP_H */
