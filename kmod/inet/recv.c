// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of connections on its way up
 *
 * A caller that looks for data takes some from the socket. The work item, if
 * it has to, takes as much as there is room for at the stream head. Data left
 * in the socket closes TCP's window.
 */
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/sctp/structs.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "socket/tcp.h"
#include "streams/message/mblk.h"
#include "conn.h"
#include "end.h"
#include "recv.h"
#include "send.h"

/*
 * The most bytes that are sent up as one T_DATA_IND: a cached buffer holds no
 * more.
 */
#define READ_MAX	STRMSG_DATA_MOST
/* The most messages read in one run; other endpoints then have their turn. */
#define READ_BUDGET	32
/* The fewest bytes of data that a reader takes from the socket itself, and from the ring */
#define GET_MIN		2048
#define GET_MIN_RING	1024
/*
 * The approximate most bytes that a caller fetches in one look for all of them
 */
#define FETCH_MAX	65536

/* Returns whether something has arrived: data, or a FIN, which is in TCP's queue too. */
static bool has_arrived(struct strinet_end *ep)
{
	return !skb_queue_empty_lockless(&ep->sock->sk->sk_receive_queue) ||
	       (strinet_is_tcp(ep) && strsock_tcp_in_ring(ep->sock));
}

/* Returns whether the end or an error has come. */
static bool has_ended(struct strinet_end *ep)
{
	struct sock *sk = ep->sock->sk;

	return READ_ONCE(sk->sk_err) ||
	       READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN ||
	       READ_ONCE(sk->sk_state) == TCP_CLOSE;
}

/* Returns whether the next byte is the urgent one; only a read removes it. */
static bool at_mark(struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool mark;

	/* An urgent byte that arrives now is found by was_marked(). */
	if (likely(!READ_ONCE(tp->urg_data)))
		return false;
	lock_sock(sk);
	mark = tp->urg_data && tp->urg_seq == tp->copied_seq;
	release_sock(sk);
	return mark;
}

/*
 * Returns how many bytes to make room for; *mark is set to whether the first one is the
 * urgent byte of TCP.
 */
static size_t read_size(struct strinet_end *ep, bool *mark)
{
	struct sock *sk = ep->sock->sk;
	struct sk_buff *skb;
	bool ring;
	size_t size;

	*mark = false;
	if (strinet_is_tcp(ep)) {
		/* The peer puts nothing into the ring before the urgent byte was read. */
		*mark = at_mark(sk);
		size = strsock_tcp_next(ep->sock, &ring);
		*mark &= !ring;
		return *mark ? 1 : clamp_t(size_t, size, 1, READ_MAX);
	}
	lock_sock(sk);
	skb = skb_peek(&sk->sk_receive_queue);
	size = skb ? skb->len : 1;
	release_sock(sk);
	return clamp_t(size_t, size, 1, READ_MAX);
}

/*
 * Returns whether the first byte just read is the urgent byte, which the kernel
 * learned of after at_mark() was asked. The number stays at a byte of the ring.
 */
static bool was_marked(struct strinet_end *ep, u32 at, u32 urg_before)
{
	const struct tcp_sock *tp = tcp_sk(ep->sock->sk);

	return READ_ONCE(tp->urg_seq) == at && urg_before != at &&
	       READ_ONCE(tp->copied_seq) != at;
}

/*
 * Sends up the data read, its first byte as the urgent one, and the rest
 * behind ind; false: memory is short, and nothing has changed.
 */
static bool data_pass_marked(struct strinet_end *ep, mblk_t *ind, mblk_t *data)
{
	mblk_t *mark = strinet_data_prim(T_EXDATA_IND, false), *rest = NULL;
	bool more = MBLKL(data) > 1;

	if (more)
		rest = dupb(data);
	if (!mark || (more && !rest)) {
		freemsg(mark);
		freemsg(rest);
		return false;
	}
	if (more) {
		rest->b_rptr++;
		data->b_wptr = data->b_rptr + 1;
	}
	linkb(mark, data);
	putnext(ep->rq, mark);
	if (more) {
		linkb(ind, rest);
		putnext(ep->rq, ind);
	} else {
		freemsg(ind);
	}
	return true;
}

/*
 * Reads once, and passes on the data; returns the bytes, 0 at the end, or an
 * error. The control part is made before the read, so that a lack of memory
 * loses nothing.
 */
