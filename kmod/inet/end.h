/* SPDX-License-Identifier: GPL-2.0-only */
/* An endpoint over a kernel socket: one open of /dev/streams/tcp and the like */
#ifndef _STRINET_END_H
#define _STRINET_END_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/refcount.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/sock.h>
#include <sys/stream.h>

#include "streams/call/direct.h"
#include "tpi/datagram.h"
#include "tpi/sockopt.h"
#include "tpi/tpi.h"

struct strinet_end;

/* The endpoint's state after some of the data that has arrived was read */
enum inet_read {
	INET_READ_ALL,		/* nothing, or nothing there is room for above */
	INET_READ_MORE,		/* more that could go up */
	INET_READ_LATER,	/* nothing until an event queues the work item */
};

/* The operations on data, called under the endpoint's mutex */
struct strinet_data_ops {
	/* These two do what put() and get() of str_errand_ops do; the control part is a block. */
	int (*put)(struct strinet_end *ep, const mblk_t *ctl, struct iov_iter *from);
	int (*get)(struct strinet_end *ep, struct str_get *g);
	/* Handles events. */
	enum inet_read (*up)(struct strinet_end *ep);
	/* Fetches one message, or all that there is room for. */
	enum inet_read (*fetch)(struct strinet_end *ep, bool all);
	/* peek() returns whether there is data to fetch, waits() whether there may be anything. */
	bool (*peek)(struct strinet_end *ep);
	bool (*waits)(struct strinet_end *ep);
};

/* The kind of a driver's endpoints */
struct strinet_provider {
	int domain;			/* of its sockets, PF_INET ... */
	t_scalar_t addr_size;		/* of an address, bytes */
	int type;			/* SOCK_STREAM ... */
	int protocol;			/* of its sockets, IPPROTO_TCP ... */
	t_scalar_t serv_type;		/* T_COTS_ORD, T_CLTS */
	t_scalar_t flags;		/* T_info_ack's PROVIDER_flag */
	t_scalar_t tsdu;		/* bytes; 0: a stream of bytes */
	t_scalar_t etsdu;
	t_scalar_t tidu;
	const struct strinet_data_ops *data;
};

/* A SEQ_number that no connection has */
#define INET_NO_SEQ	(-1)

/* A connection that a T_CONN_IND indicated, and that has no answer yet */
struct strinet_pending {
	struct list_head list;
	struct socket *sock;
	t_scalar_t seq;
};

/* A socket's own callbacks, before the endpoint replaced them. */
struct strinet_calls {
	void (*state_change)(struct sock *sk);
	void (*data_ready)(struct sock *sk);
	void (*write_space)(struct sock *sk);
	void (*error_report)(struct sock *sk);
};

/* The bytes of all options, reported as OPT_size of T_INFO_ACK */
#define INET_OPT_SIZE		512

/*
 * Contexts
 *
 * All operations on an endpoint and its sockets run in process context, under
 * mutex, and all messages but data are sent down and up in its work item
 * alone. No operation waits for the network: every call on a socket is
 * non-blocking, and only memory and the sock's lock are waited for. Nor does
 * the work item wait for the mutex: users of other endpoints share its
 * workers. If it finds the mutex held it sets late, and is queued again when
 * the mutex is unlocked. The work item is queued when there is something to
 * do, by
 * - the write queue's service procedure: a message has come;
 * - the read queue's: there is room above again;
 * - the socket's callbacks: data, a connection, room, an error, a new state.
 * These three do nothing else, so they never sleep, and the work item's
 * putnext() may run procedures of the stream that lead back to them.
 *
 * The work item never sees most data: a sender gives it to the socket itself,
 * and a reader that looks for it takes it from there, both under mutex; see
 * streams/head/errand.h and direct.h.
 *
 * Two endpoints are locked at once only to hand a connection over, and the second
 * is not waited for: strinet_conn_res() is tried again later.
 *
 * An endpoint ends in its close procedure, in this order: it can no longer be
 * found by its number, the sockets get their own callbacks back, the queues'
 * procedures are turned off, the work item is cancelled, the sockets are
 * released. A task that found it by its number has a reference, and checks
 * closing under mutex.
 */
