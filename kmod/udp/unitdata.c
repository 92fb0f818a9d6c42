// SPDX-License-Identifier: GPL-2.0-only
/* T_UNITDATA_REQ: a datagram to send */
#include <linux/indirect_call_wrapper.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/sock.h>

#include "streams/call/direct.h"
#include "tpi/datagram.h"
#include "end.h"
#include "in.h"
#include "unitdata.h"

/* Blocks of a message sent without gathering them in one. */
#define SEND_BLOCKS	8

/* Sends blocks of data. The header msg is the caller's, with the destination and flags. */
static __always_inline int strudp_send_blocks(struct strudp_end *ep, struct msghdr *msg,
					      const mblk_t *data, size_t len)
{
	struct kvec vec[SEND_BLOCKS];
	unsigned int n = 0;

	for (; data; data = data->b_cont) {
		if (n == SEND_BLOCKS)
			return -ENOBUFS;
		vec[n].iov_base = data->b_rptr;
		vec[n++].iov_len = MBLKL(data);
	}
	iov_iter_kvec(&msg->msg_iter, ITER_SOURCE, vec, n, len);
	return INDIRECT_CALL_1(ep->family->transmit, strudp_in_transmit, ep, msg,
			       len);
}

static int strudp_unitdata_send(struct strudp_end *ep, struct tpi_datagram *s,
				const mblk_t *data, size_t len)
{
	struct msghdr msg;

	tpi_datagram_msghdr(s, ep->family->addr_size, &msg);
	return strudp_send_blocks(ep, &msg, data, len);
}

/*
 * Whether there is no room in the send buffer, and a callback will report
 * room. strudp_end_write_space() looks at blocked after it has made room.
 */
static bool strudp_send_blocked(struct strudp_end *ep)
{
	struct sock *sk = ep->sock->sk;

	WRITE_ONCE(ep->blocked, true);
	/* The flag is set before the look at the buffer; pairs with strudp_end_write_space(). */
	smp_mb();
	if (sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf))
		return true;
	WRITE_ONCE(ep->blocked, false);
	return false;
}

/* Reads the primitive; -EPROTO if it is malformed. */
static __always_inline int strudp_send_parse(const struct strudp_family *family,
					     const mblk_t *mp, struct tpi_datagram *s)
{
	int err = tpi_datagram_get(s, mp, family->domain, family->addr_size, true);

	return err || s->dest.in.sin_port ? err : -EINVAL;
}

/*
 * Sends; false: there is no room, and a callback will report room. Any other
 * EAGAIN (a policy of IPsec, a BPF program) is an error.
 */
static bool send_or_wait(struct strudp_end *ep, struct tpi_datagram *s,
			 const mblk_t *data, size_t len, int *err)
{
	int tries = 2;

	do {
		*err = strudp_unitdata_send(ep, s, data, len);
		if (*err != -EAGAIN)
			break;
		if (strudp_send_blocked(ep))
			return false;
	} while (--tries);
	return true;
}

/* The message itself may go to a stream of this host, if it has no options. */
static bool send_meets(struct strudp_end *ep, const struct tpi_datagram *s, mblk_t *mp,
		       size_t len)
{
	return mp->b_cont && !s->control_len && !s->flags &&
	       INDIRECT_CALL_1(ep->family->meet, strudp_in_meet, ep, &s->dest, mp,
			       len);
}

/**
 * strudp_unitdata_req() - send a datagram
 * @ep: the endpoint
 * @mp: the primitive and its data; consumed, unless false is returned
 * @answer: set to the message to send up: T_UDERROR_IND, M_ERROR, or NULL
 *
 * Context: inside the perimeter or, when it may sleep, in the work
 * item.
 * Return: false when it has to wait for room in the send buffer.
 * TPI version 2, T_UNITDATA_REQ.
 */
bool strudp_unitdata_req(struct strudp_end *ep, mblk_t *mp, mblk_t **answer)
{
	struct tpi_datagram s;
	size_t len;
	int err;

	*answer = NULL;
	memset(&s, 0, offsetof(struct tpi_datagram, control));
	/*
	 * Not acknowledged, so in the wrong state it can only end the stream.
	 */
	err = ep->state == TS_IDLE ? strudp_send_parse(ep->family, mp, &s) :
					 -EPROTO;
	/* The sock had a port, and was aborted: ss(8), SOCK_DESTROY. */
	if (!err && !inet_sk(ep->sock->sk)->inet_num)
		err = -EADDRNOTAVAIL;
	if (!err)
		err = tpi_gather(mp, SEND_BLOCKS, &len);
	if (!err && len > ep->family->tsdu)
		err = -EMSGSIZE;
	if (!err && send_meets(ep, &s, mp, len))
		return true;
	if (!err && !send_or_wait(ep, &s, mp->b_cont, len, &err))
		return false;
	if (unlikely(err < 0))
		*answer = strtpi_unsent(ep->rq, mp, &s.dest, ep->family->addr_size, err);
	else
		freemsg(mp);
	return true;
}

/* Returns whether a datagram would overtake another one, or cannot be sent now. */
static bool unitdata_waits(const struct strudp_end *ep)
{
	if (READ_ONCE(ep->state) != TS_IDLE || READ_ONCE(ep->busy) ||
	    READ_ONCE(ep->blocked) || READ_ONCE(WR(ep->rq)->q_first) ||
	    !READ_ONCE(inet_sk(ep->sock->sk)->inet_num))
		return true;
	/* The owner of the perimeter may have a datagram that it has taken off the queue. */
	smp_rmb();
	return str_up_waits(ep->rq) == SIZE_MAX;
}

