/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks of the kernel's UDP, by which arriving datagrams become ours */
#ifndef _STRUDP_HOOK_H
#define _STRUDP_HOOK_H

#include <linux/skbuff.h>
#include <linux/udp.h>

/*
 * The value of udp_sock.encap_type for a socket whose datagrams this module
 * receives; the kernel only checks whether it is 0.
 */
#define UDP_ENCAP_STREAMS	253

typedef int (*strudp_encap_rcv_t)(struct sock *sk, struct sk_buff *skb);
/* The arguments of the hook differ from kernel to kernel: see ENCAP_ERR_RCV(). */
typedef typeof_member(struct udp_sock, encap_err_rcv) strudp_encap_err_t;

void strudp_hook_enable(void);
void strudp_hook(struct sock *sk, strudp_encap_rcv_t rcv, strudp_encap_err_t error);
void strudp_unhook(struct sock *sk);
bool strudp_icmp_is_hard(const struct sk_buff *skb);
int strudp_hook_inet6(void);
void strudp_hook_exit(void);

static inline bool strudp_hooked(const struct sock *sk)
{
	return READ_ONCE(udp_sk(sk)->encap_type) == UDP_ENCAP_STREAMS;
}

#endif /* _STRUDP_HOOK_H */
