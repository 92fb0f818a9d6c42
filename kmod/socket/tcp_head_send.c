// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending on a TCP socket that has a stream
 *
 * send(2) sends data down as M_DATA, urgent data with a T_EXDATA_REQ. Messages that come
 * out at the provider wait on its queue, and the calling task gives them to the socket's
 * own calls when putnext() returns. A call that may wait returns when these have taken
 * all; a call that may not sends no more down than they have room for.
 *
 * Only system calls on the socket send, as on a datagram socket: see head_send.c. A
 * message that a module held back is sent by the next call, and by tasks that sleep in a
 * receive call, a send call or poll(), which are woken for it.
 */
#include <linux/sched/signal.h>
#include <linux/socket.h>
#include <net/tcp.h>

#include "streams/message/copy.h"
#include "streams/trace.h"
#include "tpi/tpi.h"
#include "head_send.h"
#include "tcp_head_send.h"

/* Blocks whose bytes are sent by one call. */
#define SEND_BLOCKS	8
/* Messages of others that a call sends. */
#define SEND_BATCH	1024
/* The most bytes of one message that send(2) makes. */
#define SEND_MOST	STRMSGSZ

/* A socket in TCP_SYN_RECV was accepted with its first bytes. */
#define STATES_TO_SEND	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | TCPF_SYN_RECV)
#define STATES_TO_RESET	(STATES_TO_SEND | TCPF_SYN_SENT | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2)

static queue_t *provider_wq(const struct strsock_tcp_head *h)
{
	return WR(h->rq);
}

/* Returns whether messages wait at the provider. */
bool strsock_tcp_head_waits(const struct strsock_tcp_head *h)
{
	return READ_ONCE(provider_wq(h)->q_first);
}

/* Returns whether modules have room; if not, tasks that wait for the socket are woken later. */
bool strsock_tcp_head_writable(struct strsock_tcp_head *h)
{
	if (likely(str_writable(&h->sd, 0)))
		return true;
	WRITE_ONCE(h->full, true);
	smp_mb(); /* the flag before the last look; pairs with tcp_head_room() */
	return str_writable(&h->sd, 0);
}

/* Returns whether the socket's calls would send at once, or report why they do not. */
static bool sock_sends(const struct sock *sk)
{
	return !READ_ONCE(sk->sk_err) && !(READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN) &&
	       (1 << READ_ONCE(sk->sk_state)) & STATES_TO_SEND;
}

/* Sends bytes, at once; returns how many, or an error, which stays for the next call. */
static int give_bytes(struct strsock_tcp_head *h, struct kvec *vec, unsigned int n, size_t len,
		      int flags)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL | flags };
	struct sock *sk = strsock_tcp_head_sk(h);
	int ret;

	iov_iter_kvec(&msg.msg_iter, ITER_SOURCE, vec, n, len);
	ret = strsock_tcp_below(h->sock)->sendmsg(h->sock, &msg, len);
	if (ret < 0 && ret != -EAGAIN && ret != -EPIPE && !READ_ONCE(sk->sk_err))
		WRITE_ONCE(sk->sk_err, -ret);
	return ret;
}

/* Describes the first bytes of data blocks; returns how many vectors, and *len bytes. */
static unsigned int describe(const mblk_t *mp, struct kvec *vec, size_t *len)
{
	unsigned int n = 0;

	*len = 0;
	for (; mp && n < SEND_BLOCKS; mp = mp->b_cont) {
		if (DB_TYPE(mp) != M_DATA || MBLKL(mp) <= 0)
			continue;
		vec[n].iov_base = mp->b_rptr;
		vec[n].iov_len = MBLKL(mp);
		*len += vec[n++].iov_len;
	}
	return n;
}

/* Removes bytes that were sent from their blocks. */
static void consume(mblk_t *mp, size_t n)
{
	for (; mp && n; mp = mp->b_cont) {
		size_t part;

		if (DB_TYPE(mp) != M_DATA || MBLKL(mp) <= 0)
			continue;
		part = min_t(size_t, n, MBLKL(mp));
		mp->b_rptr += part;
		n -= part;
	}
}

/*
 * Gives the socket the data of a message. The last byte of urgent data is sent by itself:
 * it is the urgent one. Returns 0, or -EAGAIN: there is no room for the rest; or an error.
 */
