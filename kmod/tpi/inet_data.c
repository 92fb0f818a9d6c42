// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of connections
 *
 * Down: who sends gives the socket what there is room for in its send buffer, and
 * what is left, or has to wait, is a message: that goes as far as there is room, and
 * what is left of it back to the front of the queue; blocked then says that the
 * socket's write-space callback is to queue the work item. Up: who looks for data
 * takes some from the socket, and the work item, where it has to, as much as there
 * is room for at the stream head. With what is left there TCP's window closes.
 */
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/sctp/structs.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "inet_end.h"

/* Most bytes that are sent up as one T_DATA_IND. */
#define READ_MAX	16384
/* Messages read in one run, before others have their turn. */
#define READ_BUDGET	32
/* Bytes that one who looks for them all fetches at most, about. */
#define FETCH_MAX	65536

static bool is_tcp(const struct inet_end *ep)
{
	return ep->provider->protocol == IPPROTO_TCP;
}

/* Whether a chain is nothing but data. */
bool inet_is_data(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (DB_TYPE(mp) != M_DATA)
			return false;
	return true;
}

/**
 * inet_kvec() - tell where the bytes of data blocks are
 * @mp: the first block
 * @vec: room for INET_BLOCKS
 * @len: set to the bytes in those
 * @rest: set to the first block there was no room for, or NULL
 *
 * Return: how many of @vec are used.
 */
unsigned int inet_kvec(const mblk_t *mp, struct kvec *vec, size_t *len,
		       const mblk_t **rest)
{
	unsigned int n = 0;

	*len = 0;
	for (; mp && n < INET_BLOCKS; mp = mp->b_cont) {
		if (MBLKL(mp) <= 0)
			continue;
		vec[n].iov_base = mp->b_rptr;
		vec[n].iov_len = MBLKL(mp);
		*len += vec[n++].iov_len;
	}
	*rest = mp;
	return n;
}

/* Offers the socket what it takes at once of some blocks; bytes, or an error. */
static int send_some(struct inet_end *ep, const mblk_t *data, int flags)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL };
	struct kvec vec[INET_BLOCKS];
	const mblk_t *rest;
	unsigned int n;
	size_t len;

	n = inet_kvec(data, vec, &len, &rest);
	/* There is more of the message: only its last byte is urgent. */
	msg.msg_flags |= rest && is_tcp(ep) ? MSG_MORE : flags;
	return kernel_sendmsg(ep->sock, &msg, vec, n, len);
}

/*
 * The same, and with TCP -EAGAIN only when its buffer was full: then
 * sock_write_space() looks at blocked after it has made room.
 */
static int send_blocked(struct inet_end *ep, const mblk_t *data, int flags)
{
	int n = send_some(ep, data, flags);

	if (n != -EAGAIN)
		return n;
	WRITE_ONCE(ep->blocked, true);
	/* Before the look at the buffer; pairs with sock_write_space(). */
	smp_mb();
	n = send_some(ep, data, flags);
	if (n != -EAGAIN)
		WRITE_ONCE(ep->blocked, false);
	return n;
}

/* Takes bytes that were sent off their blocks. */
static void consume(mblk_t *mp, size_t n)
{
	for (; mp && n; mp = mp->b_cont) {
		size_t part = min_t(size_t, n, MBLKL(mp));

		mp->b_rptr += part;
		n -= part;
	}
}

static bool has_bytes(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (MBLKL(mp) > 0)
			return true;
	return false;
}

/* What the socket said to a message; false: it may take it later. */
static bool send_failed(struct inet_end *ep, int err)
{
	switch (err) {
	case -EAGAIN:
	case -ENOMEM:
	case -ENOBUFS:
		return false;
	case -EPIPE:
		/* The peer had released its side before it reset. */
		ep->error = ECONNRESET;
		return true;
	default:
		ep->error = -err;
		return true;
	}
}

/*
 * Sends the data of a message; false: it has to wait. What fails for good is
 * told when all that has arrived was read.
 */
