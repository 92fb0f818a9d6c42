// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving on a TCP socket that has a stream
 *
 * A call has what has arrived sent up, see tcp_head_take.c. Messages that come out of the
 * stream wait at the stream head for receive calls and for getmsg().
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <net/tcp.h>
#include <sys/strio.h>

#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "streams/trace.h"
#include "tpi/tpi.h"
#include "head_send.h"
#include "head_up.h"
#include "tcp_head_rcv.h"
#include "tcp_head_send.h"
#include "tcp_head_take.h"
#include "tcp_rcv.h"

/* Returns whether receive calls take a message of the stream head. */
static bool is_data(const mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		return true;
	if (DB_TYPE(mp) != M_PROTO)
		return false;
	switch (tpi_type(mp)) {
	case T_DATA_IND:
	case T_EXDATA_IND:
	case T_OPTDATA_IND:
		return true;
	default:
		return false;
	}
}

/* Returns whether a message says that no more bytes will come. */
static bool is_end(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_PROTO &&
	       (tpi_type(mp) == T_ORDREL_IND || tpi_type(mp) == T_DISCON_IND);
}

/* Returns the bytes at the stream head that receive calls take. */
size_t strsock_tcp_head_bytes(const struct strsock_tcp_head *h)
{
	return READ_ONCE(h->sd.sd_q[0].q_data);
}

/* Returns whether a receive call would not wait for what is at the stream head. */
bool strsock_tcp_head_has_input(const struct strsock_tcp_head *h)
{
	return strsock_tcp_head_bytes(h) || READ_ONCE(h->ended) || READ_ONCE(h->aside) ||
	       READ_ONCE(h->sd.sd_flag) & STR_HUP;
}

/* Returns the poll() events of messages that getmsg() alone takes. */
__poll_t strsock_tcp_head_messages(struct strsock_tcp_head *h)
{
	queue_t *q = str_rq(&h->sd);
	const mblk_t *mp;
	__poll_t mask = 0;

	if (!READ_ONCE(q->q_first))
		return 0;
	spin_lock_irq(&q->q_lock);
	mp = q->q_first;
	if (mp && DB_TYPE(mp) == M_PCPROTO) {
		mask |= EPOLLPRI;
		mp = mp->b_next;
	}
	if (mp && DB_TYPE(mp) == M_PROTO && !is_data(mp) && !is_end(mp))
		mask |= EPOLLRDBAND;
	spin_unlock_irq(&q->q_lock);
	return mask;
}

/**
 * strsock_tcp_head_look() - have something at the stream head, if there is anything
 * @h: the stream
 * @messages: for getmsg(), which sees urgent data; else nothing behind its mark is sent up
 *
 * The callers are poll() and ioctls. A module may keep what it is given. Context: process,
 * sleeps.
 */
void strsock_tcp_head_look(struct strsock_tcp_head *h, bool messages)
{
	while (!strsock_tcp_head_has_input(h) && strsock_tcp_head_can_take(h) &&
	       !signal_pending(current)) {
		int ret;

		if (!messages && unlikely(strsock_tcp_is_at_mark(strsock_tcp_head_sk(h))))
			return;
		ret = messages ? strsock_tcp_head_take_message(h) :
				 strsock_tcp_head_take(h, STRSOCK_TCP_TAKE, false);
		if (ret <= 0)
			return;
		cond_resched();
	}
}

/* A receive call's progress. */
struct recv_call {
	struct msghdr *msg;
	size_t len;		/* bytes asked for */
	size_t done;
	size_t skip;		/* bytes that SO_PEEK_OFF passes over */
	int flags;
	bool ended;		/* nothing comes behind what it has found */
	size_t direct;		/* of done, bytes that the socket's own calls have given */
};

