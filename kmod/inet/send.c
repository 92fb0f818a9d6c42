// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of connections on its way down
 *
 * A sender gives the socket as much as there is room for in its send buffer.
 * The rest, or data that has to wait, becomes a message. A message is sent as
 * far as there is room, and the rest of it is put back to the front of the
 * queue; blocked then makes the socket's write-space callback queue the work
 * item.
 */
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <net/sock.h>

#include "streams/message/mblk.h"
#include "conn.h"
#include "end.h"
#include "opt.h"
#include "send.h"

/* Returns whether a chain has only data. */
bool strinet_is_data(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (DB_TYPE(mp) != M_DATA)
			return false;
	return true;
}

/**
 * strinet_kvec() - describe the bytes of data blocks
 * @mp: the first block
 * @vec: room for INET_BLOCKS
 * @len: set to the bytes in those
 * @rest: set to the first block there was no room for, or NULL
 *
 * Return: how many of @vec are used.
 */
unsigned int strinet_kvec(const mblk_t *mp, struct kvec *vec, size_t *len,
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

/*
 * Gives the socket as much of some blocks as it takes at once. Returns the
 * number of bytes, or an error.
 */
static int send_some(struct strinet_end *ep, const mblk_t *data, int flags)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL };
	struct kvec vec[INET_BLOCKS];
	const mblk_t *rest;
	unsigned int n;
	size_t len;

	n = strinet_kvec(data, vec, &len, &rest);
	/* More of the message follows: only its last byte is urgent. */
	msg.msg_flags |= rest && strinet_is_tcp(ep) ? MSG_MORE : flags;
	return kernel_sendmsg(ep->sock, &msg, vec, n, len);
}

/*
 * Sends as send_some() does. With TCP -EAGAIN is returned only when the
 * socket's buffer was full: sock_write_space() looks at blocked after it has
 * made room.
 */
static int strinet_send_blocked(struct strinet_end *ep, const mblk_t *data, int flags)
{
	int n = send_some(ep, data, flags);

	if (n != -EAGAIN)
		return n;
	WRITE_ONCE(ep->blocked, true);
	/* The flag is set before the look at the buffer; pairs with sock_write_space(). */
	smp_mb();
	n = send_some(ep, data, flags);
	if (n != -EAGAIN)
		WRITE_ONCE(ep->blocked, false);
	return n;
}

/* Removes bytes that were sent from their blocks. */
static void strinet_consume(mblk_t *mp, size_t n)
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

/*
 * Handles the socket's result for a message. Returns false if the socket may
 * take the message later.
 */
static bool strinet_send_failed(struct strinet_end *ep, int err)
{
	switch (err) {
	case -EAGAIN:
	case -ENOMEM:
	case -ENOBUFS:
		return false;
	case -EPIPE:
		/*
		 * The peer released its side of the connection and reset it
		 * afterwards.
		 */
		ep->error = ECONNRESET;
		return true;
	default:
		ep->error = -err;
		return true;
	}
}

/*
 * Sends the data of a message; false: the message has to wait. A permanent
 * failure is reported when all data that has arrived was read.
 */
static bool send_data(struct strinet_end *ep, mblk_t *data, int flags)
{
	while (has_bytes(data)) {
		int n = strinet_send_blocked(ep, data, flags);

		if (n >= 0) {
			strinet_consume(data, n);
			continue;
		}
		if (strinet_send_failed(ep, n))
			return true;
		/*
		 * The kernel calls no function when SCTP has room, or memory,
		 * again.
		 */
		if (n != -EAGAIN || !strinet_is_tcp(ep) ||
		    sk_stream_memory_free(ep->sock->sk))
			strinet_end_retry(ep);
		return false;
	}
	return true;
}

/*
 * Copies a part of a record into one block, until the last part has come: a
 * record is sent as a whole. Returns 0; or an error, and nothing has changed.
 */
static int strinet_gather(struct strinet_end *ep, const mblk_t *data)
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

/*
 * Returns whether a message is a record that the socket can be given without a
 * copy.
 */
static bool is_record(struct strinet_end *ep, const mblk_t *data, bool more)
{
	struct kvec vec[INET_BLOCKS];
	const mblk_t *rest;
	size_t len;

	if (more || ep->gathered)
		return false;
	strinet_kvec(data, vec, &len, &rest);
	return !rest && len <= ep->provider->tsdu;
}

static mblk_t *strinet_data_of(mblk_t *mp)
{
	return DB_TYPE(mp) == M_DATA ? mp : mp->b_cont;
}

