// SPDX-License-Identifier: GPL-2.0-only
/* The primitives of the UDP provider, except T_UNITDATA_REQ and T_OPTMGMT_REQ */
#include <linux/bpf-cgroup.h>
#include <linux/cred.h>
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <net/sock.h>
#include <net/udp.h>

#include "tpi/charge.h"
#include "end.h"
#include "opt.h"
#include "prim.h"
#include "unitdata.h"

static mblk_t *strudp_info_req(const struct strudp_end *ep, mblk_t *mp)
{
	struct T_info_ack info = {
		.PRIM_type = T_INFO_ACK,
		.TSDU_size = ep->family->tsdu,
		.ETSDU_size = T_INVALID,
		.CDATA_size = T_INVALID,
		.DDATA_size = T_INVALID,
		.ADDR_size = ep->family->addr_size,
		.OPT_size = UDP_OPT_SIZE,
		.TIDU_size = ep->family->tsdu,
		.SERV_type = T_CLTS,
		.CURRENT_state = ep->state,
		.PROVIDER_flag = SENDZERO | XPG4_1,
	};

	/* The provider has no connections, so it has no acceptor id. */
	return strtpi_info_req(mp, &info, 0);
}

static mblk_t *strudp_addr_req(struct strudp_end *ep, mblk_t *mp)
{
	size_t len = ep->state == TS_UNBND ? 0 : ep->family->addr_size;
	union tpi_addr addr;

	ep->family->bound(ep->sock->sk, &addr);
	return strtpi_addr_ack(mp, &addr, len, NULL, 0);
}

/*
 * The functions below, up to strudp_prim_work(), run in the work item: they
 * sleep, and use the credentials of the stream's opener.
 */

static mblk_t *bind_ack(struct strudp_end *ep, mblk_t *mp,
			const union tpi_addr *addr)
{
	mp = strtpi_bind_ack(mp, addr, ep->family->addr_size, 0);
	if (mp)
		ep->next_state = TS_IDLE;
	return mp;
}

/* Reads the address; a TLI error, or 0. */
static int strudp_bind_parse(const struct strudp_family *family, const mblk_t *mp,
			     union tpi_addr *addr)
{
	struct T_bind_req req;
	const void *at;

	if (!tpi_get(mp, &req, sizeof(req)))
		return TSYSERR;
	if (!req.ADDR_length)
		return 0;
	at = tpi_span(mp, req.ADDR_offset, req.ADDR_length);
	if (!at || req.ADDR_length != family->addr_size)
		return TBADADDR;
	memcpy(addr, at, req.ADDR_length);
	return addr->sa.sa_family == family->domain ? 0 : TBADADDR;
}

/*
 * Binds, and returns the address. Where that fails IPv6 may have taken the sock to the
 * interface of a link-local address already.
 */
static int bind_sock(struct strudp_end *ep, union tpi_addr *addr)
{
	struct sock *sk = ep->sock->sk;
	int dev_if = sk->sk_bound_dev_if;
	int err;

	ep->kept.v6only = sk->sk_ipv6only;
	err = kernel_bind(ep->sock, &addr->unsized, ep->family->addr_size);
	if (err && ep->family->domain == PF_INET6) {
		lock_sock(sk);
		sk->sk_bound_dev_if = dev_if;
		release_sock(sk);
	}
	return err ?: min(kernel_getsockname(ep->sock, &addr->sa), 0);
}

static mblk_t *strudp_bind_req(struct strudp_end *ep, mblk_t *mp)
{
	const struct strudp_family *family = ep->family;
	union tpi_addr addr = {};
	int tli, err = -EINVAL;

	ep->next_state = TS_UNBND;
	/* The wildcard address is used, unless the request has an address. */
	addr.sa.sa_family = family->domain;
	tli = strudp_bind_parse(family, mp, &addr);
	if (!tli) {
		bool any_port = !addr.in.sin_port;

		err = bind_sock(ep, &addr);
		if (!err)
			return bind_ack(ep, mp, &addr);
		tli = strtpi_bind_error(err, any_port);
	}
	return strtpi_error_ack(mp, tli, -err);
}

/*
 * After this, and a grace period, no datagram arrives any more, and the sock can be
 * bound anew.
 */
