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
#ifndef _SOCKET_STHEAD_H
#define _SOCKET_STHEAD_H

#include <linux/completion.h>
#include <linux/container_of.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/refcount.h>

#include "streams/streams.h"
#include "udp/end.h"

/* b_flag, besides the public ones: made of a datagram of the socket's queue */
#define STHEAD_SHOWN	0x8000

struct sthead {
	struct stream sd;		/* has to be the first member */
	struct strperim perim;
	struct udp_end end;		/* the provider's end; end.sock is the socket */
	refcount_t pins;		/* the socket, and hooks that run */
	struct completion unpinned;
	atomic_t over;			/* bytes let in since modules are full */
	struct sk_buff_head queue;	/* datagrams for receive calls */
	unsigned int older;		/* its first, of before the stream; its lock */
	struct mutex collect_mutex;	/* while those are taken from the kernel's UDP */
	/*
	 * A datagram that getmsg() has taken off the socket's queue, under
	 * sd_read_mutex. It, or the rest of it, is a message on the stream
	 * head's queue, unless it was taken from there.
	 */
	struct sk_buff *ahead;
	bool missed;			/* one did not wait: wake it */
	bool patient;			/* I_SETCLTIME was given */
	struct mutex send_mutex;	/* taking from the provider's queue, sending it */
};

/* Of any queue on the stream. */
static inline struct sthead *sthead_of(const queue_t *q)
{
	return container_of(q->q_stream, struct sthead, sd);
}

static inline struct sock *sthead_sk(const struct sthead *h)
{
	return h->end.sock->sk;
}

/* sthead.c: its life */
struct sthead *sthead_get(struct socket *sock);
bool sthead_able(struct sock *sk);
void sthead_close(struct socket *sock);
int sthead_exclude(struct sock *sk);

/* sthead_ops.c: the system calls on a socket that has one */
extern struct proto_ops sthead_ops;

void __init sthead_ops_init(const struct proto_ops *bare);

/* sthead_ioctl.c */
bool sthead_cmd(unsigned int cmd);
long sthead_ioctl(struct sthead *h, struct socket *sock, unsigned int cmd,
		  unsigned long arg, bool compat);
/* The first one of those on a socket. */
long sthead_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
		  bool compat);
/*
 * A command the socket does not know is for its modules; err: the socket's
 * error.
 */
long sthead_ioctl_down(struct sthead *h, struct socket *sock, unsigned int cmd,
		       unsigned long arg, long err);

/* sthead_up.c: arriving data, on its way to the socket's queue */
extern struct qinit sthead_rinit;

void sthead_hook(struct sock *sk);

/* sthead_queue.c: where datagrams wait */
int sthead_collect(struct sthead *h);
void sthead_collect_quietly(struct sthead *h);
bool sthead_queued(struct sthead *h, const struct sk_buff *last);
int sthead_enqueue(struct sthead *h, struct sk_buff *skb);
struct sk_buff *sthead_dequeue(struct sthead *h);
struct sk_buff *sthead_first(struct sthead *h);
bool sthead_take(struct sthead *h, struct sk_buff *skb);
void sthead_purge(struct sthead *h);
int sthead_receive(struct sthead *h, struct msghdr *msg, size_t len, int flags,
		   int *addr_len, struct sk_buff **last);

/* sthead_rcv.c: receiving */
int sthead_recvmsg(struct sthead *h, struct msghdr *msg, size_t len, int flags,
		   int *addr_len, long timeo);
long sthead_getmsg(struct sthead *h, struct file *file,
		   struct strio_msg __user *arg);
mblk_t *sthead_look(struct stream *sd);
int sthead_read_wait(struct sthead *h, bool nowait);
void sthead_flushed(struct sthead *h);
void sthead_read_done(struct sthead *h);
bool sthead_is_shown(const mblk_t *mp);
long sthead_first_bytes(struct sthead *h);

/* sthead_send.c: downwards; the provider's write side */
extern struct qinit sthead_winit;

int sthead_sendmsg(struct sthead *h, struct msghdr *msg, size_t len);
void sthead_drain(struct sthead *h);
bool sthead_sendable(struct sthead *h);
void sthead_send_held(struct sthead *h, bool wait);
void sthead_send_rest(struct sthead *h, long timeo);
int sthead_wput(queue_t *q, mblk_t *mp);
int sthead_wsrv(queue_t *q);
mblk_t *sthead_blocks(size_t len);

/* sockmod.c */
extern struct strdrv sthead_driver;

int __init sockmod_init(void);
void sockmod_exit(void);

#endif /* _SOCKET_STHEAD_H */
