// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receive queue of a socket that has a stream
 *
 * Datagrams that have passed the stream wait there for receive calls and for
 * getmsg(). Datagrams that the kernel's UDP queued before there was a stream stay on
 * its own queue until the first reader comes, and are then put in front.
 */
#include <linux/limits.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/sock.h>
#include <net/udp.h>

#include "streams/head/lost.h"
#include "streams/trace.h"
#include "udp/rcv.h"
#include "datagram.h"
#include "head.h"
#include "head_queue.h"
#include "native.h"
#include "sock.h"

/* Returns whether datagrams are on the kernel UDP's own queue. */
static bool udp_queued(struct sock *sk)
{
	return !skb_queue_empty_lockless(&sk->sk_receive_queue) ||
	       !skb_queue_empty_lockless(&udp_sk(sk)->reader_queue);
}

/* Inserts a datagram behind those that came from the kernel's UDP before, and before all others. */
static void queue_insert(struct strsock_head *h, struct sk_buff *skb)
{
	struct sk_buff_head *queue = &h->queue;
	struct sk_buff *at;
	unsigned int i;

	spin_lock_bh(&queue->lock);
	at = (struct sk_buff *)queue;
	for (i = 0; i < h->older; i++)
		at = at->next;
	__skb_queue_after(queue, at, skb);
	h->older++;
	spin_unlock_bh(&queue->lock);
}

/**
 * strsock_head_collect() - take over what the kernel's UDP has queued
 * @h: the stream
 *
 * Context: process, sleeps.
 * Return: 0 or the socket's error, which is taken.
 */
int strsock_head_collect(struct strsock_head *h)
{
	struct sock *sk = strsock_head_sk(h);
	int ret = 0, err, off = 0;
	struct sk_buff *skb;

	if (likely(!udp_queued(sk)))
		return 0;
	mutex_lock(&h->collect_mutex);
	do {
		skb = __skb_recv_udp(sk, MSG_DONTWAIT, &off, &err);
		if (!skb) {
			ret = err == -EAGAIN ? ret : err;
			continue;
		}
		/* The kernel has kept numbers of its own there. */
		skb->dev = NULL;
		if (!strsock_checksum_ok(sk, skb))
			continue;
		/* The datagram was counted until now, so it is not lost for want of memory. */
		strudp_charge(sk, skb);
		queue_insert(h, skb);
	} while (udp_queued(sk));
	mutex_unlock(&h->collect_mutex);
	return ret;
}

/**
 * strsock_head_collect_quietly() - take over what the kernel's UDP has queued
 * @h: the stream
 *
 * The socket's error stays for the next call that returns it.
 * Context: process, sleeps.
 */
void strsock_head_collect_quietly(struct strsock_head *h)
{
	int err = strsock_head_collect(h);

	if (err)
		WRITE_ONCE(strsock_head_sk(h)->sk_err, -err);
}

/**
 * strsock_head_queued() - whether there are datagrams for receive calls
 * @h: the stream
 * @last: up to which they do not count, of strsock_head_receive(); NULL: all count
 *
 * Datagrams that getmsg() has taken do not count.
 */
bool strsock_head_queued(struct strsock_head *h, const struct sk_buff *last)
{
	if (!last)
		last = (const struct sk_buff *)&h->queue;
	return READ_ONCE(h->queue.prev) != last || udp_queued(strsock_head_sk(h));
}

/**
 * strsock_head_enqueue() - have a datagram wait for receive calls
 * @h: the stream
 * @skb: the datagram, skb->data at its data; stays the caller's in case of error
 *
 * Context: process or softirq.
 * Return: 0; -ENOMEM: the receive buffer is full; -ENOBUFS: there is no memory.
 */
int strsock_head_enqueue(struct strsock_head *h, struct sk_buff *skb)
{
	struct sk_buff_head *queue = &h->queue;
	struct sock *sk = strsock_head_sk(h);
	int err;

	if (!udp_rcvbuf_has_room(sk, skb->truesize))
		return -ENOMEM;
	err = strudp_charge(sk, skb);
	if (err)
		return err;
	/* The device may be gone when the datagram is read. */
	skb->dev = NULL;
	trace_streams_head_queue(&h->sd.sd_entry, skb->len);
	spin_lock_bh(&queue->lock);
	sock_skb_set_dropcount(sk, skb);
	__skb_queue_tail(queue, skb);
	spin_unlock_bh(&queue->lock);
	if (!sock_flag(sk, SOCK_DEAD))
		sk->sk_data_ready(sk);
	return 0;
}

/* Removes the first datagram; called under the queue's lock. */
static void queue_unlink(struct strsock_head *h, struct sk_buff *skb)
{
	lockdep_assert_held(&h->queue.lock);
	if (h->older)
		h->older--;
	__skb_unlink(skb, &h->queue);
}

/**
 * strsock_head_dequeue() - take the first datagram that waits
 * @h: the stream
 *
 * Return: the datagram, which counts against the receive buffer no more; NULL:
 * there is none.
 */
struct sk_buff *strsock_head_dequeue(struct strsock_head *h)
{
	struct sk_buff *skb;

	spin_lock_bh(&h->queue.lock);
	skb = skb_peek(&h->queue);
	if (skb)
		queue_unlink(h, skb);
	spin_unlock_bh(&h->queue.lock);
	if (skb)
		skb_orphan(skb);
	return skb;
}