static bool send_data(struct inet_end *ep, mblk_t *data, int flags)
{
	while (has_bytes(data)) {
		int n = send_blocked(ep, data, flags);

		if (n >= 0) {
			consume(data, n);
			continue;
		}
		if (send_failed(ep, n))
			return true;
		/* Nobody tells of SCTP's room, nor of memory. */
		if (n != -EAGAIN || !is_tcp(ep) ||
		    sk_stream_memory_free(ep->sock->sk))
			inet_end_retry(ep);
		return false;
	}
	return true;
}

/*
 * A record goes as a whole: its parts are copied into one block until the last
 * one has come. 0, or an error, and nothing has changed.
 */
static int gather(struct inet_end *ep, const mblk_t *data)
{
	size_t size = data ? msgsize(data) : 0, tsdu = ep->provider->tsdu;
	mblk_t *whole = ep->gathered;
	size_t have = whole ? MBLKL(whole) : 0;

	if (size > tsdu - have)
		return -EPROTO;
	if (!size)
		return 0;
	if (!whole || size > DB_LIM(whole) - whole->b_wptr) {
		whole = allocb_gfp(min(tsdu, 2 * (have + size)),
				   GFP_KERNEL | __GFP_NOWARN);
		if (!whole)
			return -ENOMEM;
		if (have)
			memcpy(whole->b_wptr, ep->gathered->b_rptr, have);
		whole->b_wptr += have;
		freemsg(ep->gathered);
		ep->gathered = whole;
	}
	for (; data; data = data->b_cont) {
		if (MBLKL(data) <= 0)
			continue;
		memcpy(whole->b_wptr, data->b_rptr, MBLKL(data));
		whole->b_wptr += MBLKL(data);
	}
	return 0;
}

/* Whether a message is a record that the socket can be given as it is. */
static bool is_record(struct inet_end *ep, const mblk_t *data, bool more)
{
	struct kvec vec[INET_BLOCKS];
	const mblk_t *rest;
	size_t len;

	if (more || ep->gathered)
		return false;
	inet_kvec(data, vec, &len, &rest);
	return !rest && len <= ep->provider->tsdu;
}

static mblk_t *data_of(mblk_t *mp)
{
	return DB_TYPE(mp) == M_DATA ? mp : mp->b_cont;
}

static bool send_record(struct inet_end *ep, mblk_t **mp, bool more)
{
	if (!is_record(ep, data_of(*mp), more)) {
		int err = gather(ep, data_of(*mp));

		if (err == -ENOMEM) {
			inet_end_retry(ep);
			return false;
		}
		if (err) {
			inet_reply(ep, tpi_fatal(*mp));
			return true;
		}
		if (more || !ep->gathered) {
			freemsg(*mp);
			return true;
		}
		/* If it has to wait, it comes back as a whole record. */
		ep->gathered->b_band = (*mp)->b_band;
		freemsg(*mp);
		*mp = ep->gathered;
		ep->gathered = NULL;
	}
	if (!send_data(ep, data_of(*mp), 0))
		return false;
	freemsg(*mp);
	return true;
}

/*
 * Whether what is sent has met a T_DISCON_IND on its way, and is ignored: TPI
 * version 2. One that listens may have told of another connection since.
 */
static bool is_over(const struct inet_end *ep)
{
	return ep->state == TS_IDLE || ep->state == TS_WRES_CIND;
}

/* Whether a T_DATA_REQ or T_EXDATA_REQ is one, and may come now. */
static bool data_parse(struct inet_end *ep, const mblk_t *mp, t_scalar_t type,
		       bool *more)
{
	struct T_data_req req = {};

	static_assert(sizeof(req) == sizeof(struct T_exdata_req));
	if (ep->state != TS_DATA_XFER && ep->state != TS_WREQ_ORDREL &&
	    !is_over(ep))
		return false;
	if (type == T_EXDATA_REQ && ep->provider->etsdu == T_INVALID)
		return false;
	if (DB_TYPE(mp) == M_DATA)
		return inet_is_data(mp);
	if (!tpi_get(mp, &req, sizeof(req)) || !inet_is_data(mp->b_cont))
		return false;
	*more = req.MORE_flag;
	return true;
}

