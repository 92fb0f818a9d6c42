/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream of a STREAMS socket
 *
 * A socket has none until the first STREAMS ioctl on it. From then on arriving
 * data passes the stream, from the provider up through the modules to the
 * stream head, and waits on a queue there, where receive calls, poll() and the
 * kernel's accounting find it; getmsg() takes it from there. Data that is sent
 * passes the stream on the way down.
 */
#ifndef _SOCKET_HEAD_H
#define _SOCKET_HEAD_H

#include <linux/completion.h>
#include <linux/container_of.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

#include "streams/streams.h"
#include "udp/end.h"

/*
 * A b_flag besides the public ones: the message was made of a datagram of the
 * socket's queue
 */
#define STRSOCK_HEAD_SHOWN	0x8000

struct strsock_head {
	struct stream sd;		/* has to be the first member */
	struct strperim perim;
	struct strudp_end end;		/* the provider's end; end.sock is the socket */
	refcount_t pins;		/* the socket, and hooks that run */
	struct completion unpinned;
	atomic_t over;			/* bytes let in since modules are full */
	struct sk_buff_head queue;	/* datagrams for receive calls */
	unsigned int older;		/* its first, of before the stream; its lock */
	struct sk_buff_head flushed;	/* datagrams that free_work frees */
	struct work_struct free_work;
	struct mutex collect_mutex;	/* while those are taken from the kernel's UDP */
	/*
	 * A datagram that getmsg() has taken off the socket's queue, under
	 * sd_read_mutex. The datagram, or the rest of it, is a message on the
	 * stream head's queue unless a reader took it from there.
	 */
	struct sk_buff *ahead;
	bool missed;			/* one did not wait: wake it */
	bool full;			/* a task found no room in modules: wake it */
	bool patient;			/* I_SETCLTIME was given */
	struct mutex send_mutex;	/* taking from the provider's queue, sending it */
};

/* Returns the head of any queue on the stream. */
static inline struct strsock_head *strsock_head_of_queue(const queue_t *q)
{
	return container_of(q->q_stream, struct strsock_head, sd);
}

static inline struct sock *strsock_head_sk(const struct strsock_head *h)
{
	return h->end.sock->sk;
}

#endif /* _SOCKET_HEAD_H */
