// SPDX-License-Identifier: GPL-2.0-only
/* The addresses and the state of a STREAMS socket, in its line of /proc/streams/open */
#include <linux/capability.h>
#include <linux/nsproxy.h>
#include <linux/seq_file.h>
#include <net/inet_sock.h>
#include <net/tcp_states.h>

#include "show.h"

/* The names that ss(8) has for them */
static const char *const states[] = {
	[TCP_ESTABLISHED] = "established",
	[TCP_SYN_SENT] = "syn-sent",
	[TCP_SYN_RECV] = "syn-recv",
	[TCP_FIN_WAIT1] = "fin-wait-1",
	[TCP_FIN_WAIT2] = "fin-wait-2",
	[TCP_TIME_WAIT] = "time-wait",
	[TCP_CLOSE] = "unconnected",
	[TCP_CLOSE_WAIT] = "close-wait",
	[TCP_LAST_ACK] = "last-ack",
	[TCP_LISTEN] = "listening",
	[TCP_CLOSING] = "closing",
};

/* The sock is not locked: the addresses are those of some moment, for people to read. */
static void show_address(struct seq_file *m, const struct sock *sk, bool remote)
{
	const struct inet_sock *inet = inet_sk(sk);
	__be16 port = READ_ONCE(*(remote ? &inet->inet_dport : &inet->inet_sport));
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = remote ? inet->inet_daddr : inet->inet_rcv_saddr,
	};

	seq_puts(m, remote ? " remote=" : " local=");
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		struct sockaddr_in6 sin6 = {
			.sin6_family = AF_INET6,
			.sin6_port = port,
			.sin6_addr = remote ? sk->sk_v6_daddr : sk->sk_v6_rcv_saddr,
		};

		seq_printf(m, "%pISpc", &sin6);
		return;
	}
#endif
	seq_printf(m, "%pISpc", &sin);
}

/* Prints the addresses that a socket has, and its state. */
void strsock_show_names(struct seq_file *m, const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);
	unsigned int state = READ_ONCE(sk->sk_state);

	/* A container's root is not to see the addresses of others, as in /proc/net. */
	if (!net_eq(sock_net(sk), current->nsproxy->net_ns) &&
	    !capable(CAP_NET_ADMIN))
		return;
	if (READ_ONCE(inet->inet_sport))
		show_address(m, sk, false);
	if (READ_ONCE(inet->inet_dport))
		show_address(m, sk, true);
	if (state < ARRAY_SIZE(states) && states[state])
		seq_printf(m, " state=%s", states[state]);
}