/**
 * inet_data_req() - act on a T_DATA_REQ, a T_EXDATA_REQ or data alone
 * @ep: the endpoint
 * @msg: the message, consumed unless false is returned; then what has to wait
 * @type: T_DATA_REQ or T_EXDATA_REQ
 *
 * Return: false when what is left of it has to wait for room.
 * TPI version 2, T_DATA_REQ, T_EXDATA_REQ.
 */
bool inet_data_req(struct inet_end *ep, mblk_t **msg, t_scalar_t type)
{
	mblk_t *mp = *msg;
	bool more = false;
	int flags;

	/* Not acknowledged, so what is wrong with it can but end the stream. */
	if (!data_parse(ep, mp, type, &more)) {
		inet_reply(ep, tpi_fatal(mp));
		return true;
	}
	if (is_over(ep) || ep->error) {
		freemsg(mp);
		return true;
	}
	if (ep->provider->tsdu)
		return send_record(ep, msg, more);
	/* Of urgent data in several messages the last one's last byte is it. */
	if (type == T_EXDATA_REQ)
		flags = more ? 0 : MSG_OOB;
	else
		flags = more ? MSG_MORE : 0;
	if (!send_data(ep, data_of(mp), flags))
		return false;
	freemsg(mp);
	return true;
}

/* The control part of some data. */
static mblk_t *data_prim(t_scalar_t type, bool more)
{
	struct T_data_req *prim;
	mblk_t *mp = allocb_gfp(sizeof(*prim), GFP_KERNEL | __GFP_NOWARN);

	/* They are all alike. */
	static_assert(sizeof(*prim) == sizeof(struct T_data_ind));
	static_assert(sizeof(*prim) == sizeof(struct T_exdata_ind));
	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	mp->b_wptr += sizeof(*prim);
	prim = (struct T_data_req *)mp->b_rptr;
	prim->PRIM_type = type;
	prim->MORE_flag = more;
	/* I_ATMARK tells a reader of bytes. */
	if (type == T_EXDATA_IND)
		mp->b_flag |= MSGMARK;
	return mp;
}

/*
 * Of what was no message yet the socket has taken a part: the rest is one now, and
 * the first on the queue. A connection that would lack it ends.
 */
static void put_rest(struct inet_end *ep, struct iov_iter *from, bool more)
{
	mblk_t *mp = data_prim(T_DATA_REQ, more), *bp;
	size_t n;

	while (mp && (n = min_t(size_t, iov_iter_count(from), READ_MAX))) {
		bp = allocb_gfp(n, GFP_KERNEL | __GFP_NOWARN);
		if (!bp || !copy_from_iter_full(bp->b_wptr, n, from)) {
			freemsg(bp);
			freemsg(mp);
			mp = NULL;
			break;
		}
		bp->b_wptr += n;
		linkb(mp, bp);
	}
	if (!mp) {
		ep->error = ENOBUFS;
		return;
	}
	if (send_data(ep, mp->b_cont, more ? MSG_MORE : 0))
		freemsg(mp);
	else
		inet_end_back(ep, mp);
}

/* Whether a socket has room for so many bytes; SCTP takes all of a record, or none. */
static bool takes_all(struct inet_end *ep, size_t len)
{
	const struct sock *sk = ep->sock->sk;

	return !is_tcp(ep) || (sk_stream_memory_free(sk) &&
			       sk_stream_wspace(sk) >= (int)len);
}

