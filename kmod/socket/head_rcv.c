// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving on a socket that has a stream
 *
 * Datagrams wait on the queue of head_queue.c. I_PEEK is shown its first
 * datagram as a message. getmsg() puts that message on the stream head's
 * queue, where other messages are too. For the rest that it leaves, the buffer
 * is kept beside it for receive calls, which look there first. At all times a
 * datagram is on one of the queues.
 */
#include <linux/bpf-cgroup.h>
#include <linux/skbuff.h>
#include <linux/uaccess.h>
#include <net/sock.h>
#include <net/udp.h>
#include <sys/strio.h>

#include "streams/trace.h"
#include "tpi/datagram.h"
#include "udp/rcv.h"
#include "datagram.h"
#include "head.h"
#include "head_queue.h"
#include "head_rcv.h"
#include "head_send.h"
#include "native.h"
#include "sock.h"

/*
 * Returns whether a message on the stream head's queue is for receive calls. The first word
 * does not show it when a getmsg() has taken that.
 */
bool strsock_head_is_shown(const mblk_t *mp)
{
	return mp->b_flag & STRSOCK_HEAD_SHOWN;
}

/*
 * Bytes of a datagram that getmsg() has left on the stream head's queue, and
 * whether its name is there; -1: there is none.
 */
static long shown_bytes(struct strsock_head *h, bool *named)
{
	queue_t *q = str_rq(&h->sd);
	long bytes = -1;
	mblk_t *mp;

	spin_lock_irq(&q->q_lock);
	for (mp = q->q_first; mp && !strsock_head_is_shown(mp);)
		mp = mp->b_next;
	if (mp) {
		bytes = msgdsize(mp);
		*named = DB_TYPE(mp) != M_DATA;
	}
	spin_unlock_irq(&q->q_lock);
	return bytes;
}

/*
 * Bytes of the datagram received next, as FIONREAD reports; -1: there is
 * nothing.
 */
long strsock_head_first_bytes(struct strsock_head *h)
{
	struct sk_buff *skb;
	long bytes = -1;
	bool named;

	strsock_head_collect_quietly(h);
	if (READ_ONCE(h->ahead))
		bytes = shown_bytes(h, &named);
	if (bytes >= 0)
		return bytes;
	skb = strsock_head_first(h);
	if (skb)
		bytes = skb->len;
	consume_skb(skb);
	return bytes;
}

/*
 * Returns the datagram that is received next, if it is off the socket's queue; called under
 * sd_read_mutex. off: bytes of it that a getmsg() has taken.
 */
static struct sk_buff *ahead(struct strsock_head *h, int *off, bool *named)
{
	long left;

	lockdep_assert_held(&h->sd.sd_read_mutex);
	*off = 0;
	*named = true;
	if (!h->ahead)
		return NULL;
	left = shown_bytes(h, named);
	if (left >= 0 && left <= h->ahead->len) {
		*off = h->ahead->len - left;
		return h->ahead;
	}
	/* A getmsg() has taken it, or M_FLUSH. */
	sk_peek_offset_bwd(strsock_head_sk(h), h->ahead->len);
	consume_skb(h->ahead);
	WRITE_ONCE(h->ahead, NULL);
	return NULL;
}

/* Another reader may be copying to memory whose fault is never served. */
static int ahead_lock(struct strsock_head *h, bool nowait)
{
	if (mutex_trylock(&h->sd.sd_read_mutex))
		return 0;
	if (!nowait)
		return mutex_lock_interruptible(&h->sd.sd_read_mutex) ? -EINTR :
									0;
	WRITE_ONCE(h->missed, true);
	/* The flag is set before the last try; pairs with strsock_head_read_done(). */
	smp_mb();
	return mutex_trylock(&h->sd.sd_read_mutex) ? 0 : -EAGAIN;
}

/*
 * sd_read_mutex was released. A nonblocking reader may have called poll()
 * meanwhile, or wait for a signal, after its data had arrived.
 */
void strsock_head_read_done(struct strsock_head *h)
{
	struct sock *sk = strsock_head_sk(h);

	/* The unlocking comes before the look at the flag; pairs with ahead_lock(). */
	smp_mb();
	if (likely(!READ_ONCE(h->missed)) || !xchg(&h->missed, false))
		return;
	sk->sk_data_ready(sk);
	/* A message behind it would not be the first. */
	if (READ_ONCE(h->sd.sd_rwatch))
		str_notify_read(&h->sd, EPOLLIN | EPOLLRDNORM);
}

