// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving what came the short way, and what TCP brought, in the order it was sent
 *
 * Bytes that TCP brings are read by the kernel's own calls, without waiting, and not beyond the
 * place where bytes of the ring are due: see tcp_send.c. A reader waits here, for either.
 */
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/splice.h>
#include <linux/tcp.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "streams/head/ringcopy.h"
#include "tcp_native.h"
#include "tcp_rcv.h"
#include "tcp_sock.h"

/* A reader that found nothing more waits until one of these changes. */
struct seen {
	u32 tcp;		/* the next sequence number that TCP expects */
	unsigned int ring;	/* the ring's head */
};

static struct seen seen_now(const struct strsock_tcp *s)
{
	return (struct seen){
		.tcp = READ_ONCE(tcp_sk(s->sk)->rcv_nxt),
		.ring = READ_ONCE(s->ring.head),
	};
}

/* Returns whether no more bytes will come, or an error is to be reported. */
static bool sock_has_ended(const struct sock *sk)
{
	bool ended = READ_ONCE(sk->sk_err) || READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN ||
		     READ_ONCE(sk->sk_state) == TCP_CLOSE || sock_flag(sk, SOCK_DONE);

	smp_rmb(); /* before the caller looks for the bytes that came before the end */
	return ended;
}

/*
 * Returns what recv(2) returns without bytes: 0 at the end, or an error. The caller has
 * looked for bytes after it found that the socket has ended, or has not.
 */
int strsock_tcp_has_nothing(struct sock *sk, bool ended)
{
	if (likely(!ended))
		return -EAGAIN;
	if (sock_flag(sk, SOCK_DONE))
		return 0;
	if (unlikely(READ_ONCE(sk->sk_err)))
		return sock_error(sk);
	if (READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN)
		return 0;
	return READ_ONCE(sk->sk_state) == TCP_CLOSE ? -ENOTCONN : -EAGAIN;
}

/* Returns whether the peer puts nothing more into the ring. */
static bool peer_is_done(const struct strsock_tcp *peer)
{
	return strsock_tcp_is_gone(peer) || READ_ONCE(peer->sk->sk_shutdown) & SEND_SHUTDOWN;
}

/* The next bytes: as many as may be read of TCP, then those of the ring, then of TCP. */
struct next {
	size_t before;
	size_t ring;
	size_t behind;
};

/*
 * Looks for up to len bytes, under read_mutex. The number of bytes that the peer has sent by TCP
 * is read before the look into the ring: bytes that it puts there later come after those.
 */
static struct next find_next(struct strsock_tcp *s, size_t len)
{
	const struct strsock_tcp *peer = strsock_tcp_peer(s);
	u32 sent, start, copied = READ_ONCE(tcp_sk(s->sk)->copied_seq);
	struct next next = { .before = len };
	bool done;

	if (!peer || unlikely(strsock_tcp_is_gone(s)))
		return next;
	done = peer_is_done(peer);
	sent = READ_ONCE(tcp_sk(peer->sk)->write_seq);
	smp_rmb(); /* see above */
	next.ring = ring_unread(&s->ring, len);
	if (next.ring) {
		start = READ_ONCE(s->start);
		next.before = strsock_tcp_before_ring(s);
		next.behind = after(sent, start) ? sent - start : 0;
	} else if (!done) {
		next.before = sent - copied;
	}
	return next;
}

/* Moves the tail over n bytes that were read. */
static void ring_forget(struct strring *ring, size_t n)
{
	/* Release: the copy, before the peer may overwrite the bytes. */
	smp_store_release(&ring->tail, ring->tail + n);
}

/* Copies n unread bytes, page by page, and takes them off the ring; bytes, or -EFAULT. */
static int ring_take_pages(struct strring *ring, struct msghdr *msg, size_t n)
{
	size_t done = 0, len;

	do {
		len = ring_copy_page(ring, &msg->msg_iter, n - done);
		if (unlikely(!len))
			return done ?: -EFAULT;
		ring_forget(ring, len);
		done += len;
	} while (done < n);
	return done;
}