/* What may not be sent now, or needs more than sending, is for inet_data_req(). */
int inet_data_put(struct inet_end *ep, const mblk_t *ctl, struct iov_iter *from)
{
	struct msghdr msg = {
		.msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL,
		.msg_iter = *from,
	};
	size_t len = iov_iter_count(from), tsdu = ep->provider->tsdu;
	struct T_data_req req;
	int n;

	if (tpi_type(ctl) != T_DATA_REQ || !tpi_get(ctl, &req, sizeof(req)) ||
	    (ep->state != TS_DATA_XFER && ep->state != TS_WREQ_ORDREL) ||
	    !len || (tsdu && (req.MORE_flag || len > tsdu)) ||
	    !takes_all(ep, len))
		return -ENODATA;
	if (req.MORE_flag)
		msg.msg_flags |= MSG_MORE;
	n = sock_sendmsg(ep->sock, &msg);
	if (n < 0)
		return send_failed(ep, n) ? 0 : -ENODATA;
	if (n < len)
		put_rest(ep, &msg.msg_iter, req.MORE_flag);
	return 0;
}

/**
 * inet_ordrel_req() - act on a T_ORDREL_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * All data before it has been given to the socket, which ends with a FIN.
 * TPI version 2, T_ORDREL_REQ.
 */
void inet_ordrel_req(struct inet_end *ep, mblk_t *mp)
{
	switch (ep->state) {
	case TS_DATA_XFER:
		if (!ep->error)
			kernel_sock_shutdown(ep->sock, SHUT_WR);
		WRITE_ONCE(ep->state, TS_WIND_ORDREL);
		break;
	case TS_WREQ_ORDREL:
		if (ep->error)
			break;
		kernel_sock_shutdown(ep->sock, SHUT_WR);
		inet_conn_over(ep, INET_RELEASE);
		break;
	case TS_IDLE:
	case TS_WRES_CIND:
		/* See is_over(). */
		break;
	default:
		inet_reply(ep, tpi_fatal(mp));
		return;
	}
	freemsg(mp);
}

/* Whether a read would find something: data, the end or an error. */
static bool is_readable(struct sock *sk)
{
	return !skb_queue_empty_lockless(&sk->sk_receive_queue) ||
	       READ_ONCE(sk->sk_err) ||
	       READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN ||
	       READ_ONCE(sk->sk_state) == TCP_CLOSE;
}

/* Whether the next byte is the urgent one; a read alone takes it off. */
static bool at_mark(struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool mark;

	/* One that comes now is found by was_marked(). */
	if (likely(!READ_ONCE(tp->urg_data)))
		return false;
	lock_sock(sk);
	mark = tp->urg_data && tp->urg_seq == tp->copied_seq;
	release_sock(sk);
	return mark;
}

/* How many bytes to make room for. */
static size_t read_size(struct inet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	struct sk_buff *skb;
	size_t size;

	if (is_tcp(ep))
		return clamp(tcp_inq(sk), 1, READ_MAX);
	lock_sock(sk);
	skb = skb_peek(&sk->sk_receive_queue);
	size = skb ? skb->len : 1;
	release_sock(sk);
	return clamp_t(size_t, size, 1, READ_MAX);
}

/*
 * An urgent byte that came to be known of since at_mark() was asked: whether
 * the first byte just read is it.
 */
static bool was_marked(struct inet_end *ep, u32 at, u32 urg_before)
{
	const struct tcp_sock *tp = tcp_sk(ep->sock->sk);

	return READ_ONCE(tp->urg_seq) == at && urg_before != at;
}

/*
 * Sends up what was read, its first byte as the urgent one, and the rest behind
 * ind; false: memory is short, and nothing has changed.
 */