/* Copies from a message; returns the bytes used, or -EFAULT. */
static ssize_t read_one(struct recv_call *c, const mblk_t *mp)
{
	size_t used = 0;

	for (; mp && c->done < c->len; mp = mp->b_cont) {
		size_t n = mblk_len(mp), skip, got;

		if (DB_TYPE(mp) != M_DATA || !n)
			continue;
		skip = min(n, c->skip);
		c->skip -= skip;
		used += skip;
		n = min(n - skip, c->len - c->done);
		if (!n)
			continue;
		if (c->flags & MSG_TRUNC) {
			got = n;
		} else if (skip) {
			mblk_t part = *mp;

			part.b_rptr += skip;
			got = str_block_to_iter(&part, n, &c->msg->msg_iter);
		} else {
			got = str_block_to_iter(mp, n, &c->msg->msg_iter);
		}
		used += got;
		c->done += got;
		if (got < n)
			return used ?: -EFAULT;
	}
	return used;
}

/* Puts what was not read of a message back to the front of the stream head's queue. */
static void unread_rest(queue_t *q, mblk_t *mp, size_t used)
{
	mblk_t *next;

	while (mp && (DB_TYPE(mp) != M_DATA || used >= mblk_len(mp))) {
		if (DB_TYPE(mp) == M_DATA)
			used -= mblk_len(mp);
		next = unlinkb(mp);
		freeb(mp);
		mp = next;
	}
	if (!mp)
		return;
	mp->b_rptr += used;
	if (!putbq(q, mp))
		freemsg(mp);
}

/*
 * Copies bytes of messages at the stream head; called under sd_read_mutex, by which other
 * readers wait until those are back. Returns 0, or -EFAULT.
 */
static int read_messages(struct strsock_tcp_head *h, struct recv_call *c)
{
	queue_t *q = str_rq(&h->sd);
	mblk_t *seen = NULL, *mp;
	ssize_t used = 0;

	if (!READ_ONCE(q->q_first))
		return 0;
	WRITE_ONCE(h->aside, true);
	while (c->done < c->len && used >= 0 && (mp = str_take(&h->sd, is_data))) {
		size_t size = msgdsize(mp);

		used = read_one(c, mp);
		if (c->flags & MSG_PEEK) {
			mp->b_next = seen;
			seen = mp;
			continue;
		}
		if (used < (ssize_t)size) {
			unread_rest(q, mp, max_t(ssize_t, used, 0));
			break;
		}
		trace_streams_head_take(&h->sd.sd_entry, used);
		freemsg(mp);
	}
	while ((mp = seen)) {
		seen = mp->b_next;
		mp->b_next = NULL;
		if (!putbq(q, mp))
			freemsg(mp);
	}
	WRITE_ONCE(h->aside, false);
	return used < 0 && !c->done ? used : 0;
}

/* Returns what a receive call returns that has found nothing; -EAGAIN: there may be more. */
static int has_nothing(struct strsock_tcp_head *h, bool ended)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	int ret;

	if (READ_ONCE(h->sd.sd_flag) & STR_HUP)
		return 0;
	if (ended) {
		ret = strsock_tcp_has_nothing(sk, true);
		return ret == -EAGAIN ? 0 : ret;
	}
	/* A socket without a connection has no end either. */
	if (!READ_ONCE(h->end_sent) && !strsock_tcp_provider_has_ended(h) &&
	    (1 << READ_ONCE(sk->sk_state)) & (TCPF_CLOSE | TCPF_LISTEN))
		return sock_error(sk) ?: -ENOTCONN;
	return -EAGAIN;
}

/* A waiting reader has seen this at the stream head. */
struct head_seen {
	const mblk_t *last;
	size_t count;
};

static struct head_seen head_seen_now(const struct strsock_tcp_head *h)
{
	const queue_t *q = &h->sd.sd_q[0];

	return (struct head_seen){
		.last = READ_ONCE(q->q_last),
		.count = READ_ONCE(q->q_count),
	};
}

