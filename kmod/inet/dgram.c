// SPDX-License-Identifier: GPL-2.0-only
/* Datagrams: T_UNITDATA_REQ, T_UNITDATA_IND, T_UDERROR_IND */
#include <linux/errqueue.h>
#include <linux/ipv6.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <net/sock.h>
#include <net/udp.h>
#include <sys/xti_inet.h>

#include "streams/message/mblk.h"
#include "tpi/datagram.h"
#include "tpi/opt.h"
#include "dgram.h"
#include "end.h"
#include "send.h"

/*
 * The most datagrams and errors of one run; other endpoints then have their
 * turn.
 */
#define READ_BUDGET	32

/* The most datagrams that a caller fetches in one look for all of them. */
#define FETCH_BUDGET	1024

/* The bytes of all control messages of one datagram */
#define CONTROL_MAX	256

/* Reads the primitive; -EPROTO if it is malformed. */
static int strinet_send_parse(struct strinet_end *ep, const mblk_t *mp, struct tpi_datagram *s)
{
	int err;

	if (ep->state != TS_IDLE)
		return -EPROTO;
	err = tpi_datagram_get(s, mp, ep->provider->domain, ep->provider->addr_size,
			       !strinet_is_in6(ep));
	if (!err && ep->provider->type == SOCK_RAW)
		s->dest.in.sin_port = 0;
	else if (!err && !s->dest.in.sin_port)
		err = -EINVAL;
	return err;
}

static int send_once(struct strinet_end *ep, struct tpi_datagram *s,
		     const struct iov_iter *from)
{
	struct msghdr msg;
	int err;

	if (iov_iter_count(from) > ep->provider->tsdu)
		return -EMSGSIZE;
	tpi_datagram_msghdr(s, ep->provider->addr_size, &msg);
	msg.msg_iter = *from;
	/*
	 * Page faults are off so that a user's memory alone is not waited for;
	 * the section is not atomic.
	 */
	pagefault_disable();
	err = sock_sendmsg(ep->sock, &msg);
	pagefault_enable();
	return err;
}

/* Returns the next control message of a datagram, or NULL. */
static const struct cmsghdr *next_control(const void **at, size_t *len)
{
	const struct cmsghdr *cmsg = *at;
	size_t step;

	if (*len < sizeof(*cmsg) || cmsg->cmsg_len < sizeof(*cmsg) ||
	    cmsg->cmsg_len > *len)
		return NULL;
	step = min_t(size_t, CMSG_ALIGN(cmsg->cmsg_len), *len);
	*at += step;
	*len -= step;
	return cmsg;
}

/*
 * Returns the reason a datagram did not arrive, a positive errno; 0: ICMP
 * reports none.
 */
static int control_error(const void *at, size_t len)
{
	const struct cmsghdr *cmsg;

	while ((cmsg = next_control(&at, &len))) {
		const struct sock_extended_err *ee = CMSG_DATA(cmsg);

		if (((cmsg->cmsg_level == SOL_IP &&
		      cmsg->cmsg_type == IP_RECVERR) ||
		     (cmsg->cmsg_level == SOL_IPV6 &&
		      cmsg->cmsg_type == IPV6_RECVERR)) &&
		    cmsg->cmsg_len >= CMSG_LEN(sizeof(*ee)))
			return ee->ee_origin == SO_EE_ORIGIN_ICMP ||
			       ee->ee_origin == SO_EE_ORIGIN_ICMP6 ?
			       ee->ee_errno : 0;
	}
	return 0;
}

/*
 * Reads the destination and the error of a datagram that did not arrive.
 * Returns 0 when no error is queued.
 */