static bool send_record(struct strinet_end *ep, mblk_t **mp, bool more)
{
	if (!is_record(ep, strinet_data_of(*mp), more)) {
		int err = strinet_gather(ep, strinet_data_of(*mp));

		if (err == -ENOMEM) {
			strinet_end_retry(ep);
			return false;
		}
		if (err) {
			strinet_reply(ep, strtpi_fatal(*mp));
			return true;
		}
		if (more || !ep->gathered) {
			freemsg(*mp);
			return true;
		}
		/* A record that has to wait is put back as a whole. */
		ep->gathered->b_band = (*mp)->b_band;
		freemsg(*mp);
		*mp = ep->gathered;
		ep->gathered = NULL;
	}
	if (!send_data(ep, strinet_data_of(*mp), 0))
		return false;
	freemsg(*mp);
	return true;
}

/*
 * Returns whether sent data crossed a T_DISCON_IND, and is ignored as TPI
 * version 2 demands. A listening endpoint may have indicated another connection
 * since.
 */
static bool is_over(const struct strinet_end *ep)
{
	return ep->state == TS_IDLE || ep->state == TS_WRES_CIND;
}

/* The contents of the primitive before some data */
struct data_req {
	bool urgent;
	bool more;
	t_scalar_t opt_offset;
	t_scalar_t opt_length;
};

/* Returns whether the primitive before some data is one of the three. */
static bool prim_parse(const mblk_t *mp, t_scalar_t type, struct data_req *d)
{
	struct T_optdata_req opt;
	struct T_data_req req;

	static_assert(sizeof(req) == sizeof(struct T_exdata_req));
	if (type != T_OPTDATA_REQ) {
		if (!tpi_get(mp, &req, sizeof(req)))
			return false;
		d->urgent = type == T_EXDATA_REQ;
		d->more = req.MORE_flag;
		return true;
	}
	if (!tpi_get(mp, &opt, sizeof(opt)) ||
	    opt.DATA_flag & ~(T_ODF_MORE | T_ODF_EX))
		return false;
	d->urgent = opt.DATA_flag & T_ODF_EX;
	d->more = opt.DATA_flag & T_ODF_MORE;
	d->opt_offset = opt.OPT_offset;
	d->opt_length = opt.OPT_length;
	return true;
}

/*
 * Returns whether a message of data is valid, and allowed in the endpoint's
 * state.
 */
static bool data_parse(struct strinet_end *ep, const mblk_t *mp, t_scalar_t type,
		       struct data_req *d)
{
	if (!strinet_may_send(ep) && !is_over(ep))
		return false;
	if (DB_TYPE(mp) == M_DATA)
		return strinet_is_data(mp);
	return prim_parse(mp, type, d) && strinet_is_data(mp->b_cont) &&
	       !(d->urgent && ep->provider->etsdu == T_INVALID);
}

/*
 * Sets the options that come with data, and removes them from the message: it
 * may have to wait, and others may set the options meanwhile. Returns as
 * strinet_opt_apply().
 */
static int data_options(struct strinet_end *ep, mblk_t **msg, const struct data_req *d)
{
	mblk_t *mp;
	int err;

	if (!d->opt_length)
		return 0;
	/* The block is copied if another message refers to it. */
	mp = reallocb(*msg, 0, 1);
	if (!mp)
		return -ENOMEM;
	*msg = mp;
	err = strinet_opt_apply(ep, ep->sock, mp, d->opt_offset, d->opt_length);
	if (!err)
		((struct T_optdata_req *)mp->b_rptr)->OPT_length = 0;
	return err;
}

/**
 * strinet_data_req() - act on a T_DATA_REQ, T_EXDATA_REQ, T_OPTDATA_REQ, or on data
 *	alone
 * @ep: the endpoint
 * @msg: the message, consumed unless false is returned; then the part that has
 *	to wait
 * @type: of the primitive; T_DATA_REQ if there is none
 *
 * Options are set before the data is sent, and stay set: those of TCP and of IP
 * belong to a connection, not to some of its data.
 *
 * Return: false when the rest of it has to wait for room. TPI version 2,
 * T_DATA_REQ, T_EXDATA_REQ, T_OPTDATA_REQ.
 */
bool strinet_data_req(struct strinet_end *ep, mblk_t **msg, t_scalar_t type)
{
	struct data_req d = {};
	int flags, err;

	/*
	 * The primitive is not acknowledged, so an error in it can only end the
	 * stream.
	 */
	if (!data_parse(ep, *msg, type, &d)) {
		strinet_reply(ep, strtpi_fatal(*msg));
		return true;
	}
	if (is_over(ep) || ep->error) {
		freemsg(*msg);
		return true;
	}
	err = data_options(ep, msg, &d);
	if (err == -ENOMEM) {
		strinet_end_retry(ep);
		return false;
	}
	if (err) {
		strinet_reply(ep, strtpi_fatal(*msg));
		return true;
	}
	if (ep->provider->tsdu)
		return send_record(ep, msg, d.more);
	/* Only the last byte of the last of several messages is urgent. */
	if (d.urgent)
		flags = d.more ? 0 : MSG_OOB;
	else
		flags = d.more ? MSG_MORE : 0;
	if (!send_data(ep, strinet_data_of(*msg), flags))
		return false;
	freemsg(*msg);
	return true;
}