/* Returns whether there is something that a reader has not seen, or something to send. */
static bool head_has_news(struct strsock_tcp_head *h, const struct head_seen *seen)
{
	struct head_seen now = head_seen_now(h);

	return now.last != seen->last || now.count != seen->count || READ_ONCE(h->ended) ||
	       READ_ONCE(h->sd.sd_flag) & (STR_HUP | STR_RERR) || strsock_tcp_head_can_take(h) ||
	       strsock_tcp_head_sendable(h);
}

/* Sleeps until there are news. Returns 0; -EAGAIN after the time; or the error of a signal. */
static int news_wait(struct strsock_tcp_head *h, const struct head_seen *seen, long *timeo)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	long left;

	if (!*timeo)
		return -EAGAIN;
	if (signal_pending(current))
		return sock_intr_errno(*timeo);
	sk_set_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	trace_streams_wait(str_rq(&h->sd), NULL);
	left = wait_event_interruptible_timeout(*sk_sleep(sk), head_has_news(h, seen), *timeo);
	trace_streams_wake(str_rq(&h->sd), NULL);
	sk_clear_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	if (left < 0)
		return sock_intr_errno(*timeo);
	*timeo = left;
	strsock_tcp_head_send_held(h);
	return left ? 0 : -EAGAIN;
}

/* Peeking starts anew, with all that is there by now. */
static void peek_again(struct recv_call *c, size_t skip)
{
	if (!(c->flags & MSG_PEEK))
		return;
	if (!(c->flags & MSG_TRUNC))
		iov_iter_revert(&c->msg->msg_iter, c->done);
	c->done = 0;
	c->skip = skip;
}

/* Returns whether a reader may have bytes past the modules: all would pass these on. */
bool strsock_tcp_head_reads_directly(const struct strsock_tcp_head *h)
{
	return strsock_tcp_head_passes(h) && !READ_ONCE(h->sd.sd_q[0].q_first);
}

/*
 * Has the socket's own call give a reader what is there. Called under sd_read_mutex; the
 * look whether it may is repeated under take_mutex, by which bytes keep their order. Returns
 * bytes; 0 at the end; -EAGAIN; -ENODATA: it may not; or an error of recv(2).
 */
static int read_direct(struct strsock_tcp_head *h, struct recv_call *c)
{
	int flags = (c->flags & ~MSG_WAITALL) | MSG_DONTWAIT, ret = -ENODATA;

	if (mutex_lock_killable(&h->take_mutex))
		return -EINTR;
	if (strsock_tcp_head_reads_directly(h))
		ret = strsock_tcp_below(h->sock)->recvmsg(h->sock, c->msg, c->len - c->done,
							  flags);
	strsock_tcp_head_take_unlock(h);
	if (ret > 0) {
		c->done += ret;
		c->direct += ret;
	}
	return ret;
}

/* Reads past the modules. Returns > 0: there may be more; 0: there is not; or an error. */
static int read_past(struct strsock_tcp_head *h, struct recv_call *c)
{
	bool ended = strsock_tcp_provider_has_ended(h);
	int ret;

	/* The end, or the error, is for the next call. */
	if (c->done && !strsock_tcp_provider_has_bytes(h)) {
		c->ended = ended;
		return 0;
	}
	ret = read_direct(h, c);
	c->ended = !ret;
	/* A module was pushed or popped meanwhile. */
	if (ret == -ENODATA)
		return 1;
	return ret == -EAGAIN ? 0 : ret;
}

/*
 * Peeks past the modules, where no call waits: the bytes that a call waits for are sent up,
 * and more may follow them. Returns as read_direct().
 */
static int peek_past(struct strsock_tcp_head *h, struct recv_call *c)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	bool waits = !(c->flags & MSG_DONTWAIT);
	int ret;

	if (waits && sock_rcvlowat(sk, c->flags & MSG_WAITALL, c->len) > 1)
		return -ENODATA;
	ret = read_direct(h, c);
	return ret == -EAGAIN && waits ? -ENODATA : ret;
}

/*
 * Copies what is at the stream head, and has more sent up until there is enough, or nothing
 * comes any more. Called under sd_read_mutex. Returns 0 or an error of recv(2).
 */
