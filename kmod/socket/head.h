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

#include "streams/streams.h"
#include "udp/end.h"

/* b_flag, besides the public ones: made of a datagram of the socket's queue */
#define STRSOCK_HEAD_SHOWN	0x8000

struct strsock_head {
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
static inline struct strsock_head *strsock_head_of_queue(const queue_t *q)
{
	return container_of(q->q_stream, struct strsock_head, sd);
}

static inline struct sock *strsock_head_sk(const struct strsock_head *h)
{
	return h->end.sock->sk;
}

/* head.c: its life */
struct strsock_head *strsock_head_get(struct socket *sock);
bool strsock_head_able(struct sock *sk);
void strsock_head_close(struct socket *sock);
int strsock_head_exclude(struct sock *sk);

/* head_ops.c: the system calls on a socket that has one */
extern struct proto_ops strsock_head_ops;

void __init strsock_head_ops_init(const struct proto_ops *bare);

/* head_ioctl.c */
bool strsock_head_cmd(unsigned int cmd);
long strsock_head_ioctl(struct strsock_head *h, struct socket *sock, unsigned int cmd,
			unsigned long arg, bool compat);
/* The first one of those on a socket. */
long strsock_head_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
			bool compat);
/*
 * A command the socket does not know is for its modules; err: the socket's
 * error.
 */
long strsock_head_ioctl_down(struct strsock_head *h, struct socket *sock, unsigned int cmd,
			     unsigned long arg, long err);

/* head_up.c: arriving data, on its way to the socket's queue */
extern struct qinit strsock_head_rinit;

void strsock_head_hook(struct sock *sk);

/* head_queue.c: where datagrams wait */
int strsock_head_collect(struct strsock_head *h);
void strsock_head_collect_quietly(struct strsock_head *h);
bool strsock_head_queued(struct strsock_head *h, const struct sk_buff *last);
int strsock_head_enqueue(struct strsock_head *h, struct sk_buff *skb);
struct sk_buff *strsock_head_dequeue(struct strsock_head *h);
struct sk_buff *strsock_head_first(struct strsock_head *h);
bool strsock_head_take(struct strsock_head *h, struct sk_buff *skb);
void strsock_head_purge(struct strsock_head *h);
int strsock_head_receive(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, struct sk_buff **last);

/* head_rcv.c: receiving */
int strsock_head_recvmsg(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, long timeo);
long strsock_head_getmsg(struct strsock_head *h, struct file *file,
			 struct strio_msg __user *arg);
mblk_t *strsock_head_look(struct stream *sd);
int strsock_head_read_wait(struct strsock_head *h, bool nowait);
void strsock_head_flushed(struct strsock_head *h);
void strsock_head_read_done(struct strsock_head *h);
bool strsock_head_is_shown(const mblk_t *mp);
long strsock_head_first_bytes(struct strsock_head *h);

/* head_send.c: downwards; the provider's write side */
extern struct qinit strsock_head_winit;

int strsock_head_sendmsg(struct strsock_head *h, struct msghdr *msg, size_t len);
void strsock_head_drain(struct strsock_head *h);
bool strsock_head_sendable(struct strsock_head *h);
void strsock_head_send_held(struct strsock_head *h, bool wait);
void strsock_head_send_rest(struct strsock_head *h, long timeo);
int strsock_head_wput(queue_t *q, mblk_t *mp);
int strsock_head_wsrv(queue_t *q);
mblk_t *strsock_head_blocks(size_t len);

/* sockmod.c */
extern struct strdrv strsock_head_driver;

int __init strsock_sockmod_init(void);
void strsock_sockmod_exit(void);

#endif /* _SOCKET_HEAD_H */
