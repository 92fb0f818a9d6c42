/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An endpoint of the loopback transports: one open of /dev/streams/ticlts,
 * ticots or ticotsord
 *
 * The state of an endpoint is its own, changed only inside its stream's
 * perimeter. Other endpoints ask for changes by messages, see wire.h.
 */
#ifndef _TILOOP_END_H
#define _TILOOP_END_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <sys/stream.h>

#include "tpi/tpi.h"

#define LOOP_ADDR_MAX	128	/* bytes of an address */
#define LOOP_OPT_MAX	512	/* bytes of all options, T_INFO_ACK's OPT_size */
#define LOOP_TIDU	65536	/* bytes */
#define LOOP_UDATA_MAX	1024	/* bytes sent with connecting, disconnecting */
#define LOOP_QLEN_MAX	1024	/* connections that wait to be accepted */
#define LOOP_BUF	65536	/* bytes that wait on each side, at first */
#define LOOP_BUF_MIN	1024
#define LOOP_BUF_MAX	(1024 * 1024)

struct tiloop_addr {
	u16 len;
	u8 bytes[LOOP_ADDR_MAX];
};

/* A kind of endpoint: each of the three drivers has one. */
struct tiloop_kind {
	t_scalar_t serv_type;		/* T_CLTS ... */
	struct xarray ends;		/* those that are open, by id */
	u32 salt;			/* its hash values differ from the others' */
};

struct tiloop_call;

struct tiloop_end {
	queue_t *rq;			/* its own */
	refcount_t users;		/* itself, and others that use rq; see tiloop_enter() */
	struct completion unused;
	struct tiloop_kind *kind;
	struct net *net;		/* the opener's network namespace */
	kuid_t uid;			/* the opener's */
	u32 id;				/* strid(), T_CONN_RES' ACCEPTOR_id */
	refcount_t ref;
	int state;			/* TS_UNBND ... */
	bool busy;			/* an acceptor has not answered yet */

	/* The fields of addr.c, for a bound endpoint, under the table's lock */
	struct hlist_node hash;
	struct tiloop_addr addr;
	u32 qlen;

	/*
	 * The connection of the endpoint, or the one it asks for; conn 0: none
	 */
	u64 conn;
	struct tiloop_end *peer;		/* with a reference; NULL: none */
	struct tiloop_addr remote;
	mblk_t *bye;			/* to tell the peer when this one closes */

	/* The connections that wait to be accepted here */
	struct list_head calls;
	unsigned int ncalls;
	u32 last_seq;
	struct tiloop_call *accepting;	/* ... by another endpoint */
	mblk_t *res;			/* the T_CONN_RES that requested that */

	/* The waiters of unitdata.c for room, under its lock */
	struct list_head waiters;
	struct list_head waits;

	bufcall_id_t bufcall;		/* memory was short for the next message */
	size_t rcvbuf;			/* bytes, XTI_RCVBUF */
	bool debug;			/* XTI_DEBUG */
	t_scalar_t linger_onoff;	/* XTI_LINGER */
	t_scalar_t linger_seconds;
	struct rcu_head rcu;
};

static inline struct tiloop_end *tiloop_end(const queue_t *q)
{
	return q->q_ptr;
}

static inline bool tiloop_connects(const struct tiloop_end *ep)
{
	return ep->kind->serv_type != T_CLTS;
}

/* end.c */
struct tiloop_end *tiloop_end_get(struct tiloop_end *ep);
void tiloop_end_put(struct tiloop_end *ep);
/*
 * Returns another endpoint's read queue, for put() or qenable() until
 * tiloop_leave(); that endpoint's close procedure waits until then. NULL: the
 * endpoint closes. The caller has a reference to the endpoint. Preemption is
 * disabled in between.
 */
queue_t *tiloop_enter(struct tiloop_end *ep);
void tiloop_leave(struct tiloop_end *ep);
/*
 * Returns the endpoint that an ACCEPTOR_id names, with a reference; NULL: the
 * caller may not use it.
 */
struct tiloop_end *tiloop_end_find(const struct tiloop_end *ep, u32 id);
/*
 * Forgets the connection, which is over here; the other side knows, or is
 * informed.
 */
void tiloop_conn_over(struct tiloop_end *ep);
/* Tells the stream head how much may wait there; false: no memory. */
bool tiloop_end_set_head(struct tiloop_end *ep, size_t hiwat, gfp_t gfp);

#endif /* _TILOOP_END_H */
