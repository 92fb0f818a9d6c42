// SPDX-License-Identifier: GPL-2.0-only
/* Endpoints over kernel sockets: their numbers, references and work queue */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>

#include "end.h"

static struct workqueue_struct *inet_wq;
/* All endpoints by their number. */
DEFINE_XARRAY(inet_ends);

void strinet_end_kick(struct strinet_end *ep)
{
	queue_work(inet_wq, &ep->work);
}

/* Queues the work item again a little later, as memory was short. */
void strinet_end_retry(struct strinet_end *ep)
{
	queue_delayed_work(inet_wq, &ep->retry, max(1, HZ / 20));
}

/*
 * Empties the write queue for a flush. Data from before a flush is never sent
 * together with data from after it: the count shows the work item on which side
 * of a flush a message is that it has taken.
 */
void strinet_end_flush(struct strinet_end *ep)
{
	spin_lock_bh(&ep->flush_lock);
	flushq(WR(ep->rq), FLUSHDATA);
	ep->flushes++;
	spin_unlock_bh(&ep->flush_lock);
	/* Memory is freed at once, not with the next message. */
	strinet_end_kick(ep);
}

/*
 * Puts a message back on the write queue, or frees it if a flush came
 * meanwhile, which would have dropped it.
 */
void strinet_end_back(struct strinet_end *ep, mblk_t *mp)
{
	bool back;

	spin_lock_bh(&ep->flush_lock);
	back = ep->flushes == ep->taken_after && putbq(WR(ep->rq), mp);
	spin_unlock_bh(&ep->flush_lock);
	if (!back)
		freemsg(mp);
}

bool strinet_end_has_room(struct strinet_end *ep)
{
	if (likely(canputnext(ep->rq)))
		return true;
	/*
	 * The flag is set before the second look, which finds the room that strinet_rsrv()
	 * reported.
	 */
	smp_store_mb(ep->stopped, true);
	if (!canputnext(ep->rq))
		return false;
	strinet_end_go_on(ep);
	return true;
}

bool strinet_end_trylock_other(struct strinet_end *to)
{
	return mutex_trylock(&to->mutex);
}

void strinet_end_unlock_other(struct strinet_end *to)
{
	mutex_unlock(&to->mutex);
	if (!strinet_end_is_late(to))
		return;
	xa_lock(&inet_ends);
	/* The endpoint's close procedure erases it before it cancels the work item. */
	if (xa_load(&inet_ends, to->id) == to)
		strinet_end_kick(to);
	xa_unlock(&inet_ends);
}

void strinet_end_put(struct strinet_end *ep)
{
	if (!refcount_dec_and_test(&ep->refs))
		return;
	if (ep->net)
		put_net(ep->net);
	mem_cgroup_put(ep->memcg);
	put_cred(ep->cred);
	kfree(ep);
}

/*
 * A connection may be accepted on an endpoint only by the user that opened
 * both, or by root: numbers can be guessed.
 */
static bool may_name(const struct strinet_end *ep, const struct strinet_end *other)
{
	return net_eq(other->net, ep->net) &&
	       (uid_eq(other->cred->euid, ep->cred->euid) ||
		uid_eq(ep->cred->euid, GLOBAL_ROOT_UID));
}

struct strinet_end *strinet_end_find(const struct strinet_end *ep, unsigned int id)
{
	struct strinet_end *found;

	xa_lock(&inet_ends);
	found = xa_load(&inet_ends, id);
	if (found && may_name(ep, found))
		refcount_inc(&found->refs);
	else
		found = NULL;
	xa_unlock(&inet_ends);
	return found;
}

mblk_t *strinet_discon_ind(int err, t_scalar_t seq)
{
	struct T_discon_ind ind = {
		.PRIM_type = T_DISCON_IND,
		.DISCON_reason = err,
		.SEQ_number = seq,
	};

	return strinet_ind(&ind, sizeof(ind), NULL, 0);
}

int __init strinet_end_init(void)
{
	inet_wq = alloc_workqueue("strinet", WQ_UNBOUND, 0);
	return inet_wq ? 0 : -ENOMEM;
}

void strinet_end_exit(void)
{
	destroy_workqueue(inet_wq);
	xa_destroy(&inet_ends);
}