static int read_available(struct strsock_tcp_head *h, struct recv_call *c, size_t skip,
			  struct head_seen *seen)
{
	int taken, err;

	for (;;) {
		c->ended = READ_ONCE(h->ended);
		smp_rmb(); /* the bytes before the end are there when it is */
		*seen = head_seen_now(h);
		err = str_take_error(&h->sd, false) ?: read_messages(h, c);
		if (err || c->done == c->len)
			return c->done ? 0 : err;
		if (!(c->flags & MSG_PEEK))
			*seen = head_seen_now(h);
		/*
		 * A mark ends what one call reads. Bytes may still come behind the end that
		 * the program has made by SHUT_RD.
		 */
		if ((c->ended && !strsock_tcp_provider_has_bytes(h)) || signal_pending(current) ||
		    unlikely(c->done && strsock_tcp_is_at_mark(strsock_tcp_head_sk(h))))
			return 0;
		if (!(c->flags & MSG_PEEK) && strsock_tcp_head_reads_directly(h))
			taken = read_past(h, c);
		else
			taken = strsock_tcp_head_take(h, c->len - c->done + c->skip, true);
		if (taken <= 0)
			return c->done ? 0 : taken;
		peek_again(c, skip);
		cond_resched();
	}
}

/* Receives under sd_read_mutex, which is released while it waits. */
static int read_locked(struct strsock_tcp_head *h, struct recv_call *c)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	int target = sock_rcvlowat(sk, c->flags & MSG_WAITALL, c->len);
	long timeo = sock_rcvtimeo(sk, c->flags & MSG_DONTWAIT);
	size_t skip = c->skip;
	int err;

	/* The bytes that follow may be too few to wake a reader with SO_RCVLOWAT. */
	if (!(c->flags & MSG_WAITALL) && strsock_tcp_head_bytes(h))
		target = 1;
	for (;;) {
		struct head_seen seen;

		err = read_available(h, c, skip, &seen);
		if (!err && !c->done)
			err = has_nothing(h, c->ended);
		if (c->done >= target || (err && err != -EAGAIN) || c->ended ||
		    (!err && !c->done))
			break;
		mutex_unlock(&h->sd.sd_read_mutex);
		err = news_wait(h, &seen, &timeo);
		if (mutex_lock_killable(&h->sd.sd_read_mutex))
			return c->done ?: -EINTR;
		if (err)
			break;
		peek_again(c, skip);
	}
	mutex_unlock(&h->sd.sd_read_mutex);
	return c->done ?: err;
}

/* Returns all bytes that a program has not read, as SIOCINQ does. */
size_t strsock_tcp_head_unread(struct strsock_tcp_head *h)
{
	return strsock_tcp_head_bytes(h) + strsock_tcp_unread(strsock_tcp_of(h->sock)) +
	       max(tcp_inq(strsock_tcp_head_sk(h)), 0);
}

/**
 * strsock_tcp_head_recvmsg() - receive on a TCP socket that has a stream
 * @h: the stream
 * @msg: as for recvmsg(2)
 * @len: bytes there is room for
 * @flags: MSG_PEEK ...
 *
 * Return: bytes, 0 at the end, or an error of recvmsg(2).
 */