/* Makes the control part of some data. */
mblk_t *strinet_data_prim(t_scalar_t type, bool more)
{
	struct T_data_req prim = { .PRIM_type = type, .MORE_flag = more };
	mblk_t *mp = strinet_ind(&prim, sizeof(prim), NULL, 0);

	/* The three primitives have the same form. */
	static_assert(sizeof(prim) == sizeof(struct T_data_ind));
	static_assert(sizeof(prim) == sizeof(struct T_exdata_ind));
	/* A reader of bytes sees the mark by I_ATMARK. */
	if (mp && type == T_EXDATA_IND)
		mp->b_flag |= MSGMARK;
	return mp;
}

/*
 * Makes a message of the data. Returns 0; -EFAULT: a page of the data is
 * missing; or -ENOBUFS.
 */
static int rest_message(struct iov_iter from, bool more, mblk_t **mpp)
{
	mblk_t *mp = strinet_data_prim(T_DATA_REQ, more), *bp;
	int err = mp ? 0 : -ENOBUFS;
	bool ok = true;
	size_t n;

	while (!err && (n = min_t(size_t, iov_iter_count(&from), STRMSG_DATA_MOST))) {
		bp = allocb_gfp(n, GFP_KERNEL | __GFP_NOWARN);
		if (bp) {
			linkb(mp, bp);
			pagefault_disable();
			ok = copy_from_iter_full(bp->b_wptr, n, &from);
			pagefault_enable();
			bp->b_wptr += n;
		}
		if (!bp || !ok)
			err = bp ? -EFAULT : -ENOBUFS;
	}
	if (err)
		freemsg(mp);
	*mpp = mp;
	return err;
}

/*
 * Makes a message, the first on the queue, of the rest of data that the socket
 * has taken a part of. Returns 0, or as rest_message().
 */
int strinet_data_rest(struct strinet_end *ep, const mblk_t *ctl,
		      const struct iov_iter *from)
{
	struct T_data_req req;
	mblk_t *mp;
	int err;

	if (!tpi_get(ctl, &req, sizeof(req)))
		return -ENOBUFS;
	err = rest_message(*from, req.MORE_flag, &mp);
	if (err)
		return err;
	if (send_data(ep, mp->b_cont, req.MORE_flag ? MSG_MORE : 0))
		freemsg(mp);
	else
		strinet_end_back(ep, mp);
	return 0;
}

/*
 * Returns whether a socket has room for len bytes; SCTP takes a record as a
 * whole or not at all.
 */
static bool takes_all(struct strinet_end *ep, size_t len)
{
	const struct sock *sk = ep->sock->sk;

	return !strinet_is_tcp(ep) || (sk_stream_memory_free(sk) &&
				       sk_stream_wspace(sk) >= (int)len);
}

/*
 * Sends data from a caller's memory. strinet_data_req() handles a message that
 * may not be sent now, or needs more than sending. Returns 1 if the socket has
 * taken a part of the data: from is behind it, and the caller calls
 * strinet_data_rest().
 */
int strinet_data_put(struct strinet_end *ep, const mblk_t *ctl, struct iov_iter *from)
{
	struct msghdr msg = {
		.msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL,
		.msg_iter = *from,
	};
	size_t len = iov_iter_count(from), tsdu = ep->provider->tsdu;
	struct T_data_req req;
	int n;

	if (tpi_type(ctl) != T_DATA_REQ || !tpi_get(ctl, &req, sizeof(req)) ||
	    !strinet_may_send(ep) || !len || (tsdu && (req.MORE_flag || len > tsdu)) ||
	    !takes_all(ep, len))
		return -ENODATA;
	if (req.MORE_flag)
		msg.msg_flags |= MSG_MORE;
	/*
	 * Page faults are off so that the user's memory alone is not waited
	 * for; the section is not atomic.
	 */
	pagefault_disable();
	n = sock_sendmsg(ep->sock, &msg);
	pagefault_enable();
	if (n < 0)
		return n != -EFAULT && strinet_send_failed(ep, n) ? 0 : -ENODATA;
	/*
	 * The position of the socket's iterator is not used: a BPF program may
	 * have advanced it.
	 */
	iov_iter_advance(from, n);
	return n < len;
}

/**
 * strinet_ordrel_req() - act on a T_ORDREL_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * All data before it has been given to the socket, which ends with a FIN.
 * TPI version 2, T_ORDREL_REQ.
 */
void strinet_ordrel_req(struct strinet_end *ep, mblk_t *mp)
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
		strinet_conn_over(ep, INET_RELEASE);
		break;
	case TS_IDLE:
	case TS_WRES_CIND:
		/* See is_over(). */
		break;
	default:
		strinet_reply(ep, strtpi_fatal(mp));
		return;
	}
	freemsg(mp);
}
