// SPDX-License-Identifier: GPL-2.0-only
/* An endpoint over a kernel socket: its work item, its callers, open and close */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include <linux/xarray.h>

#include "streams/head/plumb.h"
#include "accept.h"
#include "conn.h"
#include "end.h"
#include "prim.h"
#include "recv.h"
#include "send.h"
#include "sock.h"
#include "work.h"

/* Bytes that may wait at the stream head. */
#define HEAD_HIWAT	65536

/* The most messages sent in one run; other endpoints then have their turn. */
#define DOWN_BUDGET	64
/* The most changes of state handled in one run */
#define STATE_BUDGET	8

static void end_retry(struct work_struct *work)
{
	struct strinet_end *ep = container_of(to_delayed_work(work),
					      struct strinet_end, retry);

	strinet_end_kick(ep);
}

static mblk_t *down_get(struct strinet_end *ep)
{
	unsigned int flushes;
	mblk_t *mp;

	spin_lock_bh(&ep->flush_lock);
	mp = getq(WR(ep->rq));
	flushes = ep->flushes;
	spin_unlock_bh(&ep->flush_lock);
	if (flushes != ep->taken_after) {
		freemsg(ep->gathered);
		ep->gathered = NULL;
		ep->taken_after = flushes;
	}
	return mp;
}

/* Handles messages from above. Returns true if there are more. */
static bool end_down(struct strinet_end *ep)
{
	int budget = DOWN_BUDGET;
	mblk_t *mp;

	WRITE_ONCE(ep->blocked, false);
	while (!ep->closing && !ep->sending && (mp = down_get(ep))) {
		if (!strinet_prim(ep, &mp)) {
			strinet_end_back(ep, mp);
			return false;
		}
		if (!--budget)
			return true;
	}
	return false;
}

static bool end_waits(struct strinet_end *ep)
{
	return ep->provider->data->waits(ep);
}

/*
 * Ends a run that has sent up all it could. Later arrivals, and new room, are
 * reported to the work item; those reported before are looked for here.
 */
static void end_done(struct strinet_end *ep)
{
	str_errand_done(ep->rq);
	if (end_waits(ep) && !READ_ONCE(ep->stopped) && !str_errand_up(ep->rq))
		strinet_end_kick(ep);
}

/*
 * Other tasks do not look for data that the work item reads, and are not woken
 * again.
 */
static void end_read(struct strinet_end *ep)
{
	struct stream *sd = ep->rq->q_stream;
	enum inet_read left;

	ep->fetching = str_errand_waits(sd);
	left = ep->provider->data->up(ep);
	ep->fetching = false;
	if (left == INET_READ_MORE)
		strinet_end_kick(ep);
	else if (left == INET_READ_ALL && str_errand_waits(sd))
		end_done(ep);
}

/* Handles arrivals from the network. */
static void end_up(struct strinet_end *ep)
{
	strinet_end_go_on(ep);
	if (ep->closing)
		return;
	if (strinet_is_clts(ep)) {
		end_read(ep);
		return;
	}
	switch (ep->state) {
	case TS_IDLE:
	case TS_WRES_CIND:
		strinet_listen_up(ep);
		break;
	case TS_WCON_CREQ:
		strinet_conn_up(ep);
		break;
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
	case TS_WREQ_ORDREL:
		end_read(ep);
		break;
	}
}

/*
 * A task acts with the credentials, and on the memory account, of the stream's
 * opener.
 */
struct actor {
	const struct cred *cred;
	struct mem_cgroup *memcg;
};

/* The caller holds the mutex; see act_end(). */
static void act_locked(struct strinet_end *ep, struct actor *a)
{
	lockdep_assert_held(&ep->mutex);
	/* Nearly always the opener itself is the caller. */
	a->cred = current_cred() == ep->cred ? NULL :
					       override_creds(ep->cred);
	a->memcg = set_active_memcg(ep->memcg);
}

static void act_begin(struct strinet_end *ep, struct actor *a)
{
	mutex_lock(&ep->mutex);
	act_locked(ep, a);
}

/* Locks the mutex for a caller of the stream's, or returns -ERESTARTSYS. */
static int act_begin_killable(struct strinet_end *ep, struct actor *a)
{
	if (mutex_lock_killable(&ep->mutex))
		return -ERESTARTSYS;
	act_locked(ep, a);
	return 0;
}