struct strinet_end {
	struct mutex mutex;		/* held by the acting task, see above */
	queue_t *rq;			/* the driver's read queue */
	const struct strinet_provider *provider;
	const struct cred *cred;	/* the opener's */
	struct net *net;		/* of all its sockets; NULL: there was none */
	struct mem_cgroup *memcg;	/* the opener's; messages are charged to it */
	unsigned int id;		/* strid(): T_CONN_RES's ACCEPTOR_id */
	refcount_t refs;
	bool closing;
	int state;			/* TS_UNBND ... */
	struct socket *sock;		/* NULL: there is only the listening one */
	struct socket *listening;	/* bound with CONIND_number > 0, or NULL */
	unsigned int qlen;		/* T_CONN_INDs that may wait for answers */
	unsigned int npending;
	struct list_head pending;	/* struct strinet_pending, oldest first */
	u32 last_seq;			/* SEQ_number given last */
	union tpi_addr bound;	/* as T_BIND_ACK returned it */
	bool any_port;			/* ... which T_BIND_REQ left open */
	bool rebind;			/* sock does not have that address yet */
	bool spent;			/* sock's connection is over, and no new socket was made */
	int error;			/* a positive errno that sending met */
	bool blocked;			/* the first message waits for room below */
	bool stopped;			/* reading waits for room above */
	bool fetching;			/* data read now is for a task that waits for it */
	bool sending;			/* no message is sent: a caller brings the rest of one */
	int missed;			/* poll() found the mutex held; not under it */
	int late;			/* the work item did; not under it */
	mblk_t *gathered;		/* of a record that is not whole yet: one block */
	unsigned int taken_after;	/* the flushes before what is gathered, or in hand */
	spinlock_t flush_lock;		/* taking a message, against flushes */
	unsigned int flushes;		/* of the write queue, counted */
	struct tpi_kept kept;		/* of its options */
	struct strinet_calls calls;
	int first_dev_if;		/* the first socket's, from a cgroup */
	u32 first_mark;
	u32 first_priority;
	struct work_struct work;
	struct delayed_work retry;	/* queues work: memory was short */
};

static inline struct strinet_end *strinet_end(const queue_t *q)
{
	return q->q_ptr;
}

static inline bool strinet_is_clts(const struct strinet_end *ep)
{
	return ep->provider->serv_type == T_CLTS;
}

static inline bool strinet_is_in6(const struct strinet_end *ep)
{
	return ep->provider->domain == PF_INET6;
}

static inline bool strinet_is_tcp(const struct strinet_end *ep)
{
	return ep->provider->protocol == IPPROTO_TCP;
}

static inline bool strinet_may_send(const struct strinet_end *ep)
{
	return ep->state == TS_DATA_XFER || ep->state == TS_WREQ_ORDREL;
}

/* Returns whether arrivals are data, which the reader itself can fetch. */
static inline bool strinet_end_is_read(const struct strinet_end *ep)
{
	int state = READ_ONCE(ep->state);

	return strinet_is_clts(ep) || state == TS_DATA_XFER ||
	       state == TS_WIND_ORDREL;
}

/* Returns the socket whose options are managed and address is reported. */
static inline struct socket *strinet_end_sock(const struct strinet_end *ep)
{
	return ep->sock ?: ep->listening;
}

/* All endpoints by their number. */
extern struct xarray inet_ends;

void strinet_end_kick(struct strinet_end *ep);
void strinet_end_retry(struct strinet_end *ep);
/*
 * Reading resumes: either the callback that reports an arrival sees this, or
 * the arrival is found here.
 */
static inline void strinet_end_go_on(struct strinet_end *ep)
{
	if (!READ_ONCE(ep->stopped))
		return;
	/* The flag is cleared before the look at the socket; pairs with sock_data_ready(). */
	smp_store_mb(ep->stopped, false);
}

/*
 * Returns whether there is room above; without room, reading continues when
 * there is some.
 */
bool strinet_end_has_room(struct strinet_end *ep);
/* Puts back the rest of a partly sent message, before all other messages. */
void strinet_end_back(struct strinet_end *ep, mblk_t *mp);
/* Empties the write queue, and forgets what is gathered. */
void strinet_end_flush(struct strinet_end *ep);
/* Returns an endpoint with a reference; NULL: ep may name no endpoint of that number. */
struct strinet_end *strinet_end_find(const struct strinet_end *ep, unsigned int id);
void strinet_end_put(struct strinet_end *ep);
/*
 * Called after the mutex is unlocked. Returns whether the work item found the
 * mutex held.
 */
static inline bool strinet_end_is_late(struct strinet_end *ep)
{
	/* The unlocking comes before the look at the flag; pairs with act_begin_now(). */
	smp_mb();
	return unlikely(READ_ONCE(ep->late)) && xchg(&ep->late, false);
}

/* Locks another endpoint beside the caller's, without waiting. */
bool strinet_end_trylock_other(struct strinet_end *to);
void strinet_end_unlock_other(struct strinet_end *to);
/* Returns a T_DISCON_IND; NULL: memory is short. */
mblk_t *strinet_discon_ind(int err, t_scalar_t seq);
int __init strinet_end_init(void);
void strinet_end_exit(void);

/*
 * Returns a primitive to send up, as tpi_put() writes it; NULL: memory is
 * short.
 */
static inline mblk_t *strinet_ind(const void *prim, size_t size, const void *addr,
				  size_t len)
{
	mblk_t *mp = allocb_gfp(size + len, GFP_KERNEL | __GFP_NOWARN);

	if (mp)
		tpi_put(mp, prim, size, addr, len);
	return mp;
}

/*
 * Sends up the data read. The peer chooses the size of its parts, so a part
 * counts as much as its memory.
 */
static inline void strinet_up(struct strinet_end *ep, mblk_t *mp)
{
	mp->b_flag |= MSGOBJECT;
	if (ep->fetching)
		str_errand_put(ep->rq, mp);
	else
		putnext(ep->rq, mp);
}

static inline void strinet_reply(struct strinet_end *ep, mblk_t *mp)
{
	strtpi_reply(WR(ep->rq), mp);
}

#endif /* _STRINET_END_H */