/**
 * strsock_head_first() - look at the first datagram that waits
 * @h: the stream
 *
 * MSG_PEEK would mark an empty one, and calls that peek by SO_PEEK_OFF would then
 * pass over it.
 *
 * Return: the datagram, which stays there, and is the caller's to free; NULL:
 * there is none.
 */
struct sk_buff *strsock_head_first(struct strsock_head *h)
{
	struct sk_buff *skb;

	spin_lock_bh(&h->queue.lock);
	skb = skb_peek(&h->queue);
	if (skb)
		skb_get(skb);
	spin_unlock_bh(&h->queue.lock);
	return skb;
}

/**
 * strsock_head_take() - take a datagram that was looked at
 * @h: the stream
 * @skb: the datagram, of strsock_head_first(); stays the caller's
 *
 * Return: whether it was still there, and no other reader has it.
 */
bool strsock_head_take(struct strsock_head *h, struct sk_buff *skb)
{
	bool there;

	/*
	 * The datagram was the first. If it is not, another reader has taken it, or replaced
	 * it: MSG_PEEK does so with an empty one that it looks at.
	 */
	spin_lock_bh(&h->queue.lock);
	there = skb_peek(&h->queue) == skb;
	if (there) {
		queue_unlink(h, skb);
		/* The queue's reference is dropped; it is not the last. */
		refcount_dec(&skb->users);
	}
	spin_unlock_bh(&h->queue.lock);
	if (there)
		skb_orphan(skb);
	return there;
}

static void free_flushed(struct work_struct *work)
{
	struct strsock_head *h = container_of(work, struct strsock_head, free_work);
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&h->flushed))) {
		consume_skb(skb);
		cond_resched();
	}
}

/**
 * strsock_head_queue_init() - initialise the empty queue
 * @h: the stream
 */
void strsock_head_queue_init(struct strsock_head *h)
{
	skb_queue_head_init(&h->queue);
	skb_queue_head_init(&h->flushed);
	INIT_WORK(&h->free_work, free_flushed);
}

/**
 * strsock_head_queue_end() - free the datagrams on the queue, and those flushed
 * @h: the stream, which has no users
 *
 * Context: may sleep.
 */
void strsock_head_queue_end(struct strsock_head *h)
{
	skb_queue_purge(&h->queue);
	flush_work(&h->free_work);
}

/**
 * strsock_head_purge() - drop all waiting datagrams
 * @h: the stream
 *
 * A work item frees them, however many there are: in a perimeter no task is
 * preempted.
 */
void strsock_head_purge(struct strsock_head *h)
{
	struct sk_buff_head gone;

	__skb_queue_head_init(&gone);
	spin_lock_bh(&h->queue.lock);
	skb_queue_splice_init(&h->queue, &gone);
	h->older = 0;
	/* No byte is left for the peek offset to point at. */
	sk_peek_offset_bwd(strsock_head_sk(h), INT_MAX);
	spin_unlock_bh(&h->queue.lock);
	spin_lock_bh(&h->flushed.lock);
	skb_queue_splice_tail(&gone, &h->flushed);
	spin_unlock_bh(&h->flushed.lock);
	queue_work(system_dfl_wq, &h->free_work);
}

/* Takes a datagram, or looks at it; last: the end of the queue as it was seen. */
static struct sk_buff *queue_recv(struct strsock_head *h, int flags, int *off,
				  struct sk_buff **last, int *err)
{
	struct sock *sk = strsock_head_sk(h);

	if (flags & MSG_PEEK)
		return __skb_try_recv_datagram(sk, &h->queue,
					       flags | MSG_DONTWAIT, off, err,
					       last);
	*err = sock_error(sk);
	if (*err)
		return NULL;
	*err = -EAGAIN;
	return strsock_head_dequeue(h);
}

/**
 * strsock_head_receive() - receive a datagram that has passed the stream
 * @h: the stream
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_PEEK ...; does not wait
 * @addr_len: set to the length of the sender's name, if it is wanted
 * @last: set, with -EAGAIN and MSG_PEEK, to the end of the queue as it was
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 */
int strsock_head_receive(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, struct sk_buff **last)
{
	struct sock *sk = strsock_head_sk(h);
	int off = sk_peek_offset(sk, flags);
	int ret = strsock_head_collect(h);
	struct udp_mib __percpu *mib;
	struct sk_buff *skb;

	if (ret)
		return ret;
	skb = queue_recv(h, flags, &off, last, &ret);
	if (!skb)
		return ret;
	mib = strudp_mib(sk, strsock_came_by_inet6(skb));
	ret = strsock_give(sk, skb, off, msg, len, flags, addr_len);
	if (ret >= 0 && flags & MSG_TRUNC)
		ret = skb->len;
	if (ret < 0 && !(flags & MSG_PEEK)) {
		str_lost(str_rq(&h->sd), "unreadable");
		sk_drops_inc(sk);
		SNMP_INC_STATS(mib, UDP_MIB_INERRORS);
	} else if (ret >= 0 && flags & MSG_PEEK) {
		sk_peek_offset_fwd(sk, ret);
	} else if (ret >= 0) {
		trace_streams_head_take(&h->sd.sd_entry, skb->len);
		sk_peek_offset_bwd(sk, ret);
		SNMP_INC_STATS(mib, UDP_MIB_INDATAGRAMS);
	}
	consume_skb(skb);
	return ret;
}