int strsock_tcp_head_recvmsg(struct strsock_tcp_head *h, struct msghdr *msg, size_t len,
			     int flags)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	struct recv_call c = { .msg = msg, .len = len, .flags = flags };
	int ret;

	/* Urgent data out of line and errors do not pass the stream. */
	if (unlikely(flags & (MSG_OOB | MSG_ERRQUEUE)) ||
	    (!len && !strsock_tcp_head_bytes(h)))
		return strsock_tcp_below(h->sock)->recvmsg(h->sock, msg, len, flags);
	msg->msg_namelen = 0;
	if (!len)
		return 0;
	if (flags & MSG_PEEK)
		c.skip = max(sk_peek_offset(sk, flags), 0);
	if (mutex_lock_killable(&h->sd.sd_read_mutex))
		return -EINTR;
	ret = flags & MSG_PEEK ? peek_past(h, &c) : -ENODATA;
	if (ret == -ENODATA)
		ret = read_locked(h, &c);
	else
		mutex_unlock(&h->sd.sd_read_mutex);
	/* The socket's own calls have moved the offset over what they gave. */
	if (ret > (int)c.direct && flags & MSG_PEEK)
		sk_peek_offset_fwd(sk, ret - c.direct);
	else if (ret > (int)c.direct)
		sk_peek_offset_bwd(sk, ret - c.direct);
	if (unlikely(msg->msg_get_inq) && ret >= 0)
		msg->msg_inq = min_t(size_t, strsock_tcp_head_unread(h), INT_MAX);
	return ret;
}

/* Reports the end to a getmsg() that has taken all before it. */
static long getmsg_end(struct strio_msg __user *arg, struct strio_msg *msg)
{
	msg->ctl.len = 0;
	msg->data.len = 0;
	return copy_to_user(arg, msg, sizeof(*msg)) ? -EFAULT : 0;
}

/**
 * strsock_tcp_head_getmsg() - STRIO_GETMSG on a TCP socket that has a stream
 * @h: the stream
 * @file: the socket's
 * @arg: the user's request
 *
 * Return: as str_getmsg().
 */
long strsock_tcp_head_getmsg(struct strsock_tcp_head *h, struct file *file,
			     struct strio_msg __user *arg)
{
	long timeo = file->f_flags & O_NONBLOCK ? 0 : MAX_SCHEDULE_TIMEOUT;
	struct strio_msg want, msg;
	int ret;

	if (copy_from_user(&want, arg, sizeof(want)))
		return -EFAULT;
	if (!str_getmsg_valid(&want))
		return -EINVAL;
	for (;;) {
		bool ended = READ_ONCE(h->ended);
		struct head_seen seen;

		smp_rmb(); /* the messages before the end are there when it is */
		seen = head_seen_now(h);
		msg = want;
		ret = str_getmsg(&h->sd, &msg, arg, O_NONBLOCK);
		if (ret != -EAGAIN || want.flags == STRIO_PEEKED)
			return ret;
		if (ended)
			return getmsg_end(arg, &want);
		ret = signal_pending(current) ? 0 : strsock_tcp_head_take_message(h);
		if (ret > 0)
			continue;
		if (ret < 0)
			return ret == -ENOBUFS ? -ENOSR : ret;
		ret = has_nothing(h, false);
		if (ret == -EAGAIN)
			ret = news_wait(h, &seen, &timeo);
		if (ret)
			return ret;
	}
}

/* Something arrived that no call may look for. */
static int watch_wake(wait_queue_entry_t *watch, unsigned int mode, int sync, void *key)
{
	struct strsock_tcp_head *h = container_of(watch, struct strsock_tcp_head, watch);

	if (!key || key_to_poll(key) & EPOLLIN)
		queue_work(system_dfl_wq, &h->watch_work);
	return 0;
}

/* Reports what is at the provider; what comes to the stream head is reported there. */
static void watch_report(struct work_struct *work)
{
	struct strsock_tcp_head *h = container_of(work, struct strsock_tcp_head, watch_work);

	if (strsock_tcp_head_can_take(h))
		str_notify_read(&h->sd, EPOLLIN | EPOLLRDNORM);
}

void strsock_tcp_head_watch_init(struct strsock_tcp_head *h)
{
	init_waitqueue_func_entry(&h->watch, watch_wake);
	INIT_WORK(&h->watch_work, watch_report);
}

/* Reports what arrives, once the stream head has a program to report it to. */
void strsock_tcp_head_watch(struct strsock_tcp_head *h)
{
	if (READ_ONCE(h->sd.sd_rwatch) && !test_and_set_bit(0, &h->watched))
		add_wait_queue(sk_sleep(strsock_tcp_head_sk(h)), &h->watch);
}