static mblk_t *strudp_unbind_req(struct strudp_end *ep, mblk_t *mp)
{
	struct sock *sk = ep->sock->sk;

	ep->flush = strtpi_flush_message(GFP_KERNEL);
	if (!ep->flush) {
		ep->next_state = TS_IDLE;
		return strtpi_error_ack(mp, TSYSERR, ENOSR);
	}
	lock_sock(sk);
	sk->sk_userlocks &= ~(SOCK_BINDADDR_LOCK | SOCK_BINDPORT_LOCK);
	__udp_disconnect(sk, 0);
	/* A bind to an address of IPv6 alone has set it. */
	sk->sk_ipv6only = ep->kept.v6only;
	release_sock(sk);
	ep->next_state = TS_UNBND;
	return strtpi_ok_ack(mp);
}

static void prim_answered(struct strudp_end *ep)
{
	/*
	 * Release: the answer and its data are stored before the flag; see
	 * strudp_prim_finish().
	 */
	smp_store_release(&ep->answered, true);
	qenable(WR(ep->rq));
}

static void prim_unbound(struct rcu_head *rcu)
{
	struct strudp_end *ep = container_of(rcu, struct strudp_end, unbound);

	rcu_read_lock();
	/*
	 * If the work item has the last reference, the stream is closed; its
	 * queues stay for a grace period after that.
	 */
	if (refcount_read(&ep->refs) > 1)
		prim_answered(ep);
	rcu_read_unlock();
	strudp_end_put(ep);
}

void strudp_prim_work(struct work_struct *work)
{
	struct strudp_end *ep = container_of(work, struct strudp_end, work);
	const struct cred *old = override_creds(ep->cred);
	struct mem_cgroup *memcg = set_active_memcg(tpi_memcg(ep->sock->sk));
	mblk_t *mp = ep->request, *answer;
	bool unbinding = false;

	ep->request = NULL;
	switch (tpi_type(mp)) {
	case T_BIND_REQ:
		mp = strudp_bind_req(ep, mp);
		break;
	case T_UNBIND_REQ:
		mp = strudp_unbind_req(ep, mp);
		unbinding = true;
		break;
	case T_UNITDATA_REQ:
		ep->next_state = ep->state;
		if (!strudp_unitdata_req(ep, mp, &answer))
			ep->unsent = mp;
		mp = answer;
		break;
	default:
		ep->next_state = ep->state == TS_WACK_OPTREQ ? TS_IDLE :
							       ep->state;
		mp = strudp_optmgmt(ep, mp);
	}
	set_active_memcg(memcg);
	revert_creds(old);
	ep->answer = mp;
	/*
	 * The work item must not make a worker that others need wait for a
	 * grace period.
	 */
	if (unbinding) {
		refcount_inc(&ep->refs);
		call_rcu(&ep->unbound, prim_unbound);
	} else {
		prim_answered(ep);
	}
}

/* Gives a request to the work item. The caller is inside the perimeter. */
static void prim_defer(struct strudp_end *ep, mblk_t *mp, int state)
{
	ep->state = state;
	ep->busy = true;
	ep->answered = false;
	ep->request = mp;
	schedule_work(&ep->work);
}

/* Puts a message back. Memory for its band may be short; a datagram may be lost then. */
void strudp_wput_back(queue_t *q, mblk_t *mp)
{
	if (!putbq(q, mp))
		freemsg(mp);
}

/**
 * strudp_prim_finish() - send the answer the work item has made, if it has
 * @q: the write queue
 *
 * Context: inside the perimeter.
 */
void strudp_prim_finish(queue_t *q)
{
	struct strudp_end *ep = strudp_end(q);
	mblk_t *mp, *flush;

	/* The flag is read before the answer: see strudp_prim_work(). */
	if (!ep->busy || !smp_load_acquire(&ep->answered))
		return;
	mp = ep->answer;
	ep->busy = false;
	ep->answer = NULL;
	flush = ep->flush;
	ep->flush = NULL;
	ep->state = ep->next_state;
	strtpi_reply(q, flush);
	strtpi_reply(q, mp);
	if (ep->unsent)
		strudp_wput_back(q, ep->unsent);
	ep->unsent = NULL;
}