static bool data_pass_marked(struct inet_end *ep, mblk_t *ind, mblk_t *data)
{
	mblk_t *mark = data_prim(T_EXDATA_IND, false), *rest = NULL;
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
 * Reads once, and passes on what was read; the bytes, 0 at the end, or an error.
 * The control part is made before anything is read, so that a lack of memory
 * loses nothing.
 */
static int read_some(struct inet_end *ep)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	const struct tcp_sock *tp = tcp_sk(ep->sock->sk);
	bool tcp = is_tcp(ep), mark;
	/* Before at_mark(): what comes between the two was_marked() finds. */
	u32 at = tcp ? READ_ONCE(tp->copied_seq) : 0;
	u32 urg = tcp ? READ_ONCE(tp->urg_seq) : 0;
	struct kvec vec;
	mblk_t *ind, *mp;
	int n;

	mark = tcp && at_mark(ep->sock->sk);
	vec.iov_len = mark ? 1 : read_size(ep);
	ind = data_prim(mark ? T_EXDATA_IND : T_DATA_IND, false);
	mp = allocb_gfp(vec.iov_len, GFP_KERNEL | __GFP_NOWARN);
	if (!ind || !mp) {
		n = -ENOMEM;
		goto free;
	}
	vec.iov_base = mp->b_wptr;
	n = kernel_recvmsg(ep->sock, &msg, &vec, 1, vec.iov_len, MSG_DONTWAIT);
	if (n <= 0)
		goto free;
	mp->b_wptr += n;
	if (tcp && !mark && was_marked(ep, at, urg) &&
	    data_pass_marked(ep, ind, mp))
		return n;
	if (!tcp)
		((struct T_data_ind *)ind->b_rptr)->MORE_flag =
			!(msg.msg_flags & MSG_EOR);
	linkb(ind, mp);
	inet_up(ep, ind);
	return n;

free:
	freemsg(ind);
	freemsg(mp);
	return n;
}

/* Whether SCTP's association is over, of which a read does not always tell. */
static bool sctp_is_over(struct inet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	bool over;

	if (is_tcp(ep))
		return false;
	lock_sock(sk);
	over = list_empty(&sctp_sk(sk)->ep->asocs);
	release_sock(sk);
	return over;
}

static mblk_t *ordrel_ind(void)
{
	struct T_ordrel_ind *ind;
	mblk_t *mp = allocb_gfp(sizeof(*ind), GFP_KERNEL | __GFP_NOWARN);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	mp->b_wptr += sizeof(*ind);
	ind = (struct T_ordrel_ind *)mp->b_rptr;
	ind->PRIM_type = T_ORDREL_IND;
	return mp;
}

/* The peer sends no more. */
static void read_end(struct inet_end *ep)
{
	mblk_t *mp;
	int err;

	err = ep->error ?: -sock_error(ep->sock->sk);
	if (err) {
		inet_conn_lost(ep, err);
		return;
	}
	mp = ordrel_ind();
	if (!mp) {
		inet_end_retry(ep);
		return;
	}
	/* Who is told finds the state that follows. */
	if (ep->state == TS_WIND_ORDREL)
		inet_conn_over(ep, INET_RELEASE);
	else
		WRITE_ONCE(ep->state, TS_WREQ_ORDREL);
	putnext(ep->rq, mp);
}

/* There is nothing more to read for now, or at all: err as of read_some(). */
static void read_stopped(struct inet_end *ep, int err)
{
	switch (err) {
	case 0:
		read_end(ep);
		break;
	case -EAGAIN:
		if (ep->error)
			inet_conn_lost(ep, ep->error);
		else if (sctp_is_over(ep))
			read_end(ep);
		break;
	case -ENOTCONN:
		read_end(ep);
		break;
	case -ENOMEM:
	case -ENOBUFS:
		inet_end_retry(ep);
		break;
	default:
		inet_conn_lost(ep, ep->error ?: -err);
	}
}

/* The peer has sent all it had; there may still be an error. */
static void half_closed(struct inet_end *ep)
{
	int err = ep->error ?: -sock_error(ep->sock->sk);

	if (err)
		inet_conn_lost(ep, err == EPIPE ? ECONNRESET : err);
}

