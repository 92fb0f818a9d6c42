// SPDX-License-Identifier: GPL-2.0-only
/*
 * The conditions of TCP's short way
 *
 * Bytes pass their receiver without TCP only if no object or setting would act on their
 * packets, see them or delay them, and if neither socket has an option under which a
 * program could tell the difference. This is verified for each message.
 */
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/tcp.h>
#include <net/dst.h>
#include <net/inet_connection_sock.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/raw.h>
#include <net/rawv6.h>
#include <net/route.h>
#include <net/tcp.h>

#include "udp/path.h"
#include "udp/way.h"
#include "tcp_native.h"
#include "tcp_sock.h"
#include "tcp_way.h"

/* Returns the realm of a route, whose packets are counted in /proc/net/rt_acct. */
static u32 route_realm(const struct dst_entry *dst)
{
#ifdef CONFIG_IP_ROUTE_CLASSID
	return dst->tclassid;
#else
	return 0;
#endif
}

/* Returns whether the route that a sock has leads through the loopback device, and is fresh. */
static bool tcp_route_is_direct(struct sock *sk, int family)
{
	const struct net *net = sock_net(sk);
	struct dst_entry *dst = rcu_dereference(sk->sk_dst_cache);
	const struct rtable *rt;

	if (!dst || dst->dev != net->loopback_dev || dst->lwtstate || dst_xfrm(dst))
		return false;
#if IS_ENABLED(CONFIG_IPV6)
	if (family == AF_INET6)
		return READ_ONCE(dst->obsolete) == DST_OBSOLETE_FORCE_CHK &&
		       dst->ops->check(dst, inet6_sk(sk)->dst_cookie);
#endif
	rt = container_of(dst, struct rtable, dst);
	return rt->rt_type == RTN_LOCAL && rt->rt_genid == rt_genid_ipv4(net) &&
	       READ_ONCE(dst->obsolete) == DST_OBSOLETE_FORCE_CHK && !route_realm(dst);
}

/* Returns whether raw sockets may want packets of TCP; those of others may share the slot. */
static bool raw_sockets_exist(const struct net *net, int family)
{
	u32 slot = raw_hashfunc(net, IPPROTO_TCP);

#if IS_ENABLED(CONFIG_IPV6)
	if (family == AF_INET6)
		return !hlist_empty(&raw_v6_hashinfo.ht[slot]);
#endif
	return !hlist_empty(&raw_v4_hashinfo.ht[slot]);
}

/* Returns whether programs of the sock's cgroup see its packets: each end sends and receives. */
static bool bpf_sees_packets(const struct sock *sk)
{
	return way_has_programs(sk, CGROUP_INET_EGRESS) ||
	       way_has_programs(sk, CGROUP_INET_INGRESS);
}

#ifdef CONFIG_BPF
#define BPF_CALLBACKS(sk)	READ_ONCE(tcp_sk(sk)->bpf_sock_ops_cb_flags)
#else
#define BPF_CALLBACKS(sk)	0
#endif

/* Returns whether a sock has keys by which its segments are signed. */
static unsigned long sock_signs(const struct sock *sk)
{
	unsigned long keys = 0;

#ifdef CONFIG_TCP_MD5SIG
	keys |= BITS(tcp_sk(sk)->md5sig_info);
#endif
#ifdef CONFIG_TCP_AO
	keys |= BITS(tcp_sk(sk)->ao_info);
#endif
	return keys;
}

/* Returns the options and extension headers of a sock's packets. */
static unsigned long sock_options(const struct sock *sk)
{
	const struct ip_options_rcu *opt = rcu_dereference(inet_sk(sk)->inet_opt);
	unsigned long options = opt && opt->opt.optlen;

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		options |= BITS(inet6_sk(sk)->opt);
#endif
	return options;
}

/* Returns the least TTL or hop limit that packets must have to be received. */
static u8 sock_min_ttl(const struct sock *sk)
{
	u8 ttl = READ_ONCE(inet_sk(sk)->min_ttl);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		ttl |= READ_ONCE(inet6_sk(sk)->min_hopcount);
#endif
	return ttl;
}

/* Returns whether a sock's callback reports what its ring has to an owner that looks there. */
static bool ring_is_reported(const struct sock *sk)
{
	void (*ready)(struct sock *sk) = READ_ONCE(sk->sk_data_ready);

	return ready == strsock_tcp_data_ready || ready == READ_ONCE(strsock_tcp_endpoint_ready);
}

#define STATES(sk, states)	((1 << READ_ONCE((sk)->sk_state)) & (states))