/* The state a request is allowed in, and the state while it is worked on */
static bool prim_deferred(struct strudp_end *ep, mblk_t *mp, t_scalar_t type)
{
	switch (type) {
	case T_BIND_REQ:
		if (ep->state != TS_UNBND)
			return false;
		prim_defer(ep, mp, TS_WACK_BREQ);
		return true;
	case T_UNBIND_REQ:
		if (ep->state != TS_IDLE)
			return false;
		prim_defer(ep, mp, TS_WACK_UREQ);
		return true;
	default:
		/* The request is legal in any state: XTI, t_optmgmt(). */
		prim_defer(ep, mp, ep->state == TS_IDLE ? TS_WACK_OPTREQ :
							  ep->state);
		return true;
	}
}

/*
 * Returns whether strudp_unitdata_req() may sleep: the kernel locks the sock
 * for BPF programs that look at destinations, those of IPv4 among them if the
 * endpoint is of IPv6.
 */
static bool unitdata_sleeps(const struct strudp_end *ep)
{
	return cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG) ||
	       (ep->family->domain == PF_INET6 &&
		cgroup_bpf_enabled(CGROUP_UDP6_SENDMSG));
}

static bool unitdata_req(queue_t *q, mblk_t *mp)
{
	struct strudp_end *ep = strudp_end(q);
	mblk_t *answer;

	if (unitdata_sleeps(ep)) {
		prim_defer(ep, mp, ep->state);
		return true;
	}
	if (!strudp_unitdata_req(ep, mp, &answer))
		return false;
	if (unlikely(answer))
		strtpi_reply(q, answer);
	return true;
}

/**
 * strudp_prim() - act on a primitive
 * @q: the write queue
 * @mp: an M_PROTO or M_PCPROTO; consumed, unless false is returned
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room in the send buffer.
 */
bool strudp_prim(queue_t *q, mblk_t *mp)
{
	struct strudp_end *ep = strudp_end(q);
	t_scalar_t type = tpi_type(mp);

	switch (type) {
	case T_UNITDATA_REQ:
		return unitdata_req(q, mp);
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		strtpi_reply(q, strudp_info_req(ep, mp));
		return true;
	case T_ADDR_REQ:
		strtpi_reply(q, strudp_addr_req(ep, mp));
		return true;
	case T_BIND_REQ:
	case T_UNBIND_REQ:
	case T_OPTMGMT_REQ:
		if (!prim_deferred(ep, mp, type))
			strtpi_reply(q, strtpi_error_ack(mp, TOUTSTATE, 0));
		return true;
	default:
		strtpi_reply(q, strtpi_unsupported(mp));
		return true;
	}
}

/**
 * strudp_request() - act on a primitive other than data
 * @ep: the endpoint, a socket that has become a stream
 * @mp: the primitive, consumed
 *
 * Binding, connecting and options are the socket's; its calls and primitives
 * may change them in turn. ep->flush is sent up before the answer, if there is
 * one.
 *
 * Context: process, sleeps; one call for an endpoint at a time.
 * Return: the answer, NULL when memory is short.
 */
mblk_t *strudp_request(struct strudp_end *ep, mblk_t *mp)
{
	t_scalar_t type = tpi_type(mp);
	bool bound = READ_ONCE(inet_sk(ep->sock->sk)->inet_num);

	ep->state = bound ? TS_IDLE : TS_UNBND;
	switch (type) {
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		return strudp_info_req(ep, mp);
	case T_ADDR_REQ:
		return strudp_addr_req(ep, mp);
	case T_BIND_REQ:
		return bound ? strtpi_error_ack(mp, TOUTSTATE, 0) :
			       strudp_bind_req(ep, mp);
	case T_UNBIND_REQ:
		if (!bound)
			return strtpi_error_ack(mp, TOUTSTATE, 0);
		mp = strudp_unbind_req(ep, mp);
		synchronize_rcu();
		return mp;
	case T_OPTMGMT_REQ:
		return strudp_optmgmt(ep, mp);
	default:
		return strtpi_unsupported(mp);
	}
}
EXPORT_SYMBOL_GPL(strudp_request);