static int read_some(struct strinet_end *ep)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	const struct tcp_sock *tp = tcp_sk(ep->sock->sk);
	bool tcp = strinet_is_tcp(ep), mark;
	/*
	 * The sequence numbers are read before at_mark(): was_marked() finds an urgent
	 * byte that comes between the two.
	 */
	u32 at = tcp ? READ_ONCE(tp->copied_seq) : 0;
	u32 urg = tcp ? READ_ONCE(tp->urg_seq) : 0;
	struct kvec vec;
	mblk_t *ind, *mp;
	size_t size;
	int n;

	size = read_size(ep, &mark);
	ind = strinet_data_prim(mark ? T_EXDATA_IND : T_DATA_IND, false);
	mp = allocb_written(size, GFP_KERNEL | __GFP_NOWARN);
	if (!ind || !mp) {
		n = -ENOMEM;
		goto free;
	}
	vec = (struct kvec){ .iov_base = mp->b_wptr, .iov_len = size };
	n = kernel_recvmsg(ep->sock, &msg, &vec, 1, size, MSG_DONTWAIT);
	if (n <= 0)
		goto free;
	/*
	 * The rest of the block is cleared: it may show data of its last user.
	 */
	memset(mp->b_wptr + n, 0, size - n);
	mp->b_wptr += n;
	if (tcp && !mark && was_marked(ep, at, urg) &&
	    data_pass_marked(ep, ind, mp))
		return n;
	if (!tcp)
		((struct T_data_ind *)ind->b_rptr)->MORE_flag =
			!(msg.msg_flags & MSG_EOR);
	linkb(ind, mp);
	strinet_up(ep, ind);
	return n;

free:
	freemsg(ind);
	freemsg(mp);
	return n;
}

/*
 * Returns whether SCTP's association is over, which a read does not always
 * report.
 */
static bool sctp_is_over(struct strinet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	bool over;

	if (strinet_is_tcp(ep))
		return false;
	lock_sock(sk);
	over = list_empty(&sctp_sk(sk)->ep->asocs);
	release_sock(sk);
	return over;
}

/* The peer has released its side, and sends nothing more. */
static void read_end(struct strinet_end *ep)
{
	struct T_ordrel_ind ind = { .PRIM_type = T_ORDREL_IND };
	mblk_t *mp;
	int err;

	err = ep->error ?: -sock_error(ep->sock->sk);
	if (err) {
		strinet_conn_lost(ep, err);
		return;
	}
	mp = strinet_ind(&ind, sizeof(ind), NULL, 0);
	if (!mp) {
		strinet_end_retry(ep);
		return;
	}
	/* The state changes first: the user who is informed finds the new one. */
	if (ep->state == TS_WIND_ORDREL)
		strinet_conn_over(ep, INET_RELEASE);
	else
		WRITE_ONCE(ep->state, TS_WREQ_ORDREL);
	putnext(ep->rq, mp);
}

/*
 * Handles the end of a read: nothing more can be read for now, or at all. err:
 * the result of read_some().
 */
static void read_stopped(struct strinet_end *ep, int err)
{
	switch (err) {
	case 0:
		read_end(ep);
		break;
	case -EAGAIN:
		if (ep->error)
			strinet_conn_lost(ep, ep->error);
		else if (sctp_is_over(ep))
			read_end(ep);
		else if (strinet_is_tcp(ep) && has_arrived(ep))
			strinet_end_retry(ep); /* The ring was being made larger. */
		break;
	case -ENOTCONN:
		read_end(ep);
		break;
	case -ENOMEM:
	case -ENOBUFS:
		strinet_end_retry(ep);
		break;
	default:
		strinet_conn_lost(ep, ep->error ?: -err);
	}
}

/* Handles the end of the peer's data; an error may still follow. */
static void half_closed(struct strinet_end *ep)
{
	int err = ep->error ?: -sock_error(ep->sock->sk);

	if (err)
		strinet_conn_lost(ep, err == EPIPE ? ECONNRESET : err);
}

/* Handles events of a connection. */
static enum inet_read strinet_data_up(struct strinet_end *ep)
{
	int budget = READ_BUDGET, n;

	if (ep->state == TS_WREQ_ORDREL) {
		half_closed(ep);
		return INET_READ_ALL;
	}
	while (has_arrived(ep) || has_ended(ep)) {
		if (!strinet_end_has_room(ep))
			return INET_READ_ALL;
		n = read_some(ep);
		if (n <= 0) {
			read_stopped(ep, n);
			return INET_READ_LATER;
		}
		if (!--budget)
			return INET_READ_MORE;
	}
	read_stopped(ep, -EAGAIN);
	return INET_READ_ALL;
}

/*
 * Reads and drops arrived data, up to a number of bytes, for a head that is
 * closed. A socket closed with a byte unread would reset the connection, and
 * written data not yet sent would be lost.
 */
void strinet_data_drop(struct strinet_end *ep, size_t most)
{
	size_t done = 0;
	int n;

	if (strinet_is_clts(ep) || !strinet_end_is_read(ep))
		return;
	while (done < most && has_arrived(ep)) {
		n = read_some(ep);
		if (n <= 0)
			return;
		done += n;
	}
}