static void act_end(struct strinet_end *ep, const struct actor *a)
{
	set_active_memcg(a->memcg);
	if (a->cred)
		revert_creds(a->cred);
	mutex_unlock(&ep->mutex);
	if (strinet_end_is_late(ep))
		strinet_end_kick(ep);
}

/*
 * Locks the mutex for the work item, without waiting. A sender that waits for memory or for
 * its cgroup's turn may hold the mutex for long, and other endpoints need the worker: the
 * work item is queued again when the mutex is free.
 */
static bool act_begin_now(struct strinet_end *ep, struct actor *a)
{
	if (!mutex_trylock(&ep->mutex)) {
		WRITE_ONCE(ep->late, true);
		/* The flag is set before the second try; pairs with strinet_end_is_late(). */
		smp_mb();
		if (!mutex_trylock(&ep->mutex))
			return false;
	}
	act_locked(ep, a);
	return true;
}

static void strinet_end_work(struct work_struct *work)
{
	struct strinet_end *ep = container_of(work, struct strinet_end, work);
	int budget = STATE_BUDGET, state;
	bool more = false;
	struct actor a;

	if (!act_begin_now(ep, &a))
		return;
	/* A change of the state may be the event that a message waits for. */
	do {
		state = ep->state;
		more = end_down(ep);
		end_up(ep);
	} while (state != ep->state && --budget);
	if ((more || !budget) && !ep->closing)
		strinet_end_kick(ep);
	act_end(ep, &a);
	/*
	 * The flag is read after the mutex is unlocked: a poller would find the
	 * mutex held once more.
	 */
	if (READ_ONCE(ep->missed) && xchg(&ep->missed, false))
		str_errand_look_again(ep->rq);
}

/* The times that user memory is made present for the rest of a message. */
#define REST_TRIES	8

/*
 * Sends the rest of a caller's data, of which the socket has taken a part. A
 * page of the rest is waited for without the mutex, as long as the user likes:
 * meanwhile only sending stops. If the page cannot be read the connection ends,
 * as it would lack the rest.
 */
static int put_rest(struct strinet_end *ep, struct actor *a, const mblk_t *ctl,
		    struct iov_iter *from)
{
	const struct socket *sock = ep->sock;
	int tries = 0, err;

	while ((err = strinet_data_rest(ep, ctl, from)) == -EFAULT && tries++ < REST_TRIES) {
		size_t missing;

		ep->sending = true;
		act_end(ep, a);
		missing = fault_in_iov_iter_readable(from, iov_iter_count(from));
		act_begin(ep, a);
		ep->sending = false;
		/* The work item sends messages that came meanwhile. */
		strinet_end_kick(ep);
		/* If the connection has ended, the rest is dropped. */
		if (ep->sock != sock || !strinet_may_send(ep))
			return 0;
		if (missing)
			break;
	}
	if (err)
		ep->error = -err;
	return err == -EFAULT ? err : 0;
}

/*
 * Makes all of the user's bytes present if they are in several pages: a message
 * that has been begun has to be finished. Returns whether they are present.
 */
static bool put_is_present(const struct iov_iter *from)
{
	size_t len = iov_iter_count(from);

	return offset_in_page(from->ubuf) + len <= PAGE_SIZE ||
	       !fault_in_readable(from->ubuf, len);
}

/* Runs in a caller that sends data. No waiting message is overtaken. */
static int errand_put(queue_t *rq, const void *ctl, size_t len,
		      struct iov_iter *from)
{
	/*
	 * Makes a block of a control part, for functions that read primitives
	 * from blocks.
	 */
	const mblk_t mp = {
		.b_rptr = (unsigned char *)ctl,
		.b_wptr = (unsigned char *)ctl + len,
	};
	struct strinet_end *ep = strinet_end(rq);
	struct actor a;
	int err;

