/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending up what has arrived on a TCP socket that has a stream */
#ifndef _SOCKET_TCP_HEAD_TAKE_H
#define _SOCKET_TCP_HEAD_TAKE_H

#include "tcp_head.h"
#include "tcp_rcv.h"

/* The most bytes that are taken from the provider as one message */
#define STRSOCK_TCP_TAKE	65536

/* Returns whether the provider has bytes, or the end behind them. */
static inline bool strsock_tcp_provider_has_bytes(const struct strsock_tcp_head *h)
{
	return !skb_queue_empty_lockless(&strsock_tcp_head_sk(h)->sk_receive_queue) ||
	       strsock_tcp_unread(strsock_tcp_of(h->sock));
}

/* Returns whether no more bytes will come to the socket. */
static inline bool strsock_tcp_provider_has_ended(const struct strsock_tcp_head *h)
{
	const struct sock *sk = strsock_tcp_head_sk(h);
	/* A socket that its program has disconnected has an error, and no connection to end. */
	bool ended = READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN || sock_flag(sk, SOCK_DONE) ||
		     (READ_ONCE(sk->sk_err) && READ_ONCE(sk->sk_state) != TCP_CLOSE);

	smp_rmb(); /* before the caller looks for the bytes that came before the end */
	return ended;
}

/* A task that did not wait for the lock is woken. */
static inline void strsock_tcp_head_take_unlock(struct strsock_tcp_head *h)
{
	mutex_unlock(&h->take_mutex);
	smp_mb(); /* unlocking before the look at the flag; pairs with strsock_tcp_head_take() */
	if (unlikely(READ_ONCE(h->missed)) && xchg(&h->missed, false))
		strsock_tcp_head_wake(h);
}

bool strsock_tcp_head_can_take(struct strsock_tcp_head *h);
int strsock_tcp_head_take(struct strsock_tcp_head *h, size_t most, bool wait);
int strsock_tcp_head_take_message(struct strsock_tcp_head *h);
void strsock_tcp_head_miss(struct strsock_tcp_head *h);

#endif /* _SOCKET_TCP_HEAD_TAKE_H */
