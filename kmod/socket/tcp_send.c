// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending the short way from one TCP socket to another of this host
 *
 * A message is put into the receiver's ring whole, or TCP sends it: when there is an
 * obstacle (tcp_way.c), when the ring is full, when it is of no ordinary kind. So each
 * wait, each error and each limit is TCP's own.
 *
 * The order of ring and TCP is kept by sequence numbers. Bytes that are put into an empty
 * ring precede the next byte that TCP would send, whose number is kept as the ring's start.
 * Others follow them only while TCP has sent nothing since. A reader takes what TCP brought
 * up to that number, then the ring, then what TCP brings after it.
 */
#include <linux/socket.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "streams/head/ringcopy.h"
#include "streams/head/stat.h"
#include "streams/trace.h"
#include "tcp_native.h"
#include "tcp_send.h"
#include "tcp_sock.h"
#include "tcp_way.h"

/* Every so many messages that TCP sends, one looks whether it has to. */
#define RETRY_EVERY	16

/* Messages with other flags are sent by TCP. */
#define PLAIN_FLAGS	(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_CMSG_COMPAT)

/* The MORE_flag of an endpoint promises no delay, as MSG_MORE does. */
static bool message_is_plain(const struct strsock_tcp *s, const struct msghdr *msg, size_t len)
{
	int plain = s->listed ? PLAIN_FLAGS : PLAIN_FLAGS | MSG_MORE;

	return !(msg->msg_flags & ~plain) && !msg->msg_controllen && !msg->msg_ubuf &&
	       len && len <= STRSOCK_RING_MOST;
}

/*
 * A reader that came before it had a peer reads what TCP brings without regard to the
 * ring. Such a reader still holds read_mutex; later ones look for the peer under it.
 */
static bool readers_know(struct strsock_tcp *peer)
{
	if (likely(peer->readers_know))
		return true;
	if (!mutex_trylock(&peer->read_mutex))
		return false;
	mutex_unlock(&peer->read_mutex);
	peer->readers_know = true;
	return true;
}

/*
 * Returns whether the next bytes may be put into the ring. Bytes that TCP holds back, to
 * send them with later ones, would wait in vain: the later ones are sent by TCP as well.
 */
static bool ring_continues(struct strsock_tcp *peer, const struct tcp_sock *tp)
{
	u32 next = tp->write_seq;

	if (ring_bytes(&peer->ring))
		return peer->start == next;
	if (unlikely(tp->snd_nxt != next))
		return false;
	WRITE_ONCE(peer->start, next);
	return true;
}

/* Makes room for a message, once, under write_mutex, while no reader is active. */
static bool ring_grow(struct strsock_tcp *peer, size_t len)
{
	struct strring *ring = &peer->ring;
	int err;

	if (ring->size == STRSOCK_RING_MOST || !mutex_trylock(&peer->read_mutex))
		return false;
	err = ring_resize(ring, STRSOCK_RING_MOST);
	mutex_unlock(&peer->read_mutex);
	return !err && ring_room(ring, len) >= len;
}

static ssize_t fill_present(struct strring *ring, struct iov_iter *from, size_t len)
{
	ssize_t n;

	pagefault_disable();
	n = ring_fill(ring, from, len);
	pagefault_enable();
	return n;
}

/*
 * Fills the ring under the sender's lock; 0: TCP has to send. A message whose memory is not
 * present is sent by TCP: nothing is put into the ring long after the look for obstacles,
 * and no lock is held while a user lets a page fault wait.
 */
static ssize_t ring_put(struct strsock_tcp *s, struct strsock_tcp *peer, struct msghdr *msg,
			size_t len)
{
	struct strring *ring = &peer->ring;
	ssize_t n = 0;

	if (ring_bytes(ring) + len > strsock_tcp_limit(s->sk, peer->sk))
		return 0;
	mutex_lock(&ring->write_mutex);
	if (!READ_ONCE(peer->mapped) &&
	    (likely(ring_room(ring, len) >= len) || ring_grow(peer, len)))
		n = fill_present(ring, &msg->msg_iter, len);
	mutex_unlock(&ring->write_mutex);
	if (unlikely(n <= 0))
		return 0;
	smp_mb(); /* the bytes before the look whether the receiver is gone */
	if (unlikely(strsock_tcp_is_gone(peer))) {
		/* No task reads them any more, and TCP answers as to a closed socket. */
		iov_iter_revert(&msg->msg_iter, n);
		return 0;
	}
	return n;
}

/* Looks for obstacles, and remembers which there is. */
static bool way_is_obstructed(struct strsock_tcp *s, const struct strsock_tcp *peer)
{
	unsigned int found;

	rcu_read_lock();
	found = strsock_tcp_obstacle(s, peer);
	rcu_read_unlock();
	if (unlikely(found != s->obstacle))
		WRITE_ONCE(s->obstacle, found);
	if (unlikely(found && strsock_tcp_obstacle_passes(s, found))) {
		/* Rules see this message, and the next one looks again. */
		s->seen = tcp_jiffies32;
		s->skipped = RETRY_EVERY - 1;
	}
	return found;
}

/* Returns whether a message need not even look, as there was an obstacle just before. */
static bool way_was_obstructed(struct strsock_tcp *s)
{
	return READ_ONCE(s->obstacle) && ++s->skipped % RETRY_EVERY;
}

/* Traces which way a message is sent. Returns 0: TCP has to send it. */
static noinline ssize_t trace_way(const struct strsock_tcp *s, size_t len, const char *obstacle)
{
	trace_streams_way(STR_KIND_TCP, READ_ONCE(inet_sk(s->sk)->inet_num), len, obstacle);
	return 0;
}

static ssize_t put_locked(struct strsock_tcp *s, struct strsock_tcp *peer, struct msghdr *msg,
			  size_t len)
{
	struct tcp_sock *tp = tcp_sk(s->sk);
	ssize_t n;

	if (way_is_obstructed(s, peer))
		return trace_way(s, len, strsock_tcp_obstacle_name(s->obstacle));
	if (!readers_know(peer) || !ring_continues(peer, tp))
		return trace_way(s, len, "order");
	n = ring_put(s, peer, msg, len);
	if (n <= 0)
		return trace_way(s, len, "room");
	if (unlikely(trace_streams_way_enabled()))
		trace_way(s, n, "none");
	tp->bytes_sent += n;
	tp->bytes_acked += n;
	tp->lsndtime = tcp_jiffies32;
	peer->arrived += n;
	peer->arrived_at = tcp_jiffies32;
	return n;
}

/* Wakes the receiver by its own callback, or there was an obstacle. */
static void receiver_wake(struct sock *to)
{
	void (*ready)(struct sock *sk) = READ_ONCE(strsock_tcp_endpoint_ready);

	if (READ_ONCE(to->sk_data_ready) != ready)
		ready = strsock_tcp_data_ready;
	ready(to);
}

size_t strsock_tcp_put_ring(struct strsock_tcp *s, struct msghdr *msg, size_t len)
{
	struct strsock_tcp *peer = strsock_tcp_peer(s);
	struct sock *sk = s->sk;
	ssize_t n;

	if (!peer || !message_is_plain(s, msg, len) || way_was_obstructed(s))
		return 0;
	lock_sock(sk);
	n = put_locked(s, peer, msg, len);
	release_sock(sk);
	if (n > 0) {
		receiver_wake(peer->sk);
		str_count(STR_KIND_TCP, STR_DIRECT, 1);
	}
	return n;
}