static int error_read(struct socket *sock, union tpi_addr *dest)
{
	char control[CONTROL_MAX] __aligned(CMSG_ALIGN(1));
	struct msghdr msg = {
		.msg_name = dest,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct kvec vec = { };
	int n;

	n = kernel_recvmsg(sock, &msg, &vec, 1, 0,
			   MSG_ERRQUEUE | MSG_DONTWAIT);
	if (n < 0)
		return n;
	return control_error(control, sizeof(control) - msg.msg_controllen);
}

/* An error may be lost, as a datagram may. */
static void error_up(struct strinet_end *ep, const union tpi_addr *dest, int err)
{
	t_scalar_t size = ep->provider->addr_size;
	mblk_t *mp;

	if (!canputnext(ep->rq))
		return;
	/* The allocation may wait for memory, so it does not use the reserves. */
	mp = allocb_gfp(sizeof(struct T_uderror_ind) + size, GFP_KERNEL | __GFP_NOWARN);
	if (mp)
		mp = strtpi_uderror_ind(mp, dest, size, err);
	if (mp)
		putnext(ep->rq, mp);
}

/*
 * Reports all errors that came back for datagrams. The kernel also keeps the
 * last one for the next call on the socket, which is another datagram's: that
 * error is cleared.
 */
static bool errors_up(struct strinet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	union tpi_addr dest;
	int budget = READ_BUDGET, err;
	bool any = false;

	while (budget-- && !skb_queue_empty_lockless(&sk->sk_error_queue)) {
		memset(&dest, 0, sizeof(dest));
		err = error_read(ep->sock, &dest);
		if (err < 0)
			break;
		any = true;
		if (err)
			error_up(ep, &dest, err);
	}
	return sock_error(sk) || any;
}

/* Returns whether an error may be an earlier datagram's: sending alone does not cause it. */
static bool is_late(int err)
{
	return err < 0 && err != -EAGAIN && err != -EFAULT && err != -ENOBUFS &&
	       err != -EPERM;
}

/*
 * Sends a datagram. An error that an earlier datagram left is reported as that
 * datagram's.
 */
static int strinet_send_datagram(struct strinet_end *ep, struct tpi_datagram *s,
				 struct iov_iter *from)
{
	int err;

	errors_up(ep);
	err = send_once(ep, s, from);
	if (is_late(err) && errors_up(ep))
		err = send_once(ep, s, from);
	return err;
}

/* -EAGAIN is returned only if sock_write_space() will be called for room. */
static int strinet_send_blocks(struct strinet_end *ep, struct tpi_datagram *s, const mblk_t *data)
{
	struct kvec vec[INET_BLOCKS];
	struct iov_iter from;
	const mblk_t *rest;
	unsigned int n;
	size_t len;
	int err;

	n = strinet_kvec(data, vec, &len, &rest);
	iov_iter_kvec(&from, ITER_SOURCE, vec, n, len);
	err = strinet_send_datagram(ep, s, &from);
	if (err != -EAGAIN)
		return err;
	WRITE_ONCE(ep->blocked, true);
	/* The flag is set before the look at the buffer; pairs with sock_write_space(). */
	smp_mb();
	err = strinet_send_datagram(ep, s, &from);
	if (err != -EAGAIN)
		WRITE_ONCE(ep->blocked, false);
	else if (!sk_wmem_alloc_get(ep->sock->sk))
		/*
		 * No packet is in transit, so sock_write_space() will not be
		 * called: a different layer refused the datagram.
		 */
		return -ENOBUFS;
	return err;
}

/**
 * strinet_unitdata_req() - send a datagram
 * @ep: the endpoint
 * @mp: the primitive and its data; consumed, unless false is returned
 *
 * Return: false when it has to wait for room in the send buffer.
 * TPI version 2, T_UNITDATA_REQ.
 */
bool strinet_unitdata_req(struct strinet_end *ep, mblk_t *mp)
{
	struct tpi_datagram s = {};
	int err = strinet_send_parse(ep, mp, &s);
	size_t len;

	/*
	 * The data is gathered after the address: an error names the address.
	 */
	if (!err)
		err = tpi_gather(mp, INET_BLOCKS, &len);
	if (!err)
		err = strinet_send_blocks(ep, &s, mp->b_cont);
	if (err == -EAGAIN)
		return false;
	if (err < 0)
		strinet_reply(ep, strtpi_unsent(ep->rq, mp, &s.dest,
						ep->provider->addr_size, err));
	else
		freemsg(mp);
	return true;
}

/* strinet_unitdata_req() handles a request that has to wait, or is wrong. */
static int dgram_put(struct strinet_end *ep, const mblk_t *ctl,
		     struct iov_iter *from)
{
	struct tpi_datagram s = {};
	int err;

	if (tpi_type(ctl) != T_UNITDATA_REQ || strinet_send_parse(ep, ctl, &s))
		return -ENODATA;
	err = strinet_send_datagram(ep, &s, from);
	/*
	 * A page of the data is missing: the datagram waits for the page as a
	 * message.
	 */
	if (err == -EAGAIN || err == -EFAULT)
		return -ENODATA;
	/*
	 * The datagram is not sent again: some of a group's members may have
	 * it.
	 */
	if (err < 0)
		error_up(ep, &s.dest, -err);
	return 0;
}

static void *put_in6(void *at, u32 name, const struct cmsghdr *cmsg, u32 len)
{
	return cmsg->cmsg_len < CMSG_LEN(len) ? at :
	       strtpi_opt_put(at, T_INET_IPV6, name, T_SUCCESS, CMSG_DATA(cmsg), len);
}

static void *put_control6(void *at, const struct cmsghdr *cmsg)
{
	switch (cmsg->cmsg_type) {
	case IPV6_PKTINFO:
		return put_in6(at, T_IPV6_PKTINFO, cmsg, sizeof(struct in6_pktinfo));
	case IPV6_HOPLIMIT:
		return put_in6(at, T_IPV6_HOPLIMIT, cmsg, sizeof(u32));
	case IPV6_TCLASS:
		return put_in6(at, T_IPV6_TCLASS, cmsg, sizeof(u32));
	default:
		return at;
	}
}

/* Converts one control message of a datagram to an option. Returns the end of the options. */
static void *put_control(void *at, const struct cmsghdr *cmsg)
{
	const struct in_pktinfo *info = CMSG_DATA(cmsg);
	const int *number = CMSG_DATA(cmsg);
	const u8 *byte = CMSG_DATA(cmsg);
	u32 wide;
	u8 ttl;

	if (cmsg->cmsg_level == SOL_IPV6)
		return put_control6(at, cmsg);
	if (cmsg->cmsg_level != SOL_IP)
		return at;
	switch (cmsg->cmsg_type) {
	case IP_PKTINFO:
		if (cmsg->cmsg_len < CMSG_LEN(sizeof(*info)))
			return at;
		return strtpi_opt_put(at, T_INET_IP, T_IP_RECVDSTADDR, T_SUCCESS,
				      &info->ipi_addr, sizeof(info->ipi_addr));
	case IP_TTL:
		if (cmsg->cmsg_len < CMSG_LEN(sizeof(*number)))
			return at;
		ttl = *number;
		return strtpi_opt_put(at, T_INET_IP, T_IP_TTL, T_SUCCESS, &ttl, sizeof(ttl));
	case IP_TOS:
		if (cmsg->cmsg_len < CMSG_LEN(sizeof(*byte)))
			return at;
		wide = *byte;
		return strtpi_opt_put(at, T_INET_IP, T_IP_TOS, T_SUCCESS, &wide, sizeof(wide));
	default:
		return at;
	}
}

/* Bytes of the options that may come with a datagram, at most. */
static size_t ind_options(const struct strinet_end *ep)
{
	if (!ep->kept.rcvopts)
		return 0;
	return 3 * sizeof(struct T_opthdr) + 2 * sizeof(u32) +
	       (strinet_is_in6(ep) ? sizeof(struct in6_pktinfo) : sizeof(struct in_addr));
}

static void put_controls(const struct strinet_end *ep, mblk_t *mp, const void *control,
			 size_t len)
{
	struct T_unitdata_ind *ind = (struct T_unitdata_ind *)mp->b_rptr;
	unsigned char *start = mp->b_wptr, *at = start;
	const struct cmsghdr *cmsg;
	/* The kernel puts each of the three into a datagram once. */
	unsigned int n = 3;

	/* Padding between options is copied to the user too. */
	memset(start, 0, ind_options(ep));
	while (n-- && (cmsg = next_control(&control, &len)))
		at = put_control(at, cmsg);
	if (at == start)
		return;
	mp->b_wptr = at;
	ind->OPT_length = at - start;
	ind->OPT_offset = start - mp->b_rptr;
}

static size_t ind_size(const struct strinet_end *ep)
{
	return sizeof(struct T_unitdata_ind) + ep->provider->addr_size;
}

/* Writes the primitive, without options; the sender's address follows. */
static void unitdata_init(const struct strinet_end *ep, void *at)
{
	*(struct T_unitdata_ind *)at = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = ep->provider->addr_size,
		.SRC_offset = sizeof(struct T_unitdata_ind),
	};
}

