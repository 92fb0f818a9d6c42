// SPDX-License-Identifier: GPL-2.0-only
/* T_UNITDATA_REQ: a datagram to send, and T_UDERROR_IND, why it was not */
#include <linux/bpf-cgroup.h>
#include <linux/in.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/sock.h>
#include <sys/xti_inet.h>

#include "opt.h"
#include "udp.h"
#include "udp_end.h"

/* Blocks of a message sent without gathering them in one. */
#define SEND_BLOCKS	8

/* The options of one datagram, as control messages for the kernel. */
struct send_cmsg {
	struct cmsghdr hdr;
	int value;
} __aligned(CMSG_ALIGN(1));

struct send {
	struct sockaddr_in dest;
	struct send_cmsg cmsg[2];	/* IP_TTL, IP_TOS */
	unsigned int ncmsg;
	unsigned int flags;
};

/**
 * udp_uderror_ind() - make a T_UDERROR_IND
 * @req: a message to make it of, consumed
 * @dest: where the datagram was to go; not inside @req
 * @err: why it could not, a positive errno
 *
 * Return: the message or NULL. TPI version 2, T_UDERROR_IND.
 */
mblk_t *udp_uderror_ind(mblk_t *req, const struct sockaddr_in *dest, int err)
{
	struct T_uderror_ind *ind;
	mblk_t *mp = tpi_addr_answer(req, sizeof(*ind), dest, sizeof(*dest),
				     M_PROTO);

	if (!mp)
		return NULL;
	ind = (struct T_uderror_ind *)mp->b_rptr;
	ind->PRIM_type = T_UDERROR_IND;
	ind->DEST_length = sizeof(*dest);
	ind->DEST_offset = sizeof(*ind);
	ind->ERROR_type = err;
	return mp;
}

static int send_cmsg(struct send *s, int type, int value)
{
	struct send_cmsg *c;

	if (s->ncmsg == ARRAY_SIZE(s->cmsg))
		return -EINVAL;
	c = &s->cmsg[s->ncmsg++];
	c->hdr.cmsg_len = CMSG_LEN(sizeof(int));
	c->hdr.cmsg_level = SOL_IP;
	c->hdr.cmsg_type = type;
	c->value = value;
	return 0;
}

static int send_option(struct send *s, const struct T_opthdr *oh,
		       const void *at)
{
	u32 value;
	int err;

	if (oh->level != T_INET_IP)
		return -EINVAL;
	err = tpi_opt_value(at, oh->len - sizeof(*oh), &value);
	if (err)
		return err;
	switch (oh->name) {
	case T_IP_TTL:
		return value < 1 || value > 255 ? -EINVAL :
		       send_cmsg(s, IP_TTL, value);
	case T_IP_TOS:
		return value > 255 ? -EINVAL : send_cmsg(s, IP_TOS, value);
	case T_IP_DONTROUTE:
		if (value)
			s->flags |= MSG_DONTROUTE;
		return 0;
	default:
		return -EINVAL;
	}
}

static int send_options(struct send *s, const void *at, size_t len)
{
	struct T_opthdr oh;
	const void *value;
	int err;

	while ((err = tpi_opt_next(&at, &len, &oh, &value)) > 0) {
		err = send_option(s, &oh, value);
		if (err)
			return err;
	}
	return err;
}

static int send_message(struct udp_end *ep, struct send *s, const mblk_t *data,
			size_t len)
{
	struct kvec vec[SEND_BLOCKS];
	struct msghdr msg = {
		.msg_name = &s->dest,
		.msg_namelen = sizeof(s->dest),
		.msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL | s->flags,
	};
	unsigned int n = 0;

	for (; data; data = data->b_cont) {
		if (n == SEND_BLOCKS)
			return -ENOBUFS;
		vec[n].iov_base = data->b_rptr;
		vec[n++].iov_len = MBLKL(data);
	}
	iov_iter_kvec(&msg.msg_iter, ITER_SOURCE, vec, n, len);
	if (s->ncmsg) {
		msg.msg_control = s->cmsg;
		msg.msg_controllen = s->ncmsg * sizeof(s->cmsg[0]);
	}
	return strudp_sendmsg(ep->sock->sk, &ep->cache, &msg, len);
}

/*
 * Whether there is no room in the send buffer, and somebody will say when
 * there is. end_write_space() looks at blocked after it has made room.
 */