/*
 * The work item handles events other than data: the end, and an error, which
 * the kernel reports once.
 */
static enum inet_read data_fetch(struct strinet_end *ep, bool all)
{
	size_t left = all ? FETCH_MAX : 1;
	int n;

	if (!strinet_end_is_read(ep))
		return INET_READ_ALL;
	while (has_arrived(ep)) {
		if (!strinet_end_has_room(ep))
			return INET_READ_ALL;
		n = read_some(ep);
		if (n <= 0) {
			strinet_end_kick(ep);
			return INET_READ_LATER;
		}
		if (left > n) {
			left -= n;
			continue;
		}
		if (has_arrived(ep))
			return INET_READ_MORE;
		break;
	}
	/*
	 * A socket does not report twice an end that came while the stream
	 * above had no room; SCTP reports none, see sctp_is_over().
	 */
	if (has_ended(ep) || ep->error || !strinet_is_tcp(ep))
		strinet_end_kick(ep);
	return INET_READ_ALL;
}

/*
 * Handles an urgent byte that became known during the read, and is the first
 * byte given to the user: all bytes are sent up as messages. Returns false when
 * memory is short or the user's memory is missing; the byte has no mark then.
 */
static bool get_marked(struct strinet_end *ep, const struct str_get *g, size_t len)
{
	mblk_t *ind = strinet_data_prim(T_DATA_IND, false);
	mblk_t *mp = allocb_gfp(len, GFP_KERNEL | __GFP_NOWARN);
	struct iov_iter from = g->to;
	bool copied;

	if (!ind || !mp)
		goto free;
	from.data_source = ITER_SOURCE;
	pagefault_disable();
	copied = copy_from_iter_full(mp->b_wptr, len, &from);
	pagefault_enable();
	if (!copied)
		goto free;
	mp->b_wptr += len;
	if (data_pass_marked(ep, ind, mp))
		return true;
free:
	freemsg(ind);
	freemsg(mp);
	return false;
}

/*
 * Gives a reader bytes of TCP, as far as the user's memory is present: the rest
 * stays in the socket. Data that is to be read by many small calls is left to
 * messages, which serve such a reader better. The end of the data, or an error,
 * is left too: the kernel reports each once.
 */
static int data_get(struct strinet_end *ep, struct str_get *g)
{
	struct sock *sk = ep->sock->sk;
	struct msghdr msg = { .msg_iter = g->to };
	size_t room = iov_iter_count(&g->to), next;
	bool mark, ring;
	u32 at, urg;
	int n;

	if (!strinet_is_tcp(ep) || !strinet_end_is_read(ep) || ep->error ||
	    (g->word != -1 && g->word != T_DATA_IND))
		return -ENODATA;
	/* The sequence numbers are read before at_mark(), as in read_some(). */
	at = READ_ONCE(tcp_sk(sk)->copied_seq);
	urg = READ_ONCE(tcp_sk(sk)->urg_seq);
	mark = at_mark(sk);
	next = strsock_tcp_next(ep->sock, &ring);
	if (!next || (mark && !ring) ||
	    (room < (ring ? GET_MIN_RING : GET_MIN) && next > room))
		return -ENODATA;
	iov_iter_truncate(&msg.msg_iter, min_t(size_t, next, ep->provider->tidu));
	/*
	 * Page faults are off so that the user's memory alone is not waited
	 * for; the section is not atomic.
	 */
	pagefault_disable();
	n = sock_recvmsg(ep->sock, &msg, MSG_DONTWAIT);
	pagefault_enable();
	if (n <= 0 || (was_marked(ep, at, urg) && get_marked(ep, g, n)))
		return -ENODATA;
	*(struct T_data_ind *)g->ctl = (struct T_data_ind){
		.PRIM_type = T_DATA_IND,
	};
	g->given = true;
	g->ctllen = sizeof(struct T_data_ind);
	g->len = n;
	/* See data_fetch(). */
	if (has_ended(ep) && !has_arrived(ep))
		strinet_end_kick(ep);
	return 0;
}

static bool data_peek(struct strinet_end *ep)
{
	bool ring;

	if (!strinet_end_is_read(ep))
		return false;
	/* A FIN is in TCP's queue as well, and the work item handles it. */
	return strinet_is_tcp(ep) ? strsock_tcp_next(ep->sock, &ring) : has_arrived(ep);
}

static bool data_waits(struct strinet_end *ep)
{
	return strinet_end_is_read(ep) && has_arrived(ep);
}

const struct strinet_data_ops inet_conn_data = {
	.put = strinet_data_put,
	.get = data_get,
	.up = strinet_data_up,
	.fetch = data_fetch,
	.peek = data_peek,
	.waits = data_waits,
};