/*
 * Allocates the indication with a block behind it for len bytes of data: both
 * are one object if the bytes are few.
 */
static mblk_t *strinet_unitdata_ind(const struct strinet_end *ep, size_t len)
{
	size_t size = ind_size(ep), room = size + ind_options(ep);
	mblk_t *mp = allocb_pair(room, len, GFP_KERNEL | __GFP_NOWARN);

	if (!mp) {
		mp = allocb_gfp(room, GFP_KERNEL | __GFP_NOWARN);
		if (!mp)
			return NULL;
		mp->b_cont = allocb_gfp(len ?: 1, GFP_KERNEL | __GFP_NOWARN);
		if (!mp->b_cont) {
			freeb(mp);
			return NULL;
		}
	}
	DB_TYPE(mp) = M_PROTO;
	unitdata_init(ep, mp->b_rptr);
	mp->b_wptr += size;
	return mp;
}

/*
 * The number alone does not decide: a raw socket may have UDP's number as well.
 */
static bool is_udp(const struct sock *sk)
{
	return sk->sk_type == SOCK_DGRAM;
}

/* Looks at both queues of a UDP sock; a raw one has no second queue. */
static bool is_drained(struct sock *sk)
{
	return skb_queue_empty_lockless(&sk->sk_receive_queue) &&
	       (!is_udp(sk) ||
		skb_queue_empty_lockless(&udp_sk(sk)->reader_queue));
}

