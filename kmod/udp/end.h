/* SPDX-License-Identifier: GPL-2.0-only */
/* An endpoint of the UDP provider: one open of /dev/streams/udp or udp6 */
#ifndef _STRUDP_END_H
#define _STRUDP_END_H

#include <linux/in.h>
#include <linux/net.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include <sys/stream.h>

#include "tpi/sockopt.h"
#include "tpi/tpi.h"
#include "family.h"
#include "udp.h"

/* Bytes of all options there are, T_INFO_ACK's OPT_size. */
#define UDP_OPT_SIZE	512

/*
 * Put and service procedures change an endpoint inside their stream's
 * perimeter. Operations that sleep (binding, options, at times sending) are
 * done by a work item while busy is set; messages behind it wait on the write
 * queue meanwhile.
 */
struct strudp_end {
	queue_t *rq;			/* the driver's read queue */
	const struct strudp_family *family;
	struct socket *sock;		/* in the opener's network namespace */
	const struct cred *cred;	/* the opener's */
	int state;			/* TS_UNBND ... */
	bool busy;			/* the work item has request */
	bool answered;			/* ... and has made answer of it */
	bool blocked;			/* the first message waits for send buffer */
	struct tpi_kept kept;		/* of its options */
	mblk_t *request;
	mblk_t *answer;			/* NULL: there is none */
	mblk_t *unsent;			/* a T_UNITDATA_REQ to try again */
	int next_state;
	mblk_t *flush;			/* M_FLUSH, sent before the answer */
	struct strudp_cache cache;
	struct work_struct work;
	int head_hiwat;			/* bytes, as sent to the head; 0: not sent */
	refcount_t refs;		/* held by the stream, and the callback of unbound */
	struct rcu_head unbound;
	struct rcu_head rcu;
};

static inline struct strudp_end *strudp_end(const queue_t *q)
{
	return q->q_ptr;
}

/* end.c */
void strudp_end_put(struct strudp_end *ep);
/* The bytes that may wait at the stream heads of all endpoints together */
extern atomic_long_t strudp_heads_hiwat;
void strudp_end_head_is(struct strudp_end *ep, int hiwat);
int strudp_end_set_head(struct strudp_end *ep);
void strudp_end_fit_head(struct strudp_end *ep);

#endif /* _STRUDP_END_H */
