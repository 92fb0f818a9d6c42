// SPDX-License-Identifier: GPL-2.0-only
/* The room at the stream head of an endpoint */
#include <net/sock.h>

#include "end.h"

/* Bytes that may wait at the stream head; memory is limited by XTI_RCVBUF. */
#define HEAD_HIWAT(sk)	READ_ONCE((sk)->sk_rcvbuf)

atomic_long_t strudp_heads_hiwat;

/* Records how much may wait at the stream head; 0: nothing may. */
void strudp_end_head_is(struct strudp_end *ep, int hiwat)
{
	atomic_long_add(hiwat - ep->head_hiwat, &strudp_heads_hiwat);
	ep->head_hiwat = hiwat;
}

/* Sets how much may wait at the stream head. */
int strudp_end_set_head(struct strudp_end *ep)
{
	int hiwat = HEAD_HIWAT(ep->sock->sk);
	mblk_t *mp = strtpi_head_marks(hiwat, GFP_KERNEL);

	if (!mp)
		return -ENOSR;
	strudp_end_head_is(ep, hiwat);
	putnext(ep->rq, mp);
	return 0;
}

/**
 * strudp_end_fit_head() - let the stream head hold what the socket may
 * @ep: the endpoint
 *
 * Without memory for that it is done when it is called again.
 * Context: process, sleeps.
 */
void strudp_end_fit_head(struct strudp_end *ep)
{
	/*
	 * On a socket's stream, no message counted by its buffer waits there.
	 */
	if (ep->head_hiwat && ep->head_hiwat != HEAD_HIWAT(ep->sock->sk))
		strudp_end_set_head(ep);
}

void strudp_end_put(struct strudp_end *ep)
{
	if (refcount_dec_and_test(&ep->refs))
		kfree_rcu(ep, rcu);
}
