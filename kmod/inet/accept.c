// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listening, and connections that wait for a T_CONN_RES
 *
 * As many as T_BIND_REQ's CONIND_number asked for are taken from the listening
 * socket and indicated; the kernel keeps as many more. An endpoint that has
 * accepted a connection itself keeps its listening socket: it listens again
 * when that connection is over.
 */
#include <linux/net.h>
#include <linux/slab.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "accept.h"
#include "end.h"
#include "opt.h"
#include "sock.h"

struct strinet_pending *strinet_pending_find(struct strinet_end *ep, t_scalar_t seq)
{
	struct strinet_pending *p;

	list_for_each_entry(p, &ep->pending, list)
		if (p->seq == seq)
			return p;
	return NULL;
}

static void pending_free(struct strinet_end *ep, struct strinet_pending *p)
{
	list_del(&p->list);
	ep->npending--;
	kfree(p);
}

/* Refuses one. */
void strinet_pending_end(struct strinet_end *ep, struct strinet_pending *p)
{
	strinet_sock_end(ep, p->sock, INET_ABORT);
	pending_free(ep, p);
}

static mblk_t *strinet_conn_ind(const struct strinet_end *ep,
				const union tpi_addr *addr, t_scalar_t seq)
{
	struct T_conn_ind ind = {
		.PRIM_type = T_CONN_IND,
		.SRC_length = ep->provider->addr_size,
		.SRC_offset = sizeof(ind),
		.SEQ_number = seq,
	};

	return strinet_ind(&ind, sizeof(ind), addr, ind.SRC_length);
}

/*
 * Returns a number that no waiting connection has, and that is not INET_NO_SEQ.
 */
static t_scalar_t strinet_next_seq(struct strinet_end *ep)
{
	do {
		ep->last_seq = ep->last_seq % INT_MAX + 1;
	} while (strinet_pending_find(ep, ep->last_seq));
	return ep->last_seq;
}

/*
 * Takes one connection and indicates it. Returns 0 or an error; -EAGAIN: no
 * connection waits.
 */
static int listen_one(struct strinet_end *ep)
{
	struct strinet_pending *p = kmalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	union tpi_addr addr;
	mblk_t *mp = NULL;
	int err;

	if (!p)
		return -ENOMEM;
	err = strinet_sock_accept(ep, &p->sock);
	if (err)
		goto free;
	p->seq = strinet_next_seq(ep);
	if (strinet_sock_peer(p->sock, &addr)) {
		mp = strinet_conn_ind(ep, &addr, p->seq);
		err = -ENOMEM;
	} else {
		/* The connection ended before it was accepted. */
		err = -ECONNABORTED;
	}
	if (mp && strinet_sock_hook(ep, p->sock)) {
		freemsg(mp);
		mp = NULL;
		err = -ECONNABORTED;
	}
	if (!mp) {
		/* The connection cannot be put back; the peer is informed. */
		strinet_sock_end(ep, p->sock, INET_ABORT);
		goto free;
	}
	list_add_tail(&p->list, &ep->pending);
	ep->npending++;
	WRITE_ONCE(ep->state, TS_WRES_CIND);
	putnext(ep->rq, mp);
	return 0;

free:
	kfree(p);
	return err;
}

/*
 * Indicates the connections that ended before they were accepted; false: memory
 * is short.
 */
static bool listen_lost(struct strinet_end *ep)
{
	struct strinet_pending *p, *next;

	list_for_each_entry_safe(p, next, &ep->pending, list) {
		struct sock *sk = p->sock->sk;
		mblk_t *mp;

		if (!READ_ONCE(sk->sk_err) &&
		    READ_ONCE(sk->sk_state) != TCP_CLOSE)
			continue;
		mp = strinet_discon_ind(READ_ONCE(sk->sk_err) ?: ECONNRESET,
					p->seq);
		if (!mp)
			return false;
		strinet_pending_end(ep, p);
		if (!ep->npending)
			WRITE_ONCE(ep->state, TS_IDLE);
		putnext(ep->rq, mp);
	}
	return true;
}

/* Handles events of an endpoint without a connection. */
void strinet_listen_up(struct strinet_end *ep)
{
	int err = 0;

	if (!ep->listening)
		return;
	if (!listen_lost(ep)) {
		strinet_end_retry(ep);
		return;
	}
	while (ep->npending < ep->qlen) {
		if (!strinet_end_has_room(ep))
			return;
		err = listen_one(ep);
		if (err && err != -ECONNABORTED)
			break;
	}
	/* Other errors come last: another try would meet them again. */
	if (err == -ENOMEM || err == -ENOBUFS || err == -ENFILE)
		strinet_end_retry(ep);
}

