// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of an endpoint, and its work item
 *
 * Its stream refers to it by q_ptr, its taps by af_packet_priv. Frames that it
 * has sent or received keep its sock after the close.
 */
#include <linux/cred.h>
#include <linux/percpu.h>
#include <linux/rtnetlink.h>
#include <linux/sched/mm.h>
#include <net/net_namespace.h>

#include "tpi/charge.h"
#include "ack.h"
#include "life.h"
#include "link.h"
#include "local.h"
#include "up.h"

static struct workqueue_struct *dlpi_wq;

/* The memory of all endpoints, in pages. Only the limits of cgroups apply. */
static atomic_long_t end_memory;
static DEFINE_PER_CPU(int, end_memory_near);
static long end_memory_limits[] = { LONG_MAX, LONG_MAX, LONG_MAX };

static struct proto dlpi_proto = {
	.name = "STRDLPI",
	.owner = THIS_MODULE,
	.obj_size = sizeof(struct dlpi_end),
	.memory_allocated = &end_memory,
	.per_cpu_fw_alloc = &end_memory_near,
	.sysctl_mem = end_memory_limits,
};

/* Runs when a frame has left: there may be room for a frame that waits. */
static void dlpi_end_write_space(struct sock *sk)
{
	struct dlpi_end *ep = container_of(sk, struct dlpi_end, sk);

	rcu_read_lock();
	/*
	 * The uncharging comes before the look at the flag; see dlpi_send_has_room() for the
	 * other side.
	 */
	smp_mb();
	if (READ_ONCE(ep->open) && READ_ONCE(ep->blocked) && sock_writeable(sk)) {
		WRITE_ONCE(ep->blocked, false);
		qenable(WR(ep->rq));
	}
	rcu_read_unlock();
}

static void end_answered(struct dlpi_end *ep)
{
	/*
	 * Release: the answer and its data are stored before the flag. It pairs
	 * with dlpi_prim_finish().
	 */
	smp_store_release(&ep->answered, true);
	rcu_read_lock();
	if (READ_ONCE(ep->open))
		qenable(WR(ep->rq));
	rcu_read_unlock();
}

static void end_answered_rcu(struct rcu_head *rcu)
{
	struct dlpi_end *ep = container_of(rcu, struct dlpi_end, rcu);

	end_answered(ep);
	sock_put(&ep->sk);
}

static void end_put_rcu(struct rcu_head *put)
{
	struct dlpi_end *ep = container_of(put, struct dlpi_end, put);

	dlpi_up_forget(ep);
	sock_put(&ep->sk);
}

/*
 * Releases an endpoint whose stream is closed: only taps and frames still refer
 * to it.
 */
static void end_finish(struct dlpi_end *ep)
{
	rtnl_lock();
	dlpi_link_detach(ep);
	rtnl_unlock();
	freemsg(ep->request);
	freemsg(ep->answer);
	freemsg(ep->hangup);
	dlpi_link_forget(ep);
	put_cred(ep->cred);
	/* A tap that runs may take a reference of its own for a frame, and leave it. */
	call_rcu(&ep->put, end_put_rcu);
}

static void end_request(struct dlpi_end *ep)
{
	const struct cred *old = override_creds(ep->cred);
	struct mem_cgroup *memcg = set_active_memcg(tpi_memcg(&ep->sk));
	mblk_t *mp = ep->request;

	ep->request = NULL;
	if (dlpi_link_prepare(ep)) {
		rtnl_lock();
		ep->answer = dlpi_local(ep, mp);
		rtnl_unlock();
	} else {
		ep->answer = dlpi_error_ack(mp, DL_SYSERR, ENOMEM);
	}
	set_active_memcg(memcg);
	revert_creds(old);
	if (!ep->untapped) {
		end_answered(ep);
		return;
	}
	/* No frame received by an earlier tap may come after the answer. */
	ep->untapped = false;
	sock_hold(&ep->sk);
	call_rcu(&ep->rcu, end_answered_rcu);
}

static void dlpi_end_work(struct work_struct *work)
{
	struct dlpi_end *ep = container_of(work, struct dlpi_end, work);

	/* The field was set before the work was queued. */
	if (READ_ONCE(ep->closing))
		end_finish(ep);
	else
		end_request(ep);
}

void dlpi_end_defer(struct dlpi_end *ep, mblk_t *mp, u32 state)
{
	ep->next_state = ep->state;
	ep->state = state;
	ep->busy = true;
	ep->answered = false;
	ep->request = mp;
	queue_work(dlpi_wq, &ep->work);
}

/*
 * Charges all that the endpoint's buffers may hold to the opener's cgroup,
 * once.
 */