static int give_data(struct strsock_tcp_head *h, mblk_t *mp, bool urgent)
{
	struct kvec vec[SEND_BLOCKS];
	size_t total = msgdsize(mp);

	while (total) {
		size_t len;
		unsigned int n = describe(mp, vec, &len);
		int flags = 0, ret;

		if (!n)
			break;
		if (urgent && len == total && len > 1) {
			vec[n - 1].iov_len--;
			len--;
		} else if (urgent && total == 1) {
			flags = MSG_OOB;
		}
		ret = give_bytes(h, vec, n, len, flags);
		if (ret < 0)
			return ret;
		consume(mp, ret);
		total -= ret;
	}
	return 0;
}

/* Answers T_INFO_REQ: TPI version 2, T_INFO_ACK. */
static mblk_t *info_ack(struct strsock_tcp_head *h, mblk_t *mp)
{
	const struct sock *sk = strsock_tcp_head_sk(h);
	struct T_info_ack info = {
		.PRIM_type = T_INFO_ACK,
		.ETSDU_size = -1,
		.CDATA_size = -2,
		.DDATA_size = -2,
		.ADDR_size = sk->sk_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
							 sizeof(struct sockaddr_in),
		.OPT_size = -1,
		.TIDU_size = STRMSGSZ,
		.SERV_type = T_COTS_ORD,
		.PROVIDER_flag = XPG4_1,
	};

	switch (READ_ONCE(sk->sk_state)) {
	case TCP_ESTABLISHED:
		info.CURRENT_state = READ_ONCE(h->released) ? TS_WIND_ORDREL : TS_DATA_XFER;
		break;
	case TCP_CLOSE_WAIT:
		info.CURRENT_state = TS_WREQ_ORDREL;
		break;
	case TCP_FIN_WAIT1:
	case TCP_FIN_WAIT2:
		info.CURRENT_state = TS_WIND_ORDREL;
		break;
	case TCP_SYN_SENT:
		info.CURRENT_state = TS_WCON_CREQ;
		break;
	default:
		info.CURRENT_state = inet_sk(sk)->inet_num ? TS_IDLE : TS_UNBND;
	}
	return strtpi_info_req(mp, &info, 0);
}

/* The names of both ends: TPI version 2, T_ADDR_ACK. */
static mblk_t *addr_ack(struct strsock_tcp_head *h, mblk_t *mp)
{
	struct sockaddr_storage local, remote;
	int n = kernel_getsockname(h->sock, (struct sockaddr *)&local);
	int m = kernel_getpeername(h->sock, (struct sockaddr *)&remote);

	if (!inet_sk(strsock_tcp_head_sk(h))->inet_num)
		n = 0;
	return strtpi_addr_ack(mp, &local, max(n, 0), &remote, max(m, 0));
}

/* Resets the connection; the socket may be connected anew. */
static mblk_t *disconnect(struct strsock_tcp_head *h, mblk_t *mp)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	struct sock *sk = strsock_tcp_head_sk(h);
	int err;

	if (!((1 << READ_ONCE(sk->sk_state)) & STATES_TO_RESET))
		return strtpi_error_ack(mp, TOUTSTATE, 0);
	err = strsock_tcp_native(sk)->connect(h->sock, (struct sockaddr_unsized *)&none,
					      sizeof(none), 0);
	return err ? strtpi_error_ack(mp, TSYSERR, -err) : strtpi_ok_ack(mp);
}

/* Acts on a message of the provider's queue. Returns -EAGAIN if it has to wait there. */
static int give_message(struct strsock_tcp_head *h, mblk_t *mp)
{
	t_scalar_t type = DB_TYPE(mp) == M_DATA ? T_DATA_REQ : tpi_type(mp);
	queue_t *q = provider_wq(h);
	int err;

	switch (type) {
	case T_DATA_REQ:
	case T_EXDATA_REQ:
		err = give_data(h, mp, type == T_EXDATA_REQ);
		if (err == -EAGAIN)
			return err;
		break;
	case T_ORDREL_REQ:
		strsock_tcp_below(h->sock)->shutdown(h->sock, SHUT_WR);
		break;
	case T_DISCON_REQ:
		strtpi_reply(q, disconnect(h, mp));
		return 0;
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		strtpi_reply(q, info_ack(h, mp));
		return 0;
	case T_ADDR_REQ:
		strtpi_reply(q, addr_ack(h, mp));
		return 0;
	/* System calls do this with a socket. */
	case T_BIND_REQ:
	case T_UNBIND_REQ:
	case T_OPTMGMT_REQ:
		strtpi_reply(q, strtpi_error_ack(mp, TNOTSUPPORT, 0));
		return 0;
	default:
		strtpi_reply(q, strtpi_unsupported(mp));
		return 0;
	}
	freemsg(mp);
	return 0;
}