/*
 * Gives a connection to an endpoint; both are locked. Returns a TLI error, or
 * 0. An endpoint that was bound gets its own address back when the connection
 * ends.
 */
static int hand_over(struct strinet_end *to, struct socket *sock)
{
	lockdep_assert_held(&to->mutex);
	if (to->closing)
		return TBADF;
	if (to->qlen)
		return TRESQLEN;
	if (to->state != TS_IDLE && to->state != TS_UNBND)
		return TOUTSTATE;
	/* The error ENOSR is reported. */
	if (!canputnext(to->rq))
		return TSYSERR;
	strinet_sock_end(to, to->sock, INET_RELEASE);
	to->sock = sock;
	to->spent = false;
	to->rebind = false;
	strinet_sock_hook(to, sock);
	WRITE_ONCE(to->state, TS_DATA_XFER);
	return 0;
}

/* Accepts a connection on the listening endpoint itself. */
static int strinet_accept_here(struct strinet_end *ep, struct strinet_pending *p)
{
	if (ep->npending > 1)
		return TINDOUT;
	if (!canputnext(ep->rq))
		return TSYSERR;
	ep->sock = p->sock;
	WRITE_ONCE(ep->state, TS_DATA_XFER);
	return 0;
}

/* Reads the primitive; a TLI error, or 0. */
static int conn_res_parse(struct strinet_end *ep, const mblk_t *mp,
			  struct T_conn_res *res, struct strinet_pending **p)
{
	int err;

	if (ep->state != TS_WRES_CIND)
		return TOUTSTATE;
	if (!tpi_get(mp, res, sizeof(*res)))
		return TBADSEQ;
	*p = strinet_pending_find(ep, res->SEQ_number);
	if (!*p)
		return TBADSEQ;
	if (mp->b_cont && msgsize(mp->b_cont))
		return TBADDATA;
	err = strinet_opt_apply(ep, (*p)->sock, mp, res->OPT_offset, res->OPT_length);
	return strinet_opt_tli_error(err);
}

static void conn_res_answer(struct strinet_end *ep, mblk_t *mp, int tli,
			    struct strinet_pending *p)
{
	if (tli) {
		strinet_reply(ep, strtpi_error_ack(mp, tli, ENOSR));
		return;
	}
	/* The socket stays, as another endpoint has it now. */
	pending_free(ep, p);
	if (ep->state == TS_WRES_CIND && !ep->npending)
		WRITE_ONCE(ep->state, TS_IDLE);
	strinet_reply(ep, strtpi_ok_ack(mp));
}

/**
 * strinet_conn_res() - act on a T_CONN_RES
 * @ep: the endpoint
 * @mp: the primitive; consumed, unless false is returned
 *
 * A sender may have the other endpoint's mutex for long, as one that waits for
 * memory: the work item does not wait for it.
 *
 * Return: false when it is to be tried again.
 * TPI version 2, T_CONN_RES.
 */
bool strinet_conn_res(struct strinet_end *ep, mblk_t *mp)
{
	struct strinet_pending *p = NULL;
	struct strinet_end *to = NULL;
	struct T_conn_res res;
	int tli = conn_res_parse(ep, mp, &res, &p);

	if (!tli && res.ACCEPTOR_id == ep->id) {
		conn_res_answer(ep, mp, strinet_accept_here(ep, p), p);
		return true;
	}
	if (!tli) {
		to = strinet_end_find(ep, res.ACCEPTOR_id);
		if (!to)
			tli = TBADF;
		else if (to->provider != ep->provider)
			tli = TPROVMISMATCH;
	}
	if (tli) {
		conn_res_answer(ep, mp, tli, p);
		goto put;
	}
	if (!strinet_end_trylock_other(to)) {
		strinet_end_put(to);
		strinet_end_retry(ep);
		return false;
	}
	tli = hand_over(to, p->sock);
	/* The answer comes before anything that the other endpoint sends up. */
	conn_res_answer(ep, mp, tli, p);
	if (!tli)
		strinet_end_kick(to);
	strinet_end_unlock_other(to);
put:
	if (to)
		strinet_end_put(to);
	return true;
}