/* Reads n unread bytes of the ring as recv(2) does with these flags; bytes, or -EFAULT. */
static int ring_take(struct strring *ring, struct msghdr *msg, size_t n, int flags)
{
	if (likely(!(flags & (MSG_PEEK | MSG_TRUNC))))
		return ring_take_pages(ring, msg, n);
	if (!(flags & MSG_TRUNC))
		return ring_copy_out(ring, ring->tail, n, &msg->msg_iter) ?: -EFAULT;
	if (!(flags & MSG_PEEK))
		ring_forget(ring, n);
	return n;
}

/*
 * Does not wait for bytes, but reads what TCP brought, n bytes at most. The kernel's call also
 * reports the end, as it may have control messages for it.
 */
static int tcp_take(struct socket *sock, struct msghdr *msg, size_t n, int flags, bool ended)
{
	struct sock *sk = sock->sk;

	if (!n || (!ended && skb_queue_empty_lockless(&sk->sk_receive_queue)))
		return strsock_tcp_has_nothing(sk, ended);
	return strsock_tcp_native(sk)->recvmsg(sock, msg, n, flags | MSG_DONTWAIT);
}

/* Returns whether the next byte that TCP brought is behind the mark of urgent data. */
bool strsock_tcp_is_at_mark(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return unlikely(READ_ONCE(tp->urg_data)) &&
	       READ_ONCE(tp->urg_seq) == READ_ONCE(tp->copied_seq);
}

/*
 * Returns how many of len bytes were peeked at or, without any, what recv(2) returns. The kernel
 * peeks at the first bytes that TCP brought: those behind the ring are seen if none are
 * before it.
 */
static int peek_some(struct strsock_tcp *s, struct socket *sock, struct msghdr *msg, size_t len,
		     int flags)
{
	bool ended = sock_has_ended(s->sk);
	struct next next = find_next(s, len);
	size_t done = 0;
	int n;

	if (next.before || !next.ring) {
		n = tcp_take(sock, msg, min(next.before, len), flags, ended);
		if (n < (int)min(next.before, len) || !next.ring)
			return n;
		done = n;
	}
	n = min(next.ring, len - done);
	if (n)
		n = ring_take(&s->ring, msg, n, flags);
	if (n < 0)
		return done ?: n;
	done += n;
	if (!next.before && !strsock_tcp_is_at_mark(s->sk)) {
		n = tcp_take(sock, msg, min(next.behind, len - done), flags, false);
		done += max(n, 0);
	}
	return done;
}

/*
 * Reads up to len bytes that are there. Returns their number, or without any what recv(2)
 * returns: 0 at the end, -EAGAIN when there may be some later, or another error. A call
 * that has read some before leaves an end, an error and the mark to the next call.
 */
static int recv_some(struct strsock_tcp *s, struct socket *sock, struct msghdr *msg, size_t len,
		     int flags, bool some)
{
	int done = 0, n;

	do {
		bool first = !done && !some, ended = sock_has_ended(s->sk);
		struct next next = find_next(s, len - done);

		if (next.ring && !next.before) {
			n = ring_take(&s->ring, msg, min(next.ring, len - done), flags);
		} else {
			if (!first && strsock_tcp_is_at_mark(s->sk))
				return done ?: -EAGAIN;
			n = tcp_take(sock, msg, min(next.before, len - done), flags,
				     first && ended);
		}
		if (n <= 0)
			return done ?: n;
		done += n;
	} while (done < len);
	return done;
}

/* Sleeps until something comes that was not seen, or the end does. Returns the time left. */
static long wait_for_news(struct strsock_tcp *s, const struct seen *seen, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	struct sock *sk = s->sk;
	struct seen now;

	add_wait_queue(sk_sleep(sk), &wait);
	sk_set_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	now = seen_now(s);
	if (now.tcp == seen->tcp && now.ring == seen->ring && !sock_has_ended(sk))
		timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, timeo);
	sk_clear_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	remove_wait_queue(sk_sleep(sk), &wait);
	return timeo;
}