/*
 * Returns the length of the first datagram; -EAGAIN: the queue is empty;
 * -EINVAL: the datagram may not be the next to be read.
 */
static int queue_length(struct sk_buff_head *queue)
{
	struct sk_buff *skb;
	int len = -EAGAIN;

	if (skb_queue_empty_lockless(queue))
		return len;
	spin_lock_bh(&queue->lock);
	skb = skb_peek(queue);
	if (skb)
		len = skb_csum_unnecessary(skb) ? skb->len : -EINVAL;
	spin_unlock_bh(&queue->lock);
	return len;
}

/* Returns the length of the next datagram, or an error. */
static int next_length(struct strinet_end *ep)
{
	struct sock *sk = ep->sock->sk;
	struct msghdr msg = { };
	struct kvec vec = { };
	int len = -EINVAL;

	/*
	 * The caller is the only reader. The kernel itself drops bad checksums.
	 */
	if (is_udp(sk) && !READ_ONCE(sk->sk_err)) {
		len = queue_length(&udp_sk(sk)->reader_queue);
		if (len == -EAGAIN)
			len = queue_length(&sk->sk_receive_queue);
	}
	if (len != -EINVAL)
		return len;
	return kernel_recvmsg(ep->sock, &msg, &vec, 1, 0,
			      MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
}

/* Takes a datagram of that length. Returns 0 or an error. */
static int read_datagram(struct strinet_end *ep, size_t len)
{
	char control[CONTROL_MAX] __aligned(CMSG_ALIGN(1));
	union tpi_addr *from;
	struct msghdr msg = {
		.msg_control = control,
		.msg_controllen = ep->kept.rcvopts ? sizeof(control) : 0,
	};
	mblk_t *mp = strinet_unitdata_ind(ep, len), *data;
	struct kvec vec;
	int n;

	if (!mp)
		return -ENOMEM;
	data = mp->b_cont;
	from = (union tpi_addr *)(mp->b_rptr + sizeof(struct T_unitdata_ind));
	msg.msg_name = from;
	vec.iov_base = data->b_wptr;
	vec.iov_len = len;
	n = kernel_recvmsg(ep->sock, &msg, &vec, 1, len, MSG_DONTWAIT);
	if (n < 0) {
		freemsg(mp);
		return n;
	}
	/* A raw socket has no port. */
	if (ep->provider->type == SOCK_RAW)
		from->in.sin_port = 0;
	data->b_wptr += min_t(size_t, n, len);
	if (ep->kept.rcvopts)
		put_controls(ep, mp, control,
			     sizeof(control) - msg.msg_controllen);
	strinet_up(ep, mp);
	return 0;
}

/* Reads some datagrams, and reports errors. */
static enum inet_read read_datagrams(struct strinet_end *ep, int budget)
{
	struct sock *sk = ep->sock->sk;
	bool any = false;
	int len;

	if (ep->state != TS_IDLE)
		return INET_READ_ALL;
	while (budget--) {
		errors_up(ep);
		if (!strinet_end_has_room(ep))
			return INET_READ_ALL;
		len = next_length(ep);
		if (len >= 0)
			len = read_datagram(ep, len);
		if (len == -EAGAIN)
			return INET_READ_ALL;
		if (len == -ENOMEM || len == -ENOBUFS) {
			strinet_end_retry(ep);
			return INET_READ_LATER;
		}
		any |= len >= 0;
	}
	/* A lasting error waits for the next event. */
	if (!any)
		return INET_READ_LATER;
	return is_drained(sk) && skb_queue_empty_lockless(&sk->sk_error_queue) ?
	       INET_READ_ALL : INET_READ_MORE;
}

/* Handles events of an endpoint of datagrams. */
static enum inet_read dgram_up(struct strinet_end *ep)
{
	return read_datagrams(ep, READ_BUDGET);
}

static enum inet_read dgram_fetch(struct strinet_end *ep, bool all)
{
	enum inet_read left = read_datagrams(ep, all ? FETCH_BUDGET : 1);

	/* The work item, unlike a caller, can be tried again after errors. */
	if (left == INET_READ_LATER)
		strinet_end_kick(ep);
	return left;
}

/* Returns whether the next datagram has at most that many bytes. */
static bool has_datagram(struct strinet_end *ep, size_t most)
{
	struct sock *sk = ep->sock->sk;
	int len;

	if (ep->state != TS_IDLE ||
	    !skb_queue_empty_lockless(&sk->sk_error_queue) ||
	    READ_ONCE(sk->sk_err))
		return false;
	len = next_length(ep);
	return len >= 0 && len <= most;
}

/* dgram_fetch() handles errors, and datagrams that may be bad. */
static bool dgram_peek(struct strinet_end *ep)
{
	return has_datagram(ep, SIZE_MAX);
}

/*
 * Gives a reader a short datagram by way of g->data: bytes that the user's
 * memory did not take would be lost. dgram_fetch() handles a datagram with
 * options, and all other events.
 */
static int dgram_get(struct strinet_end *ep, struct str_get *g)
{
	struct kvec vec = { .iov_base = g->data, .iov_len = sizeof(g->data) };
	struct msghdr msg = {
		.msg_name = g->ctl + sizeof(struct T_unitdata_ind),
	};
	union tpi_addr *from = msg.msg_name;
	int n;

	static_assert(sizeof(g->ctl) >= sizeof(struct T_unitdata_ind) +
					sizeof(struct sockaddr_in6));
	if (ep->kept.rcvopts || (g->word != -1 && g->word != T_UNITDATA_IND) ||
	    !has_datagram(ep, min(sizeof(g->data), iov_iter_count(&g->to))))
		return -ENODATA;
	n = kernel_recvmsg(ep->sock, &msg, &vec, 1, sizeof(g->data),
			   MSG_DONTWAIT);
	if (n < 0)
		return -ENODATA;
	if (ep->provider->type == SOCK_RAW)
		from->in.sin_port = 0;
	unitdata_init(ep, g->ctl);
	g->ctllen = ind_size(ep);
	g->len = n;
	return 0;
}

static bool dgram_waits(struct strinet_end *ep)
{
	return ep->state == TS_IDLE && !is_drained(ep->sock->sk);
}

const struct strinet_data_ops inet_dgram_data = {
	.put = dgram_put,
	.get = dgram_get,
	.up = dgram_up,
	.fetch = dgram_fetch,
	.peek = dgram_peek,
	.waits = dgram_waits,
};
