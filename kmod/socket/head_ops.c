// SPDX-License-Identifier: GPL-2.0-only
/* The system calls on a STREAMS socket that has a stream */
#include <linux/uaccess.h>
#include <asm/ioctls.h>
#include <net/rps.h>
#include <net/sock.h>
#include <net/udp.h>

#include "head.h"
#include "head_ioctl.h"
#include "head_life.h"
#include "head_ops.h"
#include "head_rcv.h"
#include "head_send.h"
#include "native.h"
#include "sock.h"

static int head_ops_sendmsg(struct socket *sock, struct msghdr *msg,
			    size_t len)
{
	int ret;

	if (unlikely(strsock_send_prepare(sock->sk)))
		return -EAGAIN;
	ret = strsock_head_sendmsg(strsock_its_head(sock->sk), msg, len);
	if (ret >= 0)
		str_count_sent(STR_KIND_UDP, ret);
	return ret;
}

static int head_ops_recvmsg(struct socket *sock, struct msghdr *msg,
			    size_t len, int flags)
{
	struct sock *sk = sock->sk;
	int addr_len = 0;
	int ret;

	if (unlikely(flags & MSG_ERRQUEUE))
		return strsock_native_ops(sk)->recvmsg(sock, msg, len, flags);
	sock_rps_record_flow(sk);
	ret = strsock_head_recvmsg(strsock_its_head(sk), msg, len, flags, &addr_len,
				   sock_rcvtimeo(sk, flags & MSG_DONTWAIT));
	if (ret < 0)
		return ret;
	msg->msg_namelen = addr_len;
	if (!(flags & MSG_PEEK))
		str_count_rcvd(STR_KIND_UDP, ret);
	return ret;
}

static int head_ops_ioctl(struct socket *sock, unsigned int cmd,
			  unsigned long arg)
{
	struct strsock_head *h = strsock_its_head(sock->sk);
	long bytes;

	if (strsock_head_cmd(cmd))
		return strsock_head_ioctl(h, sock, cmd, arg, false);
	if (cmd == FIONREAD) {
		bytes = strsock_head_first_bytes(h);
		return put_user((int)max(bytes, 0L), (int __user *)arg);
	}
	return strsock_head_ioctl_down(&h->sd, sock, cmd, arg,
				       strsock_native_ops(sock->sk)->ioctl(sock, cmd, arg));
}

#ifdef CONFIG_COMPAT
static int head_ops_compat_ioctl(struct socket *sock, unsigned int cmd,
				 unsigned long arg)
{
	struct strsock_head *h = strsock_its_head(sock->sk);

	if (strsock_head_cmd(cmd))
		return strsock_head_ioctl(h, sock, cmd, arg, true);
	return strsock_head_ioctl_down(&h->sd, sock, cmd, arg,
				       strsock_native_ops(sock->sk)->compat_ioctl(sock, cmd, arg));
}
#endif

/* Returns the poll() events on the socket for a message on the stream head's queue. */
static __poll_t message_bits(const mblk_t *mp)
{
	if (strsock_head_is_shown(mp))
		return EPOLLIN | EPOLLRDNORM;
	/* Only getmsg() takes such a message: receive calls do not see it. */
	switch (DB_TYPE(mp)) {
	case M_PROTO:
		return EPOLLRDBAND;
	case M_PCPROTO:
		return EPOLLPRI;
	default:
		return 0;
	}
}

/* The events that the stream adds to those the kernel reports for a socket. */
static __poll_t head_ops_poll(struct file *file, struct socket *sock,
			      poll_table *wait)
{
	const __poll_t out = EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	struct strsock_head *h = strsock_its_head(sock->sk);
	__poll_t mask = strsock_native_ops(sock->sk)->poll(file, sock, wait);
	queue_t *q = str_rq(&h->sd);
	unsigned int flag;
	mblk_t *mp;

	/* A kernel worker, such as one of aio, does not send: see head_send.c. */
	if (!(current->flags & PF_KTHREAD))
		strsock_head_send_held(h, false);
	spin_lock_irq(&q->q_lock);
	flag = h->sd.sd_flag;
	/* Report each: no poller is woken when the first is taken. */
	for (mp = q->q_first; mp; mp = mp->b_next)
		mask |= message_bits(mp);
	spin_unlock_irq(&q->q_lock);
	if (!skb_queue_empty_lockless(&h->queue))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (flag & (STR_RERR | STR_WERR))
		return EPOLLERR;
	if (flag & STR_HUP)
		return (mask & ~out) | EPOLLHUP;
	/* A module has no room: making room wakes the socket's writers. */
	if (mask & EPOLLOUT && !strsock_head_writable(h))
		mask &= ~out;
	return mask;
}

static int head_ops_release(struct socket *sock)
{
	if (sock->sk)
		strsock_head_close(sock);
	return strsock_release(sock);
}

/* Pages pass a stream as written data does. */
SENDPAGE_BY_MSG_OP(strsock_head_ops)

/* Makes the operations from those of a socket without a stream, of which some are replaced. */
void __init strsock_head_ops_init(struct proto_ops *ops, const struct proto_ops *bare)
{
	*ops = *bare;
	ops->sendmsg = head_ops_sendmsg;
	ops->recvmsg = head_ops_recvmsg;
	ops->ioctl = head_ops_ioctl;
#ifdef CONFIG_COMPAT
	ops->compat_ioctl = head_ops_compat_ioctl;
#endif
	ops->poll = head_ops_poll;
	ops->release = head_ops_release;
	SET_SENDPAGE(ops, strsock_head_ops);
}