/*
 * Sends the data of a T_UNITDATA_REQ from the user's memory, as a call on a socket does: see
 * struct str_errand_ops. A request that has to wait, or is wrong, is for
 * strudp_unitdata_req(). Outside the perimeter.
 */
static int unitdata_put(queue_t *rq, const void *ctl, size_t len, struct iov_iter *from)
{
	/* A block as far as primitives are read from one. */
	const mblk_t mp = {
		.b_rptr = (unsigned char *)ctl,
		.b_wptr = (unsigned char *)ctl + len,
	};
	struct strudp_end *ep = strudp_end(rq);
	size_t bytes = iov_iter_count(from);
	struct tpi_datagram s;
	struct msghdr msg;
	int err;

	memset(&s, 0, offsetof(struct tpi_datagram, control));
	if (unitdata_waits(ep) || bytes > ep->family->tsdu || tpi_type(&mp) != T_UNITDATA_REQ ||
	    strudp_send_parse(ep->family, &mp, &s))
		return -ENODATA;
	tpi_datagram_msghdr(&s, ep->family->addr_size, &msg);
	msg.msg_iter = *from;
	err = INDIRECT_CALL_1(ep->family->transmit, strudp_in_transmit, ep, &msg, bytes);
	if (err == -EAGAIN || err == -EFAULT)
		return -ENODATA;
	if (unlikely(err < 0))
		strtpi_reply(WR(rq), strtpi_unsent(rq, NULL, &s.dest, ep->family->addr_size,
						   err));
	return 0;
}

/* A datagram for a stream of this host is a message, which meets it: see send_meets(). */
const struct str_errand_ops strudp_unitdata_errands = {
	.put = unitdata_put,
};

/*
 * Reads a request for a socket, which may be connected to port 0: other requests for that are
 * refused when they are sent. The function is not inline: strudp_unitdata_req() has inline
 * copies of both.
 */
static noinline int request_read(const struct strudp_family *family, mblk_t *mp,
				 struct tpi_datagram *s, size_t *len)
{
	memset(s, 0, offsetof(struct tpi_datagram, control));
	return tpi_datagram_get(s, mp, family->domain, family->addr_size, true) ?:
	       tpi_gather(mp, SEND_BLOCKS, len);
}

/*
 * Returns whether a destination is the peer of a connected sock. One of AF_INET6 names a
 * peer that it reaches by IPv4.
 */
static bool dest_is_peer(const struct sock *sk, const union tpi_addr *dest)
{
	const struct inet_sock *inet = inet_sk(sk);

	if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED ||
	    READ_ONCE(inet->inet_dport) != dest->in.sin_port)
		return false;
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		return !ipv6_addr_v4mapped(&dest->in6.sin6_addr) &&
		       ipv6_addr_equal(&sk->sk_v6_daddr, &dest->in6.sin6_addr);
#endif
	return READ_ONCE(inet->inet_daddr) == dest->in.sin_addr.s_addr;
}

/**
 * strudp_send_request() - send the datagram of a T_UNITDATA_REQ
 * @ep: the endpoint, of strudp_adopt(); bound
 * @mp: the primitive and its data, which stay the caller's
 * @how: flags and control messages of the call that sends it; NULL: those of
 *	the primitive's options
 *
 * Context: process, sleeps; but not for room in the send buffer: -EAGAIN.
 * Return: bytes sent; -EPROTO when the primitive is malformed, or sendmsg(2)'s
 * error.
 */
int strudp_send_request(struct strudp_end *ep, mblk_t *mp,
			const struct msghdr *how)
{
	struct tpi_datagram s;
	struct msghdr msg;
	size_t len;
	int err;

	err = request_read(ep->family, mp, &s, &len);
	if (err)
		return err;
	tpi_datagram_msghdr(&s, ep->family->addr_size, &msg);
	if (how) {
		/* The data are in the message now, and no pages of the caller's. */
		msg.msg_flags = (how->msg_flags &
				 ~(MSG_SPLICE_PAGES | MSG_ZEROCOPY)) |
				MSG_DONTWAIT;
		msg.msg_control = how->msg_control;
		msg.msg_controllen = how->msg_controllen;
	}
	/*
	 * Else the route would be looked up anew each time. A datagram with a
	 * name is sent to that address, even if the socket is connected
	 * meanwhile.
	 */
	if (how && !how->msg_name && dest_is_peer(ep->sock->sk, &s.dest)) {
		msg.msg_name = NULL;
		msg.msg_namelen = 0;
	}
	return strudp_send_blocks(ep, &msg, mp->b_cont, len);
}
EXPORT_SYMBOL_GPL(strudp_send_request);

/**
 * strudp_send_error() - report the error of a T_UNITDATA_REQ that could not be
 * sent
 * @ep: the endpoint
 * @mp: the primitive, consumed
 * @err: the error of strudp_send_request()
 *
 * Return: T_UDERROR_IND or, for a malformed one, M_ERROR, for strtpi_reply();
 * NULL when memory is short. TPI version 2, T_UDERROR_IND.
 */
mblk_t *strudp_send_error(const struct strudp_end *ep, mblk_t *mp, int err)
{
	struct tpi_datagram s;
	size_t len;

	if (err == -EPROTO)
		return strtpi_fatal(mp);
	/* For the destination, as much of it as there is. */
	request_read(ep->family, mp, &s, &len);
	return strtpi_uderror_ind(mp, &s.dest, ep->family->addr_size, -err);
}
EXPORT_SYMBOL_GPL(strudp_send_error);
