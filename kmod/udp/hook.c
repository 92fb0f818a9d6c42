// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking datagrams over from the kernel's demultiplexer
 *
 * A sock of ours is in the kernel's own tables, so that ports conflict and
 * datagrams are matched as they should be. The encapsulation hook passes its
 * datagrams to us, with their checksum verified and policy applied.
 */
#include <linux/icmp.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/icmp.h>
#include <net/inet_sock.h>
#include <net/udp.h>
#include <net/udp_tunnel.h>

#include "hook.h"

/*
 * The kernel checks for hooks only while a static key is on. Turning it on
 * rewrites code on all processors, so it is done once and not for each sock.
 */
static DEFINE_MUTEX(hook_mutex);
static bool hook_enabled;

/* This socket turns the check on for IPv6, as long as it exists. */
static struct socket *hook_inet6;

/**
 * strudp_hook_enable() - have the kernel look for hooks
 *
 * Context: process, may sleep.
 */
void strudp_hook_enable(void)
{
	if (READ_ONCE(hook_enabled))
		return;
	mutex_lock(&hook_mutex);
	if (!hook_enabled) {
		udp_encap_enable();
		WRITE_ONCE(hook_enabled, true);
	}
	mutex_unlock(&hook_mutex);
}
EXPORT_SYMBOL_GPL(strudp_hook_enable);

#if IS_ENABLED(CONFIG_IPV6)
/**
 * strudp_hook_inet6() - have the kernel's UDP over IPv6 look for hooks too
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error; -EAFNOSUPPORT: there is no IPv6.
 */
int strudp_hook_inet6(void)
{
	struct socket *sock;
	int err = 0;

	/* Acquire: the kernel has been informed when the socket is seen. */
	if (smp_load_acquire(&hook_inet6))
		return 0;
	mutex_lock(&hook_mutex);
	if (!hook_inet6) {
		err = sock_create_kern(&init_net, PF_INET6, SOCK_DGRAM,
				       IPPROTO_UDP, &sock);
		if (!err) {
			udp_tunnel_encap_enable(sock->sk);
			/* The kernel is informed before the store; see above. */
			smp_store_release(&hook_inet6, sock);
		}
	}
	mutex_unlock(&hook_mutex);
	return err;
}
#endif

/*
 * Returns 0 if an ICMP error is about a datagram that this sock has sent. The kernel also
 * asks with the datagram's destination port taken for the sock's own, for tunnels that use
 * one port at both ends.
 *
 * The network and transport headers are those of the datagram that was sent.
 */
static int hook_err_lookup(struct sock *sk, struct sk_buff *skb)
{
	return udp_hdr(skb)->source == inet_sk(sk)->inet_sport ? 0 : -ENOENT;
}

/**
 * strudp_hook() - take over the datagrams that arrive for a sock
 * @sk: a UDP sock; strudp_hook_enable() has been called
 * @rcv: takes a datagram, skb->data at its UDP header, in softirq context and
 *	under RCU; returns 0 when it has taken it, 1 to have the kernel queue it
 * @error: takes an ICMP error; defined with ENCAP_ERR_RCV()
 *
 * Datagrams that arrive meanwhile may be queued by the kernel still.
 */
void strudp_hook(struct sock *sk, strudp_encap_rcv_t rcv, strudp_encap_err_t error)
{
	struct udp_sock *up = udp_sk(sk);

	WRITE_ONCE(up->encap_err_lookup, hook_err_lookup);
	WRITE_ONCE(up->encap_err_rcv, error);
	WRITE_ONCE(up->encap_rcv, rcv);
	/* The type shows that the sock has hooks. */
	smp_store_release(&up->encap_type, UDP_ENCAP_STREAMS);
}
EXPORT_SYMBOL_GPL(strudp_hook);

/**
 * strudp_unhook() - leave the datagrams that arrive for a sock to the kernel
 * again
 * @sk: the sock
 *
 * A call of the hook may still be running on another processor, until the end
 * of a grace period. The hook for errors stays, since the kernel looks at it
 * twice; it asks strudp_hooked().
 */
void strudp_unhook(struct sock *sk)
{
	struct udp_sock *up = udp_sk(sk);

	WRITE_ONCE(up->encap_type, 0);
	WRITE_ONCE(up->encap_rcv, NULL);
}
EXPORT_SYMBOL_GPL(strudp_unhook);

/**
 * strudp_icmp_is_hard() - whether an ICMP error is meant for the program
 * @skb: the ICMP message, its transport header the ICMP header
 *
 * Other errors report conditions that may pass, and are reported only to
 * programs that asked for them.
 * Source: RFC 1122 section 4.1.3.3.
 */
bool strudp_icmp_is_hard(const struct sk_buff *skb)
{
	const struct icmphdr *icmp = icmp_hdr(skb);

	switch (icmp->type) {
	case ICMP_PARAMETERPROB:
		return true;
	case ICMP_DEST_UNREACH:
		if (icmp->code == ICMP_FRAG_NEEDED)
			return true;
		return icmp->code <= NR_ICMP_UNREACH &&
		       icmp_err_convert[icmp->code].fatal;
	default:
		return false;
	}
}
EXPORT_SYMBOL_GPL(strudp_icmp_is_hard);

void strudp_hook_exit(void)
{
	if (hook_inet6)
		sock_release(hook_inet6);
	if (hook_enabled)
		udp_encap_disable();
}