/* Tells a caller in the kernel how much is left, as tcp_recvmsg() does. */
static void tell_unread(struct strsock_tcp *s, struct msghdr *msg)
{
	msg->msg_inq = min_t(size_t, strsock_tcp_unread(s) + max(tcp_inq(s->sk), 0), INT_MAX);
}

/* Receives under read_mutex, which is released while it waits. */
static int recv_locked(struct strsock_tcp *s, struct socket *sock, struct msghdr *msg,
		       size_t len, int flags)
{
	struct sock *sk = s->sk;
	int target = sock_rcvlowat(sk, flags & MSG_WAITALL, len);
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	int plain = flags & ~MSG_WAITALL;
	int done = 0, n;

	/* The peer's next bytes may be too few to wake a reader with SO_RCVLOWAT. */
	if (!(flags & MSG_WAITALL) && ring_bytes(&s->ring))
		target = 1;
	for (;;) {
		struct seen seen = seen_now(s);
		/* The bytes before an end are there when it is. */
		bool ended = sock_has_ended(sk);

		n = flags & MSG_PEEK ? peek_some(s, sock, msg, len, plain) :
				       recv_some(s, sock, msg, len - done, plain, done);
		if (n > 0)
			done += n;
		if (done >= target || (n <= 0 && n != -EAGAIN) || !timeo || (done && ended))
			break;
		if (signal_pending(current)) {
			n = sock_intr_errno(timeo);
			break;
		}
		if (flags & MSG_PEEK) {
			if (!(flags & MSG_TRUNC))
				iov_iter_revert(&msg->msg_iter, done);
			done = 0;
		}
		mutex_unlock(&s->read_mutex);
		timeo = wait_for_news(s, &seen, timeo);
		if (mutex_lock_killable(&s->read_mutex))
			return done ?: -EINTR;
	}
	if (unlikely(msg->msg_get_inq) && (done || !n))
		tell_unread(s, msg);
	mutex_unlock(&s->read_mutex);
	return done ?: n;
}

/**
 * strsock_tcp_recvmsg() - receive as recvmsg(2) does on a socket whose peer is on this host
 * @s: the socket's end
 * @sock: the socket
 * @msg: where the bytes go
 * @len: bytes
 * @flags: of recvmsg(2)
 *
 * An endpoint's reader, of which there is one at a time, does not wait. Context: may sleep.
 * Return: bytes, 0 at the end, or an error of recv(2).
 */
int strsock_tcp_recvmsg(struct strsock_tcp *s, struct socket *sock, struct msghdr *msg,
			size_t len, int flags)
{
	/* Neither urgent data nor errors come the short way. */
	if (unlikely(flags & (MSG_OOB | MSG_ERRQUEUE) || (!len && !ring_bytes(&s->ring))))
		return strsock_tcp_native(s->sk)->recvmsg(sock, msg, len, flags);
	msg->msg_namelen = 0;
	if (unlikely(!len && strsock_tcp_unread(s)))
		return 0;
	if (s->listed) {
		if (unlikely(mutex_lock_killable(&s->read_mutex)))
			return -EINTR;
	} else if (unlikely(!mutex_trylock(&s->read_mutex))) {
		/* An endpoint's work item does not wait for a peer that makes the ring larger. */
		return -EAGAIN;
	}
	return recv_locked(s, sock, msg, len, flags);
}

size_t strsock_tcp_unread(const struct strsock_tcp *s)
{
	size_t unread = ring_bytes(&s->ring);

	if (!unread || strsock_tcp_is_gone(s) ||
	    before(READ_ONCE(tcp_sk(s->sk)->rcv_nxt), READ_ONCE(s->start)))
		return 0;
	return unread;
}