static void ahead_unlock(struct strsock_head *h)
{
	mutex_unlock(&h->sd.sd_read_mutex);
	strsock_head_read_done(h);
}

/*
 * I_FLUSH was done: the rest of a datagram is not kept for the next receive
 * call.
 */
void strsock_head_flushed(struct strsock_head *h)
{
	bool named;
	int off;

	if (!READ_ONCE(h->ahead) || !mutex_trylock(&h->sd.sd_read_mutex))
		return;
	ahead(h, &off, &named);
	ahead_unlock(h);
}

/* Returns whether a datagram has no sender: it was sent up as data without a control part. */
static bool is_nameless(const struct sk_buff *skb)
{
	if (udp_hdr(skb)->source)
		return false;
	return strsock_came_by_inet6(skb) ? ipv6_addr_any(&ipv6_hdr(skb)->saddr) :
					    !ip_hdr(skb)->saddr;
}

/* Makes a message of a datagram; NULL when memory is short. */
static mblk_t *fill_message(struct strsock_head *h, const struct sk_buff *skb)
{
	mblk_t *mp, *bp;
	size_t off = 0;

	mp = strudp_unitdata_ind(&h->end, skb, GFP_KERNEL_ACCOUNT);
	if (!mp)
		return NULL;
	mp->b_cont = strsock_head_blocks(skb->len);
	if (!mp->b_cont)
		goto fail;
	for (bp = mp->b_cont; bp; bp = bp->b_cont) {
		if (skb_copy_bits(skb, off, bp->b_rptr, MBLKL(bp)))
			goto fail;
		off += MBLKL(bp);
	}
	if (is_nameless(skb)) {
		bp = mp;
		mp = unlinkb(bp);
		freeb(bp);
	}
	return mp;

fail:
	freemsg(mp);
	return NULL;
}

/* Returns the socket's next datagram as a message, and stores its buffer; NULL: there is none. */
static mblk_t *look(struct strsock_head *h, struct sk_buff **skbp)
{
	struct sk_buff *skb;
	mblk_t *mp;
	int err;

	if (!strsock_head_queued(h, NULL))
		return NULL;
	/*
	 * The program would have to be run for the name that receive calls
	 * report.
	 */
	if (strsock_is_inet6(strsock_head_sk(h)) ? cgroup_bpf_enabled(CGROUP_UDP6_RECVMSG) :
						   cgroup_bpf_enabled(CGROUP_UDP4_RECVMSG))
		return ERR_PTR(-EOPNOTSUPP);
	err = sock_error(strsock_head_sk(h)) ?: strsock_head_collect(h);
	if (err)
		return ERR_PTR(err);
	skb = strsock_head_first(h);
	if (!skb)
		return NULL;
	mp = fill_message(h, skb);
	if (!mp) {
		consume_skb(skb);
		return ERR_PTR(-ENOSR);
	}
	*skbp = skb;
	return mp;
}

/**
 * strsock_head_look() - look at the socket when the stream head's queue is empty
 * @sd: a socket's stream; the caller holds sd_read_mutex
 *
 * Return: the socket's next datagram, which stays there, as a message of the
 * caller's; NULL: there is none; -ENOSR; the socket's error; -EOPNOTSUPP: a BPF
 * program changes names.
 */
mblk_t *strsock_head_look(struct stream *sd)
{
	struct sk_buff *skb;
	mblk_t *mp;

	lockdep_assert_held(&sd->sd_read_mutex);
	mp = look(container_of(sd, struct strsock_head, sd), &skb);
	if (!IS_ERR_OR_NULL(mp))
		consume_skb(skb);
	return mp;
}

/*
 * Has the socket's next datagram as a message on the stream head's queue, if
 * there is no other. It is there before it leaves the socket's queue, so that
 * every reader finds it on one of them; receive calls are kept off it
 * meanwhile. Returns 0, also when there is none, or as strsock_head_look().
 */
static int fill(struct strsock_head *h)
{
	struct sock *sk = strsock_head_sk(h);
	struct sk_buff *skb;
	bool named;
	mblk_t *mp;
	int off;

	while (!READ_ONCE(str_rq(&h->sd)->q_first) && !ahead(h, &off, &named)) {
		mp = look(h, &skb);
		if (IS_ERR_OR_NULL(mp))
			return PTR_ERR_OR_ZERO(mp);
		mp->b_flag |= STRSOCK_HEAD_SHOWN;
		WRITE_ONCE(h->ahead, skb);
		putq(str_rq(&h->sd), mp);
		if (strsock_head_take(h, skb)) {
			SNMP_INC_STATS(strudp_mib(sk, strsock_came_by_inet6(skb)),
				       UDP_MIB_INDATAGRAMS);
			break;
		}
		/* Another was faster, or it was flushed. */
		freemsg(str_take(&h->sd, strsock_head_is_shown));
		WRITE_ONCE(h->ahead, NULL);
		consume_skb(skb);
	}
	return 0;
}