	if (!put_is_present(from))
		return -ENODATA;
	err = act_begin_killable(ep, &a);
	if (err)
		return err;
	err = -ENODATA;
	if (!ep->closing && !ep->error && !ep->gathered && !ep->sending &&
	    !READ_ONCE(WR(rq)->q_first)) {
		/* A flush that comes from here on does not drop the message. */
		ep->taken_after = READ_ONCE(ep->flushes);
		err = ep->provider->data->put(ep, &mp, from);
		if (unlikely(err > 0))
			err = put_rest(ep, &a, &mp, from);
	}
	/* The work item reports the error. */
	if (ep->error)
		strinet_end_kick(ep);
	act_end(ep, &a);
	return err;
}

static void end_fetch(struct strinet_end *ep, bool all)
{
	enum inet_read left = INET_READ_LATER;

	if (!ep->closing) {
		strinet_end_go_on(ep);
		ep->fetching = true;
		left = ep->provider->data->fetch(ep, all);
		ep->fetching = false;
	}
	if (left == INET_READ_ALL)
		end_done(ep);
	else if (left == INET_READ_LATER)
		str_errand_done(ep->rq);
}

/* Runs in a caller that looks for data. */
static int errand_up(queue_t *rq, bool all)
{
	struct strinet_end *ep = strinet_end(rq);
	struct actor a;
	int err;

	err = act_begin_killable(ep, &a);
	if (err)
		return err;
	/* A reader may have begun to wait just before. */
	if (str_errand_waits(rq->q_stream))
		end_fetch(ep, all);
	act_end(ep, &a);
	return 0;
}

/* Runs in a caller that takes data itself. */
static int errand_get(queue_t *rq, struct str_get *g)
{
	struct strinet_end *ep = strinet_end(rq);
	struct actor a;
	int err;

	err = act_begin_killable(ep, &a);
	if (err)
		return err;
	err = -ENODATA;
	if (!ep->closing && str_get_is_next(rq)) {
		strinet_end_go_on(ep);
		err = ep->provider->data->get(ep, g);
	}
	/* The message was the last one. */
	if (!err && !end_waits(ep))
		end_done(ep);
	act_end(ep, &a);
	return err;
}

/*
 * Returns whether there is data, for a caller that only asks, perhaps about a
 * thousand streams more. The work item waits for a sender that waits for
 * memory, or for its turn.
 */
static int errand_look(queue_t *rq)
{
	struct strinet_end *ep = strinet_end(rq);
	struct actor a;
	bool is = false;

	if (!mutex_trylock(&ep->mutex)) {
		WRITE_ONCE(ep->missed, true);
		strinet_end_kick(ep);
		return -EAGAIN;
	}
	act_locked(ep, &a);
	if (str_errand_waits(rq->q_stream)) {
		is = !ep->closing && ep->provider->data->peek(ep);
		if (!is)
			end_fetch(ep, false);
	}
	act_end(ep, &a);
	return is;
}

static const struct str_errand_ops errand_ops = {
	.put = errand_put,
	.get = errand_get,
	.up = errand_up,
	.look = errand_look,
};

/**
 * strinet_end_open() - make an endpoint for a stream
 * @q: the driver's read queue
 * @provider: its provider
 * @cred: the opener's; used to bind ports and set options
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error: -EPROTONOSUPPORT, the kernel has no such
 * protocol; -EPERM, it takes privileges; -ENOMEM; -ENOSR.
 */
int strinet_end_open(queue_t *q, const struct strinet_provider *provider,
		     const struct cred *cred)
{
	struct strinet_end *ep = kzalloc(sizeof(*ep), GFP_KERNEL_ACCOUNT);
	int err = -ENOSR;
	mblk_t *mp;

	if (!ep)
		return -ENOMEM;
	mutex_init(&ep->mutex);
	spin_lock_init(&ep->flush_lock);
	refcount_set(&ep->refs, 1);
	INIT_LIST_HEAD(&ep->pending);
	INIT_WORK(&ep->work, strinet_end_work);
	INIT_DELAYED_WORK(&ep->retry, end_retry);
	ep->rq = q;
	ep->provider = provider;
	ep->cred = get_cred(cred);
	ep->memcg = get_mem_cgroup_from_mm(current->mm);
	ep->state = TS_UNBND;
	ep->id = strid(q);
	mp = strtpi_head_marks(HEAD_HIWAT, GFP_KERNEL);
	if (!ep->id || !mp)
		goto free;
	err = strinet_sock_first(ep);
	if (err)
		goto free;
	err = xa_reserve(&inet_ends, ep->id, GFP_KERNEL);
	if (err)
		goto release;
	err = str_errands_begin(q, &errand_ops, NULL);
	if (err)
		goto unreserve;
	q->q_ptr = ep;
	WR(q)->q_ptr = ep;
	qprocson(q);
	putnext(q, mp);
	/* The network may use the endpoint now. */
	strinet_sock_hook(ep, ep->sock);
	/*
	 * The endpoint is published here; its place is reserved, so this cannot
	 * fail.
	 */
	xa_store(&inet_ends, ep->id, ep, GFP_KERNEL);
	return 0;

unreserve:
	xa_release(&inet_ends, ep->id);
release:
	sock_release(ep->sock);
free:
	freemsg(mp);
	strinet_end_put(ep);
	return err;
}

