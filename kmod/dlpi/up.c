// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages on their way up the stream of an endpoint
 *
 * A message that no procedure may take at once waits on a list, and the read
 * queue's service procedure sends it up.
 */
#include <linux/skbuff.h>

#include "streams/head/lost.h"
#include "streams/head/stat.h"
#include "tpi/charge.h"
#include "end.h"
#include "frame.h"
#include "up.h"

/* Counts a frame that cannot be sent up, for a reason of one word. */
void dlpi_up_drop(struct dlpi_end *ep, const char *reason)
{
	sk_drops_inc(&ep->sk);
	str_count(STR_KIND_DEVICE, STR_DROPPED, 1);
	rcu_read_lock();
	if (READ_ONCE(ep->open))
		str_lost(ep->rq, reason);
	rcu_read_unlock();
}

/* Messages that wait are linked by b_next. */
static_assert(offsetof(mblk_t, b_next) == 0);
static_assert(sizeof_field(mblk_t, b_next) == sizeof(struct llist_node));

void dlpi_up_pass(struct dlpi_end *ep, mblk_t *mp, bool later)
{
	if (!later && likely(llist_empty(&ep->later))) {
		tpi_putnext(&ep->sk, ep->rq, mp);
		return;
	}
	llist_add((struct llist_node *)mp, &ep->later);
	/* The service procedure never runs in the caller. */
	qenable(ep->rq);
}

/* Takes all messages that wait, linked by b_next, oldest first. */
static mblk_t *up_waiting(struct dlpi_end *ep)
{
	return (mblk_t *)llist_reverse_order(llist_del_all(&ep->later));
}

void dlpi_up_waiting(struct dlpi_end *ep)
{
	mblk_t *mp, *next;

	for (mp = up_waiting(ep); mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		tpi_putnext(&ep->sk, ep->rq, mp);
	}
}

void dlpi_up_forget(struct dlpi_end *ep)
{
	mblk_t *mp, *next;

	for (mp = up_waiting(ep); mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		freemsg(mp);
	}
}

void dlpi_up_frame(struct dlpi_end *ep, mblk_t *mp, struct sk_buff *skb)
{
	bool sent = dlpi_up_is_sent(skb);
	mblk_t *data;

	if (!mp) {
		kfree_skb(skb);
		dlpi_up_drop(ep, "memory");
		return;
	}
	data = dlpi_frame_data(ep, skb);
	if (!data) {
		freemsg(mp);
		dlpi_up_drop(ep, "memory");
		return;
	}
	mp->b_cont = data;
	dlpi_up_pass(ep, mp, sent);
}