/* Calls fill() with the lock; -EAGAIN: another reader has it, and nowait; -EINTR. */
static int fill_locked(struct strsock_head *h, bool nowait)
{
	int err = ahead_lock(h, nowait);

	if (err)
		return err;
	err = fill(h);
	ahead_unlock(h);
	return err;
}

/**
 * strsock_head_read_wait() - wait until no other reader is at work
 * @h: the stream
 * @nowait: whether the call may not wait
 *
 * Return: 0; -EINTR; -EAGAIN: there is one, and the caller is woken when it is done.
 */
int strsock_head_read_wait(struct strsock_head *h, bool nowait)
{
	int err = ahead_lock(h, nowait);

	if (!err)
		ahead_unlock(h);
	return err;
}

/* Returns whether a message is for getmsg() with want. */
static bool want_fits(const mblk_t *mp, const struct strio_msg *want)
{
	return DB_TYPE(mp) & QPCTL || want->flags & MSG_ANY ||
	       (want->flags & MSG_BAND && mp->b_band >= want->band);
}

/*
 * Whether a getmsg() with want, or, NULL, a receive call has something. last:
 * datagrams on the queue up to there are before the place where SO_PEEK_OFF
 * makes the call look; NULL: it looks at all.
 */
static bool wait_is_over(struct strsock_head *h, const struct strio_msg *want,
			 const struct sk_buff *last)
{
	struct sock *sk = strsock_head_sk(h);
	queue_t *q = str_rq(&h->sd);
	bool over, empty;

	spin_lock_irq(&q->q_lock);
	empty = !q->q_first;
	over = h->sd.sd_flag & (STR_HUP | STR_RERR) ||
	       (want && !empty && want_fits(q->q_first, want));
	spin_unlock_irq(&q->q_lock);
	if (over || READ_ONCE(sk->sk_err) ||
	    READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN)
		return true;
	if (!strsock_head_queued(h, last)) {
		/* A message that has left the queue is there; see fill(). */
		smp_rmb();
		if (!READ_ONCE(h->ahead))
			return false;
	}
	/* getmsg() has it made a message when there is no other. */
	return !want || (empty && (want->flags & MSG_ANY ||
				   (want->flags & MSG_BAND && !want->band)));
}

/*
 * Returns whether nothing will come any more. Receive calls that may not wait do not report
 * a shutdown, as on any socket of UDP.
 */
static bool rcv_over(struct strsock_head *h, const struct strio_msg *want, long timeo)
{
	return READ_ONCE(h->sd.sd_flag) & STR_HUP ||
	       ((want || timeo) &&
		READ_ONCE(strsock_head_sk(h)->sk_shutdown) & RCV_SHUTDOWN);
}

/* 0; 1: nothing will come any more; -EAGAIN after the time, or a signal. */
static int head_rcv_wait(struct strsock_head *h, const struct strio_msg *want,
			 const struct sk_buff *last, long *timeo)
{
	struct sock *sk = strsock_head_sk(h);
	long left;

	/* The answer that it waits for may be to a datagram that was held back. */
	strsock_head_send_held(h, *timeo);
	if (rcv_over(h, want, *timeo))
		return 1;
	if (!*timeo)
		return -EAGAIN;
	/*
	 * Also if the caller finds each time that it is over, and then that it
	 * is not.
	 */
	if (signal_pending(current))
		return sock_intr_errno(*timeo);
	trace_streams_wait(str_rq(&h->sd), NULL);
	left = wait_event_interruptible_timeout(*sk_sleep(sk),
						wait_is_over(h, want, last) ||
						strsock_head_sendable(h), *timeo);
	trace_streams_wake(str_rq(&h->sd), NULL);
	if (left < 0)
		return sock_intr_errno(*timeo);
	*timeo = left;
	return left ? 0 : -EAGAIN;
}