/* Context: process, sleeps; the socket has no users. */
void strsock_tcp_head_unwatch(struct strsock_tcp_head *h)
{
	if (h->watched)
		remove_wait_queue(sk_sleep(strsock_tcp_head_sk(h)), &h->watch);
	cancel_work_sync(&h->watch_work);
}

/* Returns whether a message is of a connection that is over. */
static bool is_of_connection(const mblk_t *mp)
{
	return is_data(mp) || is_end(mp);
}

/**
 * strsock_tcp_head_lock_readers() - have no task read, or take what has arrived
 * @h: the stream
 *
 * Readers may sleep on memory of their program: a signal that kills ends the wait.
 * Context: process, sleeps. Return: 0, or -EINTR.
 */
int strsock_tcp_head_lock_readers(struct strsock_tcp_head *h)
{
	if (mutex_lock_killable(&h->sd.sd_read_mutex))
		return -EINTR;
	if (!mutex_lock_killable(&h->take_mutex))
		return 0;
	mutex_unlock(&h->sd.sd_read_mutex);
	return -EINTR;
}

void strsock_tcp_head_unlock_readers(struct strsock_tcp_head *h)
{
	strsock_tcp_head_take_unlock(h);
	mutex_unlock(&h->sd.sd_read_mutex);
}

/**
 * strsock_tcp_head_forget() - forget the connection that the socket had
 * @h: the stream of a socket that is about to be connected, or was disconnected
 *
 * Context: process, with the readers locked.
 */
void strsock_tcp_head_forget(struct strsock_tcp_head *h)
{
	mblk_t *mp;

	lockdep_assert_held(&h->sd.sd_read_mutex);
	lockdep_assert_held(&h->take_mutex);
	while ((mp = str_take(&h->sd, is_of_connection)))
		freemsg(mp);
	WRITE_ONCE(h->end_sent, false);
	WRITE_ONCE(h->ended, false);
	WRITE_ONCE(h->released, false);
}

/* Modules have room again: tasks that sleep take what has arrived. */
int strsock_tcp_head_rsrv(queue_t *q)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of_queue(q);

	/* Pushing enables the queue too: epoll is not to report an edge for that. */
	if (xchg(&h->crowded, false))
		strsock_tcp_head_wake(h);
	return 0;
}

/* The stream head's put procedure: see str_rput(). */
static int tcp_head_rput(queue_t *q, mblk_t *mp)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of_queue(q);
	struct sock *sk = strsock_tcp_head_sk(h);
	unsigned char type = DB_TYPE(mp);
	bool data = is_data(mp), end = is_end(mp);

	/* tirdwr, for one, makes an empty message of the end. */
	if (type == M_DATA && READ_ONCE(h->end_sent) && !msgdsize(mp))
		end = true;
	if ((type == M_PROTO && !data && !end) || type == M_SIG)
		mp = strsock_head_limited(q, mp);
	else if (type == M_SETOPTS)
		mp = strsock_head_options(mp);
	if (!mp)
		return 0;
	str_rput(q, mp);
	if (end) {
		/* Release: a reader that sees it sees the bytes before it. */
		smp_store_release(&h->ended, true);
	}
	/* The tasks that wait were woken when the bytes arrived that are sent up now. */
	if (READ_ONCE(h->taker) == current && in_task() && type != M_ERROR && type != M_HANGUP)
		return 0;
	if (end || type == M_ERROR || type == M_HANGUP)
		strsock_tcp_head_wake(h);
	else if (data || type == M_PROTO || type == M_PCPROTO)
		sk->sk_data_ready(sk);
	return 0;
}

static struct module_info head_info = {
	.mi_idname = "strhead",
	.mi_minpsz = 0,
	.mi_maxpsz = STRMSGSZ,
};

struct qinit strsock_tcp_head_rinit = {
	.qi_putp = tcp_head_rput,
	.qi_minfo = &head_info,
};