/* Something has happened to a connection. */
enum inet_read inet_data_up(struct inet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	int budget = READ_BUDGET, n;

	if (ep->state == TS_WREQ_ORDREL) {
		half_closed(ep);
		return INET_READ_ALL;
	}
	while (is_readable(sk)) {
		if (!inet_end_has_room(ep))
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
 * Reads what has arrived, up to some bytes, for a head that throws it away: closed
 * with a byte unread the socket would reset the connection, and what was written and
 * not yet sent would be lost with it.
 */
void inet_data_drop(struct inet_end *ep, size_t most)
{
	struct sk_buff_head *queue;
	size_t done = 0;
	int n;

	if (inet_is_clts(ep) || !inet_end_is_read(ep))
		return;
	queue = &ep->sock->sk->sk_receive_queue;
	while (done < most && !skb_queue_empty_lockless(queue)) {
		n = read_some(ep);
		if (n <= 0)
			return;
		done += n;
	}
}

/*
 * What is no data is the work item's: the end, and an error, which the kernel tells
 * once.
 */
enum inet_read inet_data_fetch(struct inet_end *ep, bool all)
{
	size_t left = all ? FETCH_MAX : 1;
	struct sk_buff_head *queue;
	struct sock *sk;
	int n;

	if (!inet_end_is_read(ep))
		return INET_READ_ALL;
	sk = ep->sock->sk;
	queue = &sk->sk_receive_queue;
	while (!skb_queue_empty_lockless(queue)) {
		if (!inet_end_has_room(ep))
			return INET_READ_ALL;
		n = read_some(ep);
		if (n <= 0) {
			inet_end_kick(ep);
			return INET_READ_LATER;
		}
		if (left > n) {
			left -= n;
			continue;
		}
		if (!skb_queue_empty_lockless(queue))
			return INET_READ_MORE;
		break;
	}
	/*
	 * The end that came while there was no room above nobody tells again; of
	 * SCTP's nothing does, see sctp_is_over().
	 */
	if (is_readable(sk) || ep->error || !is_tcp(ep))
		inet_end_kick(ep);
	return INET_READ_ALL;
}

/*
 * The urgent byte came to be known of while it was read, and is the first that the
 * user was given: all goes up as messages. False: memory is short, or the user's is
 * gone; then it has no mark.
 */
static bool get_marked(struct inet_end *ep, const struct str_get *g, size_t len)
{
	mblk_t *ind = data_prim(T_DATA_IND, false);
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
 * Bytes of TCP, as far as the user's memory is there: the rest stays where it is. Not
 * a part of what is to be read by many small calls: a message serves them better. Nor
 * the end, or an error, which the kernel tells once.
 */
int inet_data_get(struct inet_end *ep, struct str_get *g)
{
	struct sock *sk = ep->sock->sk;
	struct msghdr msg = { .msg_iter = g->to };
	size_t room = iov_iter_count(&g->to);
	u32 at, urg;
	int n;

	if (!is_tcp(ep) || !inet_end_is_read(ep) || ep->error ||
	    (g->word != -1 && g->word != T_DATA_IND))
		return -ENODATA;
	/* Before at_mark(), as in read_some(). */
	at = READ_ONCE(tcp_sk(sk)->copied_seq);
	urg = READ_ONCE(tcp_sk(sk)->urg_seq);
	n = tcp_inq(sk);
	if (n <= 0 || at_mark(sk) || (room < READ_MAX && n > room))
		return -ENODATA;
	iov_iter_truncate(&msg.msg_iter, ep->provider->tidu);
	/* No atomic section: only the user's memory is not waited for. */
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
	/* See inet_data_fetch(). */
	if (skb_queue_empty_lockless(&sk->sk_receive_queue) && is_readable(sk))
		inet_end_kick(ep);
	return 0;
}

bool inet_data_peek(struct inet_end *ep)
{
	struct sock *sk;

	if (!inet_end_is_read(ep))
		return false;
	sk = ep->sock->sk;
	/* A FIN is in TCP's queue as well, and is the work item's. */
	return is_tcp(ep) ? tcp_inq(sk) > 0 :
			    !skb_queue_empty_lockless(&sk->sk_receive_queue);
}

bool inet_data_waits(struct inet_end *ep)
{
	return inet_end_is_read(ep) &&
	       !skb_queue_empty_lockless(&ep->sock->sk->sk_receive_queue);
}
