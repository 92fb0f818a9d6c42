/* SPDX-License-Identifier: GPL-2.0-only */
/* An endpoint of the UDP provider: one open of /dev/streams/udp or udp6 */
#ifndef _TPI_UDP_END_H
#define _TPI_UDP_END_H

#include <linux/in.h>
#include <linux/net.h>
#include <linux/workqueue.h>
#include <sys/stream.h>

#include "tpi.h"
#include "udp.h"
#include "udp_family.h"

/* Options in a T_UNITDATA_IND besides the sender, rcvopts below. */
#define RCVOPT_DSTADDR	0x1
#define RCVOPT_TTL	0x2
#define RCVOPT_TOS	0x4

#define IP_OPTIONS_MAX	40	/* bytes, RFC 791 */
/* Bytes of all options there are, T_INFO_ACK's OPT_size. */
#define UDP_OPT_SIZE	512

/*
 * Put and service procedures change an endpoint inside their stream's
 * perimeter. Operations that sleep (binding, options, at times sending) are
 * done by a work item while busy is set; messages behind it wait on the write
 * queue meanwhile.
 */
struct udp_end {
	queue_t *rq;			/* the driver's read queue */
	const struct udp_family *family;
	struct socket *sock;		/* in the opener's network namespace */
	const struct cred *cred;	/* the opener's */
	int state;			/* TS_UNBND ... */
	bool busy;			/* the work item has request */
	bool answered;			/* ... and has made answer of it */
	bool unbinding;			/* ... after a grace period */
	bool blocked;			/* the first message waits for send buffer */
	unsigned int rcvopts;		/* RCVOPT_DSTADDR ... */
	mblk_t *request;
	mblk_t *answer;			/* NULL: there is none */
	mblk_t *unsent;			/* a T_UNITDATA_REQ to try again */
	int next_state;
	mblk_t *flush;			/* M_FLUSH, sent before the answer */
	struct strudp_cache cache;
	struct work_struct work;
	int head_hiwat;			/* bytes, as sent to the head; 0: not sent */
	int first_rcvbuf;		/* bytes, before they were changed */
	int first_sndbuf;
	bool v6only;			/* as set before it was bound */
	unsigned char ip_options[IP_OPTIONS_MAX];	/* as set last */
	unsigned char ip_options_len;
	struct rcu_head unbound;
	struct rcu_head rcu;
};

static inline struct udp_end *udp_end(const queue_t *q)
{
	return q->q_ptr;
}

/* udp_end.c */
int udp_end_set_head(struct udp_end *ep);
void udp_end_fit_head(struct udp_end *ep);

/* udp_life.c */
int udp_end_open(queue_t *q, const struct udp_family *family,
		 const struct cred *cred);
void udp_end_close(queue_t *q);
void strudp_adopt(struct udp_end *ep, struct socket *sock,
		  const struct cred *cred);

/* udp_rcv.c: datagrams from the network */
void udp_end_hook(struct udp_end *ep);
bool udp_end_is_hooked(const struct sock *sk);
void udp_end_meet(struct sock *sk, const struct iphdr *iph, __be16 sport,
		  mblk_t *mp);
int __init udp_rcv_init(void);
void udp_rcv_exit(void);

mblk_t *strudp_rcv_data(struct sock *sk, struct sk_buff *skb);
mblk_t *strudp_unitdata_ind(const struct udp_end *ep, const struct sk_buff *skb,
			    gfp_t gfp);

/* udp_prim.c: primitives */
bool udp_prim_urgent(const mblk_t *mp);
bool udp_prim(queue_t *q, mblk_t *mp);
void udp_prim_finish(queue_t *q);
void udp_wput_back(queue_t *q, mblk_t *mp);
void udp_prim_work(struct work_struct *work);
mblk_t *strudp_request(struct udp_end *ep, mblk_t *mp);

/* udp_unitdata.c: T_UNITDATA_REQ */
bool udp_unitdata_sleeps(const struct udp_end *ep);
bool udp_unitdata_req(struct udp_end *ep, mblk_t *mp, mblk_t **answer);
int strudp_send_request(struct udp_end *ep, mblk_t *mp,
			const struct msghdr *how);
mblk_t *strudp_send_error(const struct udp_end *ep, mblk_t *mp, int err);

/* udp_send.c */
bool udp_send_message(struct sock *sk, struct strudp_cache *cache,
		      const struct sockaddr_in *sin, mblk_t *mp, size_t len);

/* udp_opt.c: options; sleeps */
mblk_t *udp_optmgmt(struct udp_end *ep, mblk_t *mp);

/* udp_driver.c */
int __init udp_driver_init(void);
void udp_driver_exit(void);

#endif /* _TPI_UDP_END_H */
