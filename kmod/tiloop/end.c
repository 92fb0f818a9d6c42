// SPDX-License-Identifier: GPL-2.0-only
/*
 * References to endpoints of the loopback transports
 *
 * An endpoint's memory stays as long as there is a reference. Other endpoints use
 * its queues between tiloop_enter() and tiloop_leave(), which are counted: a grace
 * period for each close would add up to minutes for a process that has many
 * streams.
 */
#include <linux/cred.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "end.h"

struct tiloop_end *tiloop_end_get(struct tiloop_end *ep)
{
	refcount_inc(&ep->ref);
	return ep;
}

void tiloop_end_put(struct tiloop_end *ep)
{
	if (ep && refcount_dec_and_test(&ep->ref)) {
		put_net(ep->net);
		kfree_rcu(ep, rcu);
	}
}

/*
 * Preemption is disabled because the endpoint's close procedure waits for the task that
 * uses the endpoint. That task may be another user's, and would be preempted for as long
 * as its class or its cgroup's quota makes it wait.
 */
queue_t *tiloop_enter(struct tiloop_end *ep)
{
	preempt_disable();
	if (refcount_inc_not_zero(&ep->users))
		return ep->rq;
	preempt_enable();
	return NULL;
}

void tiloop_leave(struct tiloop_end *ep)
{
	if (refcount_dec_and_test(&ep->users))
		complete(&ep->unused);
	preempt_enable();
}

/*
 * A connection may be accepted on an endpoint only by the user that opened
 * both, or by root: ids can be guessed.
 */
struct tiloop_end *tiloop_end_find(const struct tiloop_end *ep, u32 id)
{
	struct tiloop_end *found;

	rcu_read_lock();
	found = xa_load(&ep->kind->ends, id);
	if (found && (!net_eq(found->net, ep->net) ||
		      (!uid_eq(found->uid, ep->uid) &&
		       !uid_eq(ep->uid, GLOBAL_ROOT_UID)) ||
		      !refcount_inc_not_zero(&found->ref)))
		found = NULL;
	rcu_read_unlock();
	return found;
}

/*
 * Forgets the connection, which is over here; the other side knows, or is
 * informed.
 */
void tiloop_conn_over(struct tiloop_end *ep)
{
	struct tiloop_end *peer = ep->peer;

	ep->conn = 0;
	ep->peer = NULL;
	ep->remote.len = 0;
	ep->state = TS_IDLE;
	tiloop_end_put(peer);
}

bool tiloop_end_set_head(struct tiloop_end *ep, size_t hiwat, gfp_t gfp)
{
	mblk_t *mp = strtpi_head_marks(hiwat, gfp);

	if (!mp)
		return false;
	ep->rcvbuf = hiwat;
	putnext(ep->rq, mp);
	return true;
}