size_t strsock_tcp_before_ring(const struct strsock_tcp *s)
{
	u32 start = READ_ONCE(s->start), copied = READ_ONCE(tcp_sk(s->sk)->copied_seq);

	/* TCP may have read the end with the last byte before it, and counted it. */
	return after(start, copied) ? start - copied : 0;
}

size_t strsock_tcp_coming(const struct strsock_tcp *s, bool *ring)
{
	size_t inq = max(tcp_inq(s->sk), 0), unread, before;

	*ring = false;
	smp_rmb(); /* bytes that the ring gets after the look into it come behind */
	unread = strsock_tcp_unread(s);
	if (!unread)
		return inq;
	before = strsock_tcp_before_ring(s);
	if (before)
		return min(inq, before);
	*ring = true;
	return unread;
}

/*
 * Splices what is there; *tried is set to whether there was something. The kernel's call
 * does not wait then. The bytes of a ring are copied: their pages stay in it.
 */
static ssize_t splice_some(struct strsock_tcp *s, struct socket *sock, loff_t *pos,
			   struct pipe_inode_info *pipe, size_t len, unsigned int flags,
			   bool *tried)
{
	struct next next;
	bool ended;
	ssize_t n;

	if (mutex_lock_killable(&s->read_mutex))
		return -EINTR;
	ended = sock_has_ended(s->sk);
	next = find_next(s, len);
	if (next.before || !next.ring) {
		len = min(len, next.before);
		*tried = len && !skb_queue_empty_lockless(&s->sk->sk_receive_queue);
		n = *tried ?
		    strsock_tcp_native(s->sk)->splice_read(sock, pos, pipe, len, flags) :
		    strsock_tcp_has_nothing(s->sk, ended);
		if (n > 0)
			str_count_rcvd(STR_KIND_TCP, n);
	}
	mutex_unlock(&s->read_mutex);
	/*
	 * The copy is received, and counted, by a call of its own, which finds bytes unless
	 * others took them.
	 */
	return next.ring && !next.before ?
	       splice_read_copied(sock->file, pos, pipe, len, flags) : n;
}

/*
 * Returns whether more bytes can be spliced by the same call. One of TCP at the mark would
 * take the error behind it, which is for the next; bytes of the ring come before the mark.
 */
static bool more_to_splice(const struct strsock_tcp *s)
{
	bool ring;

	return strsock_tcp_coming(s, &ring) && (ring || !strsock_tcp_is_at_mark(s->sk));
}

/**
 * strsock_tcp_splice() - splice as splice(2) does from a socket whose peer is on this host
 * @s: the socket's end
 * @sock: the socket
 * @pos: a position, which sockets do not have
 * @pipe: the pipe that receives the bytes
 * @len: bytes
 * @flags: of splice(2)
 *
 * Return: bytes, 0 at the end, or an error of splice(2).
 */
ssize_t strsock_tcp_splice(struct strsock_tcp *s, struct socket *sock, loff_t *pos,
			   struct pipe_inode_info *pipe, size_t len, unsigned int flags)
{
	long timeo = sock_rcvtimeo(s->sk, sock->file->f_flags & O_NONBLOCK);
	size_t done = 0;

	if (unlikely(*pos))
		return -ESPIPE;
	for (;;) {
		struct seen seen = seen_now(s);
		bool tried = true;
		ssize_t n = splice_some(s, sock, pos, pipe, len - done, flags, &tried);

		/* A copy may have fewer pages than there are bytes; an end is for the next call. */
		done += max_t(ssize_t, n, 0);
		if (n > 0 && done < len && more_to_splice(s))
			continue;
		if (done)
			return done;
		/* Bytes that were there and not spliced have no room in the pipe. */
		if (n != -EAGAIN || !timeo || tried)
			return n;
		if (signal_pending(current))
			return sock_intr_errno(timeo);
		timeo = wait_for_news(s, &seen, timeo);
	}
}