static bool end_charge(struct sock *sk)
{
	s64 size = (s64)sk->sk_rcvbuf + sk->sk_sndbuf;

	/* The size stays an int when it is rounded up to pages, too. */
	size = min_t(s64, size, INT_MAX - PAGE_SIZE);
	return __sk_mem_schedule(sk, size, SK_MEM_RECV);
}

static struct dlpi_end *dlpi_end_alloc(struct net *net)
{
	struct dlpi_end *ep;
	struct sock *sk;

	sk = sk_alloc(net, PF_PACKET, GFP_KERNEL, &dlpi_proto, 0);
	if (!sk)
		return NULL;
	sock_init_data(NULL, sk);
	ep = container_of(sk, struct dlpi_end, sk);
	/* The flag has rcu_barrier() wait for the last users of the code. */
	sock_set_flag(sk, SOCK_RCU_FREE);
	sk->sk_destruct = sk_mem_reclaim;
	if (!end_charge(sk)) {
		sock_put(sk);
		return NULL;
	}
	sk->sk_write_space = dlpi_end_write_space;
	ep->state = DL_UNATTACHED;
	INIT_WORK(&ep->work, dlpi_end_work);
	init_llist_head(&ep->later);
	INIT_HLIST_NODE(&ep->node);
	return ep;
}

/*
 * Attaches an endpoint of style 1 when it is opened. No message has been sent
 * down yet.
 */
static int end_attach(struct dlpi_end *ep, const char *link)
{
	int err;

	ep->named = true;
	ep->state = DL_UNBOUND;
	rtnl_lock();
	err = dlpi_link_attach_named(ep, link);
	rtnl_unlock();
	return err ? -ENXIO : 0;
}

/**
 * dlpi_end_open() - make an endpoint for a stream
 * @q: the driver's read queue
 * @cred: the opener's credentials
 * @link: the name of its device; NULL: it is to be attached to one
 *
 * It requires CAP_NET_RAW in the user namespace that owns the opener's network
 * namespace, as a packet socket does.
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int dlpi_end_open(queue_t *q, const struct cred *cred, const char *link)
{
	struct net *net = current->nsproxy->net_ns;
	struct dlpi_end *ep;
	mblk_t *mp;
	int err = 0;

	if (!ns_capable(net->user_ns, CAP_NET_RAW))
		return -EPERM;
	ep = dlpi_end_alloc(net);
	if (!ep)
		return -ENOMEM;
	/* The stream head may hold as many bytes as the receive buffer. */
	mp = strtpi_head_marks(ep->sk.sk_rcvbuf, GFP_KERNEL);
	ep->hangup = allocb_gfp(1, GFP_KERNEL);
	if (!mp || !ep->hangup) {
		freemsg(mp);
		freemsg(ep->hangup);
		sock_put(&ep->sk);
		return -ENOSR;
	}
	DB_TYPE(ep->hangup) = M_HANGUP;
	ep->cred = get_cred(cred);
	ep->rq = q;
	ep->open = true;
	q->q_ptr = ep;
	WR(q)->q_ptr = ep;
	qprocson(q);
	putnext(q, mp);
	if (link)
		err = end_attach(ep, link);
	if (err)
		dlpi_end_close(q);
	return err;
}

/**
 * dlpi_end_close() - take an endpoint from its stream
 * @q: the driver's read queue
 *
 * It waits for neither the RTNL nor a grace period.
 *
 * Context: process, may sleep.
 */
void dlpi_end_close(queue_t *q)
{
	struct dlpi_end *ep = dlpi_end(q);

	/* Taps, the notifier and the work item leave the queue alone from now on. */
	WRITE_ONCE(ep->open, false);
	flushq(WR(q), FLUSHALL);
	qprocsoff(q);
	q->q_ptr = NULL;
	WR(q)->q_ptr = NULL;
	WRITE_ONCE(ep->closing, true);
	queue_work(dlpi_wq, &ep->work);
}

int __init dlpi_end_init(void)
{
	int err;

	/* All items take the RTNL, so only one can run at a time. */
	dlpi_wq = alloc_ordered_workqueue("strdlpi", 0);
	if (!dlpi_wq)
		return -ENOMEM;
	err = proto_register(&dlpi_proto, 1);
	if (err)
		destroy_workqueue(dlpi_wq);
	return err;
}

void dlpi_end_exit(void)
{
	/* The endpoints are freed by then, except for grace periods. */
	destroy_workqueue(dlpi_wq);
	/*
	 * A tap may run, and freed frames call functions of this module. A task
	 * may have been preempted before it entered such a function, or in its
	 * last instructions.
	 */
	synchronize_rcu();
	synchronize_rcu_tasks();
	rcu_barrier();
	proto_unregister(&dlpi_proto);
}
