// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lifetime of an endpoint
 *
 * It is reached from its stream by q_ptr and from its sock by sk_user_data.
 * The stream releases it in its close procedure. The network's side may still
 * use it then, and its queues, until a grace period is over.
 */
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "streams/call/direct.h"
#include "end.h"
#include "hook.h"
#include "in.h"
#include "in6.h"
#include "life.h"
#include "prim.h"
#include "rcv.h"
#include "udp.h"
#include "unitdata.h"

/* The kernel's own functions, the same for all its UDP socks of a family */
struct sock_calls {
	void (*destruct)(struct sock *sk);
	void (*write_space)(struct sock *sk);
};

static struct sock_calls inet_calls, inet6_calls;

static struct sock_calls *end_calls(const struct sock *sk)
{
	return sk->sk_family == AF_INET6 ? &inet6_calls : &inet_calls;
}

/*
 * A sock outlives its endpoint while a message made of one of its packets
 * exists. The code that uncharges the packet must live as long.
 */
static void end_destruct(struct sock *sk)
{
	end_calls(sk)->destruct(sk);
	module_put(THIS_MODULE);
}

/* Runs when a packet has left: there may be room for a datagram that waits. */
static void strudp_end_write_space(struct sock *sk)
{
	struct strudp_end *ep;

	rcu_read_lock();
	ep = rcu_dereference_sk_user_data(sk);
	/*
	 * The uncharging comes before the look at the flag; see strudp_send_blocked() for
	 * the other side.
	 */
	smp_mb();
	if (ep && READ_ONCE(ep->blocked) && sock_writeable(sk)) {
		WRITE_ONCE(ep->blocked, false);
		qenable(WR(ep->rq));
	}
	rcu_read_unlock();
}

static int end_socket(struct strudp_end *ep)
{
	const struct strudp_family *family = ep->family;
	struct sock *sk;
	int err = 0;

	if (family->begin)
		err = family->begin();
	if (!err)
		err = sock_create(family->domain, SOCK_DGRAM, IPPROTO_UDP,
				  &ep->sock);
	if (err)
		return err;
	sk = ep->sock->sk;
	/* Datagrams are sent from put procedures, also in an interrupt of any task. */
	sk->sk_allocation = GFP_ATOMIC;
	sk_use_own_frag(sk);
	tpi_kept_init(&ep->kept, sk);
	end_calls(sk)->destruct = sk->sk_destruct;
	end_calls(sk)->write_space = sk->sk_write_space;
	__module_get(THIS_MODULE);
	/* The flag has rcu_barrier() wait for the end of end_destruct(). */
	sock_set_flag(sk, SOCK_RCU_FREE);
	sk->sk_destruct = end_destruct;
	sk->sk_write_space = strudp_end_write_space;
	rcu_assign_sk_user_data(sk, ep);
	strudp_end_hook(ep);
	return 0;
}

static void end_socket_release(struct strudp_end *ep)
{
	struct sock *sk = ep->sock->sk;

	strudp_unhook(sk);
	WRITE_ONCE(sk->sk_write_space, end_calls(sk)->write_space);
	rcu_assign_sk_user_data(sk, NULL);
	sock_release(ep->sock);
}

/**
 * strudp_end_open() - make an endpoint for a stream
 * @q: the driver's read queue
 * @family: IPv4 or IPv6
 * @cred: the opener's; used to bind ports and set options
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int strudp_end_open(queue_t *q, const struct strudp_family *family,
		    const struct cred *cred)
{
	struct strudp_end *ep = kzalloc(sizeof(*ep), GFP_KERNEL_ACCOUNT);
	int err;

	if (!ep)
		return -ENOMEM;
	ep->rq = q;
	ep->family = family;
	ep->cred = get_cred(cred);
	ep->state = TS_UNBND;
	refcount_set(&ep->refs, 1);
	INIT_WORK(&ep->work, strudp_prim_work);
	err = str_errands_begin(q, &strudp_unitdata_errands, &ep->cache.direct);
	if (!err)
		err = end_socket(ep);
	if (err)
		goto free;
	q->q_ptr = ep;
	WR(q)->q_ptr = ep;
	qprocson(q);
	err = strudp_end_set_head(ep);
	if (err) {
		strudp_end_close(q);
		return err;
	}
	return 0;

free:
	put_cred(ep->cred);
	kfree(ep);
	return err;
}

/**
 * strudp_end_close() - take an endpoint from its stream
 * @q: the driver's read queue
 *
 * Context: process, may sleep.
 */
void strudp_end_close(queue_t *q)
{
	struct strudp_end *ep = strudp_end(q);

	strudp_unhook(ep->sock->sk);
	flushq(WR(q), FLUSHALL);
	qprocsoff(q);
	cancel_work_sync(&ep->work);
	freemsg(ep->request);
	freemsg(ep->flush);
	freemsg(ep->answer);
	freemsg(ep->unsent);
	end_socket_release(ep);
	strudp_end_head_is(ep, 0);
	strudp_cache_drop(&ep->cache);
	put_cred(ep->cred);
	q->q_ptr = NULL;
	WR(q)->q_ptr = NULL;
	strudp_end_put(ep);
}

/**
 * strudp_adopt() - make an endpoint of a socket, in place of a socket of one
 * @ep: the endpoint, zeroed; for strudp_request() and strudp_send_request()
 * @sock: the socket, of UDP over IPv4 or IPv6; stays the caller's
 * @cred: used to bind ports and set options; stays the caller's
 */
void strudp_adopt(struct strudp_end *ep, struct socket *sock,
		  const struct cred *cred)
{
	ep->family = IS_ENABLED(CONFIG_IPV6) && sock->sk->sk_family == AF_INET6 ? &udp_in6 :
										  &udp_in;
	ep->sock = sock;
	ep->cred = cred;
	tpi_kept_init(&ep->kept, sock->sk);
}
EXPORT_SYMBOL_GPL(strudp_adopt);