static bool send_blocked(struct udp_end *ep)
{
	struct sock *sk = ep->sock->sk;

	WRITE_ONCE(ep->blocked, true);
	/* Before the look at the buffer; pairs with end_write_space(). */
	smp_mb();
	if (sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf))
		return true;
	WRITE_ONCE(ep->blocked, false);
	return false;
}

/* Data parts beside each other, however the sender's modules cut them. */
static int gather(mblk_t *mp)
{
	unsigned int n = 0;
	mblk_t *bp;

	for (bp = mp->b_cont; bp; bp = bp->b_cont) {
		if (DB_TYPE(bp) != M_DATA)
			return -EPROTO;
		n++;
	}
	if (n <= SEND_BLOCKS)
		return 0;
	bp = msgpullup(mp->b_cont, -1);
	if (!bp)
		return -ENOBUFS;
	freemsg(mp->b_cont);
	mp->b_cont = bp;
	return 0;
}

/* Reads the primitive; what cannot be understood is -EPROTO. */
static int send_parse(const mblk_t *mp, struct send *s)
{
	struct T_unitdata_req req;
	const void *dest, *opts;

	if (!tpi_get(mp, &req, sizeof(req)))
		return -EPROTO;
	dest = tpi_span(mp, req.DEST_offset, req.DEST_length);
	opts = tpi_span(mp, req.OPT_offset, req.OPT_length);
	if (!dest || (req.OPT_length && !opts))
		return -EPROTO;
	memcpy(&s->dest, dest,
	       min_t(size_t, req.DEST_length, sizeof(s->dest)));
	if (req.DEST_length != sizeof(s->dest) ||
	    s->dest.sin_family != AF_INET || !s->dest.sin_port)
		return -EINVAL;
	return req.OPT_length ? send_options(s, opts, req.OPT_length) : 0;
}

/*
 * Sends; false: there is no room, and somebody will say when there is. What
 * else fails with EAGAIN (a policy of IPsec, a BPF program) is an error.
 */
static bool send_or_wait(struct udp_end *ep, struct send *s, const mblk_t *data,
			 size_t len, int *err)
{
	int tries = 2;

	do {
		*err = send_message(ep, s, data, len);
		if (*err != -EAGAIN)
			break;
		if (send_blocked(ep))
			return false;
	} while (--tries);
	return true;
}

/**
 * udp_unitdata_sleeps() - whether sending may sleep
 *
 * The kernel locks the sock for a BPF program that looks at destinations.
 */
bool udp_unitdata_sleeps(void)
{
	return cgroup_bpf_enabled(CGROUP_UDP4_SENDMSG);
}

/**
 * udp_unitdata_req() - send a datagram
 * @ep: the endpoint
 * @mp: the primitive and its data; consumed, unless false is returned
 * @answer: set to what is to go up: T_UDERROR_IND, M_ERROR, or NULL
 *
 * Context: inside the perimeter or, when udp_unitdata_sleeps(), in the work
 * item.
 * Return: false when it has to wait for room in the send buffer.
 * TPI version 2, T_UNITDATA_REQ.
 */
bool udp_unitdata_req(struct udp_end *ep, mblk_t *mp, mblk_t **answer)
{
	struct send s = {};
	size_t len = 0;
	int err;

	*answer = NULL;
	/* Not acknowledged, so in the wrong state it can but end the stream. */
	err = ep->state == TS_IDLE ? send_parse(mp, &s) : -EPROTO;
	if (!err)
		err = gather(mp);
	if (!err) {
		len = mp->b_cont ? msgsize(mp->b_cont) : 0;
		if (len > UDP_MAX_PAYLOAD)
			err = -EMSGSIZE;
	}
	if (!err && mp->b_cont && !s.ncmsg && !s.flags &&
	    udp_send_message(ep->sock->sk, &ep->cache, &s.dest, mp, len))
		return true;
	if (!err && !send_or_wait(ep, &s, mp->b_cont, len, &err))
		return false;
	if (err == -EPROTO)
		*answer = tpi_fatal(mp);
	else if (err < 0 && canputnext(ep->rq))
		*answer = udp_uderror_ind(mp, &s.dest, -err);
	else
		/* Sent, or an error that is lost as a datagram may be. */
		freemsg(mp);
	return true;
}