/* Gives the socket what is queued; called under send_mutex. */
static void give_queue(struct strsock_tcp_head *h)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	queue_t *q = provider_wq(h);
	int left = SEND_BATCH;
	mblk_t *mp;

	lockdep_assert_held(&h->send_mutex);
	while (left-- > 0 && (mp = getq(q))) {
		if (give_message(h, mp) == -EAGAIN) {
			h->stuck = true;
			if (!putbq(q, mp))
				freemsg(mp);
			return;
		}
		cond_resched();
	}
	if (unlikely(h->stuck) && !strsock_tcp_head_waits(h)) {
		h->stuck = false;
		/* Pollers wait for this too: see tcp_head_ops.c. */
		sk->sk_write_space(sk);
	}
}

/**
 * strsock_tcp_head_drain() - give the socket what is at the provider, as far as it has room
 * @h: the stream
 *
 * Context: process, sleeps.
 */
void strsock_tcp_head_drain(struct strsock_tcp_head *h)
{
	perim_settle(&h->perim);
	mutex_lock(&h->send_mutex);
	give_queue(h);
	mutex_unlock(&h->send_mutex);
}

/**
 * strsock_tcp_head_sendable() - whether a task that sleeps should wake up to send
 * @h: the stream
 *
 * Return: whether messages wait at the provider, with room for them and no task sending.
 */
bool strsock_tcp_head_sendable(struct strsock_tcp_head *h)
{
	const struct sock *sk = strsock_tcp_head_sk(h);

	return strsock_tcp_head_waits(h) && READ_ONCE(sk->sk_state) != TCP_SYN_SENT &&
	       (sk_stream_is_writeable(sk) || !sock_sends(sk)) &&
	       !mutex_is_locked(&h->send_mutex);
}

/**
 * strsock_tcp_head_send_held() - send what a module held back
 * @h: the stream
 *
 * Another task that holds send_mutex looks at the queue once more after it has unlocked it.
 * Context: process, sleeps; the caller holds no lock of the socket.
 */
void strsock_tcp_head_send_held(struct strsock_tcp_head *h)
{
	smp_mb(); /* the look comes after unlocking; pairs with strsock_tcp_head_wsrv() */
	while (unlikely(strsock_tcp_head_sendable(h)) && mutex_trylock(&h->send_mutex)) {
		give_queue(h);
		mutex_unlock(&h->send_mutex);
		if (signal_pending(current))
			break;
		smp_mb(); /* the next look comes after unlocking, too */
	}
}

/* Something waits at the provider: a call that sleeps is to send it. */
int strsock_tcp_head_wsrv(queue_t *q)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of_queue(q);

	smp_mb(); /* the look comes after the message was queued; see send_held() */
	if (strsock_tcp_head_sendable(h))
		strsock_tcp_head_wake(h);
	return 0;
}

int strsock_tcp_head_wput(queue_t *q, mblk_t *mp)
{
	/* The sockets of datagrams have no data without a control part. */
	if (DB_TYPE(mp) != M_DATA)
		return strsock_head_wput(q, mp);
	if (!putq(q, mp))
		freemsg(mp);
	return 0;
}

/* The stream head's write side: there is room below again. */
static int tcp_head_room(queue_t *q)
{
	struct strsock_tcp_head *h = strsock_tcp_head_of_queue(q);

	str_wsrv(q);
	/* Pushing enables the queue too: epoll is not to report an edge for that. */
	if (xchg(&h->full, false))
		strsock_tcp_head_wake(h);
	return 0;
}

static struct module_info send_info = {
	.mi_idname = "strhead",
	.mi_minpsz = 0,
	.mi_maxpsz = STRMSGSZ,
};

struct qinit strsock_tcp_head_winit = {
	.qi_srvp = tcp_head_room,
	.qi_minfo = &send_info,
};

/*
 * Has the socket's own call report why nothing can be sent, or wait until the connection
 * is made. Returns 0 when something can.
 */