/* The obstacles of either end: X(name, whether it is there). */
#define END_OBSTACLES(X, end, sk)						\
	X(end##_protocol, READ_ONCE((sk)->sk_prot) != strsock_tcp_prot(sk))	\
	X(end##_layer, READ_ONCE(inet_csk(sk)->icsk_ulp_ops))			\
	X(end##_repair, tcp_sk(sk)->repair)					\
	X(end##_keys, sock_signs(sk))						\
	X(end##_bpf, BPF_CALLBACKS(sk) || bpf_sees_packets(sk))			\
	X(end##_ipsec, STRUDP_SOCK_POLICIES(sk))					\
	X(end##_mark, READ_ONCE((sk)->sk_mark))					\
	X(end##_device, READ_ONCE((sk)->sk_bound_dev_if))			\
	X(end##_flow, inet_sk_flowi_flags(sk))					\
	X(end##_options, sock_options(sk))					\
	X(end##_ttl, sock_min_ttl(sk))						\
	X(end##_filter, BITS((sk)->sk_filter))					\
	X(end##_time, READ_ONCE((sk)->sk_tsflags) |				\
		      (READ_ONCE((sk)->sk_flags) & STAMP_FLAGS))

#define TCP_OBSTACLES(X)							\
	X(closed, strsock_tcp_is_gone(peer) || strsock_tcp_is_gone(s))		\
	X(state, !STATES(sk, TCPF_ESTABLISHED | TCPF_CLOSE_WAIT) ||		\
		 !STATES(to, TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2) || \
		 /* TCP resets a connection whose receiver is done in both directions. */ \
		 (!STATES(to, TCPF_ESTABLISHED) && READ_ONCE(to->sk_shutdown) & RCV_SHUTDOWN) || \
		 READ_ONCE(sk->sk_err) || READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN) \
	X(memory, atomic_long_read(peer->ring.charged) > sk_prot_mem_limits(sk, 1)) \
	X(route, !tcp_route_is_direct(sk, family))					\
	/* A program with small buffers may rely on their being full soon. */	\
	X(buffer, strsock_tcp_limit(sk, to) < STRSOCK_RING_LEAST)		\
	X(pacing, READ_ONCE(sk->sk_max_pacing_rate) != ~0UL)			\
	/* Bytes behind the mark of urgent data are TCP's until the mark was read. */ \
	X(urgent, tcp_sk(sk)->snd_up != tcp_sk(sk)->snd_una ||			\
		  READ_ONCE(tcp_sk(to)->urg_data))				\
	X(cork, tcp_sk(sk)->nonagle & TCP_NAGLE_CORK)				\
	END_OBSTACLES(X, sender, sk)						\
	END_OBSTACLES(X, receiver, to)						\
	X(receiver_inq, tcp_sk(to)->recvmsg_inq)				\
	X(receiver_lowat, READ_ONCE(to->sk_rcvlowat) > 1)			\
	X(receiver_peek, READ_ONCE(to->sk_peek_off) >= 0)			\
	X(receiver_mapped, READ_ONCE(peer->mapped))				\
	X(receiver_callback, !ring_is_reported(to))				\
	X(raw, raw_sockets_exist(net, family))					\
	STR_WAY_OBSTACLES(X, tcp_jiffies32 - s->seen < HZ)

enum {
	OBSTACLE_NONE,
#define NUMBER(name, obstacle)	OBSTACLE_##name,
	TCP_OBSTACLES(NUMBER)
	OBSTACLES
};

static const char * const obstacle_names[] = {
	"none",
#define NAME(name, obstacle)	#name,
	TCP_OBSTACLES(NAME)
};

/* Counts how often each obstacle was the first one found. */
static DEFINE_PER_CPU(unsigned long[OBSTACLES], obstacles_met);

static int tcp_obstacles_get(char *buffer, const struct kernel_param *kp)
{
	/* The first name means that there is no obstacle. */
	return way_obstacles_print(buffer, obstacle_names + 1, OBSTACLES - 1,
				   obstacles_met + 1);
}

static const struct kernel_param_ops tcp_obstacles_ops = {
	.get = tcp_obstacles_get,
};

module_param_cb(tcp_obstacles, &tcp_obstacles_ops, NULL, 0400);
MODULE_PARM_DESC(tcp_obstacles, "obstacles to TCP's short way on this host, and how often");

const char *strsock_tcp_obstacle_name(unsigned int obstacle)
{
	return obstacle_names[obstacle];
}

unsigned int strsock_tcp_obstacle(const struct strsock_tcp *s, const struct strsock_tcp *peer)
{
	struct sock *sk = s->sk, *to = peer->sk;
	struct net *net = sock_net(sk);
	struct net_device *lo = net->loopback_dev;
	int family = ipv6_addr_v4mapped(&s->names.remote) ? AF_INET : AF_INET6;
	unsigned int found;

#define FIND(name, obstacle)	unlikely(obstacle) ? OBSTACLE_##name :
	found = TCP_OBSTACLES(FIND) OBSTACLE_NONE;
	if (unlikely(found))
		this_cpu_inc(obstacles_met[found]);
	return found;
}

bool strsock_tcp_obstacle_passes(const struct strsock_tcp *s, unsigned int obstacle)
{
	return obstacle == OBSTACLE_netfilter &&
	       strudp_shortcut(sock_net(s->sk)) == STRUDP_ESTABLISHED;
}
