// SPDX-License-Identifier: GPL-2.0-only
/* 6.2: encap_err_rcv() gets error, port, info and payload, not an offset */
#include <linux/udp.h>

static void probe_err(struct sock *sk, struct sk_buff *skb, int err,
		      __be16 port, u32 info, u8 *payload)
{
}

void probe(struct udp_sock *up);
void probe(struct udp_sock *up)
{
	up->encap_err_rcv = probe_err;
}