static int send_gate(struct strsock_tcp_head *h, int flags)
{
	struct msghdr none = {
		.msg_flags = flags & (MSG_DONTWAIT | MSG_NOSIGNAL),
	};
	struct sock *sk = strsock_tcp_head_sk(h);
	int err;

	err = str_take_error(&h->sd, true);
	if (err)
		return err;
	if (READ_ONCE(h->released) || READ_ONCE(h->sd.sd_flag) & STR_HUP)
		return sk_stream_error(sk, flags, -EPIPE);
	return likely(sock_sends(sk)) ? 0 :
	       strsock_tcp_below(h->sock)->sendmsg(h->sock, &none, 0);
}

/* Returns whether a wait for room is over: see room_wait(). */
static bool room_wait_is_over(struct strsock_tcp_head *h)
{
	return str_write_broken(&h->sd) || READ_ONCE(h->released) ||
	       !sock_sends(strsock_tcp_head_sk(h)) ||
	       strsock_tcp_head_sendable(h) ||
	       (!strsock_tcp_head_waits(h) && strsock_tcp_head_writable(h));
}

/* Sleeps until the provider has taken all, and modules have room. 0 or an error of send(2). */
static int room_wait(struct strsock_tcp_head *h, int flags, long *timeo)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	long left;
	int err;

	for (;;) {
		strsock_tcp_head_send_held(h);
		err = send_gate(h, flags);
		if (err)
			return err;
		if (!strsock_tcp_head_waits(h) && strsock_tcp_head_writable(h))
			return 0;
		if (!*timeo)
			return -EAGAIN;
		if (signal_pending(current))
			return sock_intr_errno(*timeo);
		trace_streams_wait(str_wq(&h->sd), NULL);
		left = wait_event_interruptible_timeout(*sk_sleep(sk), room_wait_is_over(h),
							*timeo);
		trace_streams_wake(str_wq(&h->sd), NULL);
		if (left < 0)
			return sock_intr_errno(*timeo);
		*timeo = left;
	}
}

/*
 * Returns how many bytes TCP takes at once. More than a segment may be in several buffers,
 * which count with their headers: the bytes and these are less than twice the bytes.
 */
static size_t tcp_room(const struct sock *sk)
{
	int room = sk_stream_wspace(sk);

	if (room <= 0 || !sk_stream_memory_free(sk))
		return 0;
	return max(room / 2, min_t(int, room, READ_ONCE(tcp_sk(sk)->mss_cache)));
}

/* Returns how many bytes a call that may not wait can send; 0: none, and it is woken later. */
static size_t room_now(struct strsock_tcp_head *h)
{
	struct sock *sk = strsock_tcp_head_sk(h);

	if (strsock_tcp_head_waits(h))
		return 0;
	if (!strsock_tcp_head_writable(h))
		return 0;
	if (str_perim_full(str_wq(&h->sd))) {
		/* No event follows when the perimeter has room: poll anew. */
		WRITE_ONCE(h->full, true);
		qenable(str_wq(&h->sd));
		return 0;
	}
	if (likely(tcp_room(sk)))
		return tcp_room(sk);
	set_bit(SOCK_NOSPACE, &h->sock->flags);
	smp_mb(); /* the flag before the look; pairs with the kernel's sk_stream_write_space() */
	return tcp_room(sk);
}

/* Returns bytes that may be sent down now, up to len, or an error. */
static ssize_t send_room_for(struct strsock_tcp_head *h, size_t len, int flags, long *timeo)
{
	size_t room;
	int err;

	if (*timeo) {
		err = room_wait(h, flags, timeo);
		if (err)
			return err;
		perim_throttle(str_wq(&h->sd));
		return min_t(size_t, len, SEND_MOST);
	}
	strsock_tcp_head_send_held(h);
	err = send_gate(h, flags);
	if (err)
		return err;
	room = room_now(h);
	return room ? min3(len, room, (size_t)SEND_MOST) : -EAGAIN;
}