/*
 * The stream head has waited until the write queue was empty; the work item may
 * have taken the last message then, and put it back.
 */
static void close_drain(struct strinet_end *ep, int oflag)
{
	queue_t *q = WR(ep->rq);
	bool waited = READ_ONCE(q->q_first);
	struct actor a;

	/* Data is sent in any case if the socket has room. */
	strinet_end_kick(ep);
	flush_work(&ep->work);
	/*
	 * The work item found the mutex held by another endpoint, which soon
	 * releases it.
	 */
	if (READ_ONCE(ep->late)) {
		act_begin(ep, &a);
		act_end(ep, &a);
		flush_work(&ep->work);
	}
	/*
	 * The stream head has waited already for messages that were left at
	 * first.
	 */
	if (!waited)
		str_close_drain(q, oflag);
}

/* Drops a message that can no longer be sent; returns whether it is data. */
static bool close_lost(struct strinet_end *ep)
{
	bool lost = ep->gathered;
	mblk_t *mp;

	while ((mp = getq(WR(ep->rq)))) {
		t_scalar_t type = tpi_type(mp);

		lost |= DB_TYPE(mp) == M_DATA || type == T_DATA_REQ ||
			type == T_EXDATA_REQ || type == T_OPTDATA_REQ;
		freemsg(mp);
	}
	return lost;
}

/* Returns how a connection ends when its stream is closed. */
static enum inet_farewell close_how(const struct strinet_end *ep, bool lost)
{
	/* A connection that is reset shows the peer that data is missing. */
	if (lost || ep->error)
		return INET_ABORT;
	/* The kernel does not wait for a linger time of 0, but resets the connection. */
	return str_close_time(ep->rq->q_stream) || !READ_ONCE(ep->sock->sk->sk_lingertime) ?
	       INET_KEEP : INET_RELEASE;
}

/**
 * strinet_end_close() - take an endpoint from its stream
 * @q: the driver's read queue
 * @oflag: the file's flags
 *
 * Context: process, may sleep: as long as XTI_LINGER says.
 */
void strinet_end_close(queue_t *q, int oflag)
{
	struct strinet_end *ep = strinet_end(q);
	struct strinet_pending *p;
	struct actor a;
	bool lost;

	close_drain(ep, oflag);
	xa_erase(&inet_ends, ep->id);
	act_begin(ep, &a);
	/* The amount is what a head with a reader would have taken. */
	strinet_data_drop(ep, HEAD_HIWAT);
	ep->closing = true;
	act_end(ep, &a);
	/*
	 * No other task changes the endpoint any more; end.h describes the order.
	 */
	while ((p = list_first_entry_or_null(&ep->pending, struct strinet_pending,
					     list)))
		strinet_pending_end(ep, p);
	if (ep->listening)
		strinet_sock_unhook(ep, ep->listening);
	if (ep->sock)
		strinet_sock_unhook(ep, ep->sock);
	lost = close_lost(ep);
	qprocsoff(q);
	cancel_work_sync(&ep->work);
	cancel_delayed_work_sync(&ep->retry);
	cancel_work_sync(&ep->work);
	if (ep->listening)
		strinet_sock_end(ep, ep->listening, INET_RELEASE);
	if (ep->sock)
		strinet_sock_end(ep, ep->sock, close_how(ep, lost));
	freemsg(ep->gathered);
	q->q_ptr = NULL;
	WR(q)->q_ptr = NULL;
	strinet_end_put(ep);
}
