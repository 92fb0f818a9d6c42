// SPDX-License-Identifier: GPL-2.0-only
/* Opening and closing an endpoint of the loopback transports */
#include <linux/cred.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "addr.h"
#include "discon.h"
#include "life.h"
#include "unitdata.h"
#include "wire.h"

static struct tiloop_end *tiloop_end_alloc(struct tiloop_kind *kind,
					   const struct cred *cred)
{
	struct tiloop_end *ep = kzalloc(sizeof(*ep), GFP_KERNEL_ACCOUNT);

	if (!ep)
		return NULL;
	ep->bye = tiloop_wire_alloc(sizeof(struct tiloop_wire));
	if (!ep->bye) {
		kfree(ep);
		return NULL;
	}
	ep->kind = kind;
	/* A kernel thread, or a process on its way out, has no namespaces. */
	ep->net = get_net(current->nsproxy ? current->nsproxy->net_ns :
					     &init_net);
	ep->uid = cred->euid;
	ep->state = TS_UNBND;
	refcount_set(&ep->ref, 1);
	init_completion(&ep->unused);
	INIT_HLIST_NODE(&ep->hash);
	INIT_LIST_HEAD(&ep->calls);
	INIT_LIST_HEAD(&ep->waiters);
	INIT_LIST_HEAD(&ep->waits);
	return ep;
}

/**
 * tiloop_end_open() - make an endpoint for a stream
 * @q: the driver's read queue
 * @kind: the driver
 * @cred: the opener's
 *
 * Context: process, may sleep. Return: 0 or a negative error.
 */
int tiloop_end_open(queue_t *q, struct tiloop_kind *kind, const struct cred *cred)
{
	struct tiloop_end *ep = tiloop_end_alloc(kind, cred);

	if (!ep)
		return -ENOSR;
	ep->rq = q;
	ep->id = strid(q);
	if (!ep->id || xa_reserve(&kind->ends, ep->id, GFP_KERNEL_ACCOUNT)) {
		freemsg(ep->bye);
		tiloop_end_put(ep);
		return -ENOSR;
	}
	q->q_ptr = ep;
	WR(q)->q_ptr = ep;
	qprocson(q);
	if (!tiloop_end_set_head(ep, LOOP_BUF, GFP_KERNEL)) {
		qprocsoff(q);
		xa_release(&kind->ends, ep->id);
		freemsg(ep->bye);
		tiloop_end_put(ep);
		return -ENOSR;
	}
	refcount_set(&ep->users, 1);
	/* The place is reserved, so this cannot fail. */
	xa_store(&kind->ends, ep->id, ep, GFP_KERNEL_ACCOUNT);
	return 0;
}

/**
 * tiloop_end_close() - take an endpoint from its stream
 * @q: the driver's read queue
 *
 * Context: process, may sleep.
 */
void tiloop_end_close(queue_t *q)
{
	struct tiloop_end *ep = tiloop_end(q);

	xa_erase(&ep->kind->ends, ep->id);
	if (!refcount_dec_and_test(&ep->users))
		wait_for_completion(&ep->unused);
	qprocsoff(q);
	/* Only this procedure uses the endpoint now. */
	tiloop_addr_unbind(ep);
	tiloop_waiters_enable(ep);
	tiloop_wait_end(ep);
	tiloop_end_leave(ep);
	freemsg(ep->bye);
	ep->bye = NULL;
	q->q_ptr = NULL;
	WR(q)->q_ptr = NULL;
	tiloop_end_put(ep);
}
