/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream of a STREAMS socket of TCP
 *
 * A socket has none until the first STREAMS ioctl on it. The provider at its lower end are
 * the calls that the socket had until then, with the short way of tcp_send.c: the stream is
 * above them. No data moves by itself. A call that looks for data takes it from the
 * provider and sends it up, and reads what comes out at the stream head. Messages
 * that come out below are given to the provider by the call that sent them, or by the next.
 */
#ifndef _SOCKET_TCP_HEAD_H
#define _SOCKET_TCP_HEAD_H

#include <linux/container_of.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/sched.h>
#include <linux/tcp.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "streams/streams.h"
#include "tcp_native.h"
#include "tcp_sock.h"

/* Calls of a stream that was hung up, or has an error, end there. */
#define STR_HEAD_STOPS	(STR_HUP | STR_RERR | STR_WERR)

struct strsock_tcp_head {
	struct stream sd;		/* has to be the first member */
	struct strperim perim;
	struct socket *sock;
	queue_t *rq;			/* the provider's */
	struct mutex take_mutex;	/* while bytes are taken from the provider and sent up */
	struct task_struct *taker;	/* the task that sends them up now */
	bool missed;			/* a task did not wait for that: wake it */
	bool end_sent;			/* the end of what the peer sends was sent up */
	bool ended;			/* ... and has come to the stream head */
	bool aside;			/* a reader has messages in its hands */
	struct mutex send_mutex;	/* taking from the provider's queue, sending it */
	bool stuck;			/* the provider had no room for all of that queue */
	bool full;			/* a task found no room in modules: wake it */
	bool crowded;			/* the same on the way up */
	bool released;			/* shutdown() has ended what is sent */
	bool patient;			/* I_SETCLTIME was given */
	/* A program wants signals of what arrives, whether or not a call looks for it. */
	unsigned long watched;		/* bit 0: watch waits for the socket */
	wait_queue_entry_t watch;
	struct work_struct watch_work;	/* sends the signals */
};

/* Returns the head of any queue on the stream. */
static inline struct strsock_tcp_head *strsock_tcp_head_of_queue(const queue_t *q)
{
	return container_of(q->q_stream, struct strsock_tcp_head, sd);
}

static inline struct sock *strsock_tcp_head_sk(const struct strsock_tcp_head *h)
{
	return h->sock->sk;
}

/* Returns the calls that the socket had without a stream, which are the provider. */
static inline const struct proto_ops *strsock_tcp_below(const struct socket *sock)
{
	return sock->sk->sk_family == AF_INET6 ? &strsock_tcp6_ops : &strsock_tcp_ops;
}

/* Returns the stream of a socket, or NULL; for a caller that holds the socket's file. */
static inline struct strsock_tcp_head *strsock_tcp_head_of(struct socket *sock)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);

	/* Acquire: the stream's contents are read after the pointer. */
	return s ? smp_load_acquire(&s->head) : NULL;
}

/* Returns the stream, for calls of a socket that has one. */
static inline struct strsock_tcp_head *strsock_tcp_its_head(struct socket *sock)
{
	/* The barrier is the other half of that in tcp_head_publish(), tcp_head_life.c. */
	smp_rmb();
	return strsock_tcp_head_of(sock);
}

/* Returns whether all modules pass data on at once and unchanged, and hold none. */
static inline bool strsock_tcp_head_passes(const struct strsock_tcp_head *h)
{
	return !READ_ONCE(h->sd.sd_nown) && !(READ_ONCE(h->sd.sd_flag) & STR_HEAD_STOPS);
}

/* Wakes all tasks that wait for anything on the socket, without a signal. */
static inline void strsock_tcp_head_wake(const struct strsock_tcp_head *h)
{
	struct socket_wq *wq;

	rcu_read_lock();
	wq = rcu_dereference(strsock_tcp_head_sk(h)->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_all(&wq->wait);
	rcu_read_unlock();
}

#endif /* _SOCKET_TCP_HEAD_H */