/* Gives a receive call the message that is ahead; false: there is none. */
static bool ahead_give(struct strsock_head *h, struct msghdr *msg, size_t len,
		       int flags, int *addr_len, int *ret)
{
	struct sock *sk = strsock_head_sk(h);
	int off, peek = sk_peek_offset(sk, flags);
	struct sk_buff *skb;
	bool named;

	*ret = ahead_lock(h, flags & MSG_DONTWAIT);
	if (*ret)
		return true;
	skb = ahead(h, &off, &named);
	if (skb && flags & MSG_PEEK) {
		skb_get(skb);
	} else if (skb) {
		WRITE_ONCE(h->ahead, NULL);
		freemsg(str_take(&h->sd, strsock_head_is_shown));
	}
	ahead_unlock(h);
	if (!skb)
		return false;
	if (peek > 0)
		off += min_t(int, peek, skb->len - off);
	*ret = strsock_give(sk, skb, off, msg, len, flags, addr_len);
	if (!named)
		*addr_len = 0;
	if (flags & MSG_PEEK)
		sk_peek_offset_fwd(sk, min_t(size_t, len, skb->len - off));
	else
		sk_peek_offset_bwd(sk, skb->len);
	consume_skb(skb);
	return true;
}

/* Data without a control part has no name: see message_from(). */
static void unname(const struct msghdr *msg, int *addr_len)
{
	const union tpi_addr *name = msg->msg_name;

	if (!name || !*addr_len || name->in.sin_port)
		return;
	if (name->sa.sa_family == AF_INET6 ? ipv6_addr_any(&name->in6.sin6_addr) :
					     !name->in.sin_addr.s_addr)
		*addr_len = 0;
}

/**
 * strsock_head_recvmsg() - receive a datagram on a socket that has a stream
 * @h: the stream
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_PEEK ...
 * @addr_len: set to the length of the sender's name, if it is wanted
 * @timeo: jiffies to wait at most
 *
 * Return: bytes received or a negative error, as recvmsg(2).
 */
int strsock_head_recvmsg(struct strsock_head *h, struct msghdr *msg, size_t len, int flags,
			 int *addr_len, long timeo)
{
	struct sock *sk = strsock_head_sk(h);
	struct sk_buff *last = NULL;
	int ret;

	for (;;) {
		bool by_offset = flags & MSG_PEEK &&
				 READ_ONCE(sk->sk_peek_off) >= 0;

		ret = str_take_error(&h->sd, false);
		if (ret)
			return ret;
		if (unlikely(READ_ONCE(h->ahead)) &&
		    ahead_give(h, msg, len, flags, addr_len, &ret))
			break;
		ret = strsock_head_receive(h, msg, len, flags, addr_len, &last);
		if (ret != -EAGAIN)
			break;
		/* A getmsg() may have taken it, and leave some of it. */
		if (READ_ONCE(h->ahead))
			continue;
		ret = head_rcv_wait(h, NULL, by_offset ? last : NULL, &timeo);
		if (ret)
			return min(ret, 0);
	}
	unname(msg, addr_len);
	return ret;
}

/**
 * strsock_head_getmsg() - STRIO_GETMSG on a socket that has a stream
 * @h: the stream
 * @file: the socket's
 * @arg: the user's request
 *
 * Return: as str_getmsg(), or as strsock_head_look().
 */
long strsock_head_getmsg(struct strsock_head *h, struct file *file,
			 struct strio_msg __user *arg)
{
	long timeo = file->f_flags & O_NONBLOCK ? 0 : MAX_SCHEDULE_TIMEOUT;
	struct sock *sk = strsock_head_sk(h);
	struct strio_msg want, msg;
	int ret;

	if (copy_from_user(&want, arg, sizeof(want)))
		return -EFAULT;
	if (!str_getmsg_valid(&want))
		return -EINVAL;
	for (;;) {
		ret = sock_error(sk);
		/* A call that wants another one leaves it where it is. */
		if (!ret && want.flags != MSG_HIPRI &&
		    (want.flags != MSG_BAND || !want.band))
			ret = fill_locked(h, !timeo);
		if (ret)
			return ret;
		msg = want;
		ret = str_getmsg(&h->sd, &msg, arg, O_NONBLOCK);
		strsock_head_read_done(h);
		if (ret != -EAGAIN || want.flags == STRIO_PEEKED)
			break;
		/* Which may be EAGAIN too. */
		ret = head_rcv_wait(h, &want, NULL, &timeo) ?:
		      str_take_error(&h->sd, false);
		if (ret < 0)
			return ret;
		if (ret) {
			msg.ctl.len = 0;
			msg.data.len = 0;
			return copy_to_user(arg, &msg, sizeof(msg)) ? -EFAULT :
								      0;
		}
	}
	strsock_head_flushed(h);
	return ret;
}