/* Makes a message of a caller's bytes. */
static mblk_t *send_message(struct msghdr *msg, size_t len, bool urgent)
{
	mblk_t *mp = strsock_head_blocks(len), *bp, *ctl;

	if (!mp)
		return ERR_PTR(-ENOBUFS);
	for (bp = mp; bp; bp = bp->b_cont) {
		if (!str_copy_from_iter(bp->b_rptr, str_block_room(bp), MBLKL(bp),
					&msg->msg_iter)) {
			freemsg(mp);
			return ERR_PTR(-EFAULT);
		}
	}
	if (urgent) {
		struct T_exdata_req req = { .PRIM_type = T_EXDATA_REQ };

		ctl = allocb_gfp(sizeof(req), GFP_KERNEL_ACCOUNT);
		if (!ctl) {
			freemsg(mp);
			return ERR_PTR(-ENOBUFS);
		}
		tpi_put(ctl, &req, sizeof(req), NULL, 0);
		linkb(ctl, mp);
		mp = ctl;
	}
	return mp;
}

/* Sends a message down, and what comes out below. */
static void tcp_head_through(struct strsock_tcp_head *h, mblk_t *mp)
{
	mutex_lock(&h->send_mutex);
	putnext(str_wq(&h->sd), mp);
	/* The message is at the provider now, if another task had the perimeter. */
	perim_settle(&h->perim);
	give_queue(h);
	mutex_unlock(&h->send_mutex);
}

/**
 * strsock_tcp_head_send_rest() - give the socket what is at the provider, and wait for room
 * @h: the stream
 * @timeo: jiffies to wait at most
 *
 * Messages for which there is no room after that time, or when interrupted, are left to
 * the next call.
 */
void strsock_tcp_head_send_rest(struct strsock_tcp_head *h, long timeo)
{
	struct sock *sk = strsock_tcp_head_sk(h);

	for (;;) {
		strsock_tcp_head_send_held(h);
		if (likely(!strsock_tcp_head_waits(h)) || !timeo || !sock_sends(sk) ||
		    signal_pending(current))
			return;
		timeo = wait_event_interruptible_timeout(*sk_sleep(sk),
							 !strsock_tcp_head_waits(h) ||
							 strsock_tcp_head_sendable(h) ||
							 !sock_sends(sk), timeo);
		if (timeo < 0)
			return;
	}
}

/**
 * strsock_tcp_head_sendmsg() - send on a TCP socket that has a stream
 * @h: the stream
 * @msg: as for sendmsg(2)
 * @len: bytes of data
 *
 * Return: bytes or a negative error, as sendmsg(2).
 */
int strsock_tcp_head_sendmsg(struct strsock_tcp_head *h, struct msghdr *msg, size_t len)
{
	struct sock *sk = strsock_tcp_head_sk(h);
	long timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	bool urgent = msg->msg_flags & MSG_OOB;
	size_t done = 0;
	ssize_t n;

	if (strsock_tcp_head_passes(h) && !strsock_tcp_head_waits(h) && !READ_ONCE(h->released))
		return strsock_tcp_below(h->sock)->sendmsg(h->sock, msg, len);
	/* Modules are given a copy, and data without a control part. */
	if (msg->msg_controllen ||
	    (msg->msg_flags & MSG_ZEROCOPY && sock_flag(sk, SOCK_ZEROCOPY)))
		return -EOPNOTSUPP;
	if (!len)
		return send_gate(h, msg->msg_flags);
	while (done < len) {
		struct iov_iter at = msg->msg_iter;
		mblk_t *mp;

		n = send_room_for(h, len - done, msg->msg_flags |
				  (done ? MSG_NOSIGNAL : 0), &timeo);
		if (n < 0)
			break;
		/* All but the last message are ordinary data: the last byte is the urgent one. */
		mp = send_message(msg, n, urgent && done + n == len);
		if (IS_ERR(mp)) {
			msg->msg_iter = at;
			n = PTR_ERR(mp);
			break;
		}
		tcp_head_through(h, mp);
		done += n;
	}
	if (done)
		strsock_tcp_head_send_rest(h, timeo);
	return done ?: n;
}

/**
 * strsock_tcp_head_release() - end what is sent, behind all that modules still hold
 * @h: the stream of a socket that is connected
 *
 * Return: 0 or an error.
 */
int strsock_tcp_head_release(struct strsock_tcp_head *h)
{
	struct T_ordrel_req req = { .PRIM_type = T_ORDREL_REQ };
	mblk_t *mp = allocb_gfp(sizeof(req), GFP_KERNEL_ACCOUNT);

	if (!mp)
		return -ENOBUFS;
	tpi_put(mp, &req, sizeof(req), NULL, 0);
	WRITE_ONCE(h->released, true);
	tcp_head_through(h, mp);
	strsock_tcp_head_wake(h);
	return 0;
}
