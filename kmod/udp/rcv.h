/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams from the network */
#ifndef _STRUDP_RCV_H
#define _STRUDP_RCV_H

#include "end.h"

void strudp_end_hook(struct strudp_end *ep);
int strudp_rcv_hook(struct sock *sk, struct sk_buff *skb);
bool strudp_end_may_meet(const struct sock *sk, const mblk_t *mp);
void strudp_end_meet(struct sock *sk, const struct strudp_head *head, mblk_t *mp,
		     int family);
int __init strudp_rcv_init(void);
void strudp_rcv_exit(void);

mblk_t *strudp_rcv_data(struct sock *sk, struct sk_buff *skb);
mblk_t *strudp_unitdata_ind(const struct strudp_end *ep, const struct sk_buff *skb,
			    gfp_t gfp);
int strudp_charge(struct sock *sk, struct sk_buff *skb);

#endif /* _STRUDP_RCV_H */
