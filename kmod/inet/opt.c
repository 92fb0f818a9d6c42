// SPDX-License-Identifier: GPL-2.0-only
/* The options of endpoints over kernel sockets; runs in the work item */
#include <linux/in.h>
#include <linux/net.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <sys/xti_inet.h>

#include "end.h"
#include "opt.h"

/* The number of seconds in a minute: XTI has minutes, and the kernel seconds */
#define MINUTE		60

/* XTI's struct t_kpalive. */
struct kpalive {
	t_scalar_t onoff;		/* T_YES, T_NO, with T_GARBAGE */
	t_scalar_t timeout;		/* minutes */
};

#define COMMON_OPTS	TPI_SOCKET_OPTS(0, 0), TPI_IP_HEADER_OPTS, TPI_IP_OPTS
#define IN6_OPTS	TPI_SOCKET_OPTS(0, 0), TPI_IP_OPTS, TPI_IPV6_OPTS

#define DATAGRAM_OPTS							\
	TPI_RECEIVED(T_INET_IP, T_IP_RECVDSTADDR, SOL_IP, IP_PKTINFO, TPI_RCV_DSTADDR), \
	TPI_RECEIVED(T_INET_IP, T_IP_RECVTTL, SOL_IP, IP_RECVTTL, TPI_RCV_TTL), \
	TPI_RECEIVED(T_INET_IP, T_IP_RECVTOS, SOL_IP, IP_RECVTOS, TPI_RCV_TOS)

#define DATAGRAM6_OPTS							\
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVPKTINFO, SOL_IPV6,		\
		     IPV6_RECVPKTINFO, TPI_RCV_DSTADDR),		\
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, SOL_IPV6,	\
		     IPV6_RECVHOPLIMIT, TPI_RCV_TTL),			\
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVTCLASS, SOL_IPV6,		\
		     IPV6_RECVTCLASS, TPI_RCV_TOS)

#define TCP_OPTS							\
	TPI_BOOLEAN(T_INET_TCP, T_TCP_NODELAY, SOL_TCP, TCP_NODELAY),	\
	TPI_FIXED(T_INET_TCP, T_TCP_MAXSEG, SOL_TCP, TCP_MAXSEG),	\
	/* A value of two numbers, or of the first one alone. */	\
	{ .level = T_INET_TCP, .name = T_TCP_KEEPALIVE,			\
	  .size = sizeof(struct kpalive), .flags = TPI_OPT_BYTES }

static const struct tpi_opt tcp_opts[] = { COMMON_OPTS, TCP_OPTS };
static const struct tpi_opt tcp6_opts[] = { IN6_OPTS, TCP_OPTS };

static const struct tpi_opt udp_opts[] = {
	COMMON_OPTS,
	DATAGRAM_OPTS,
	TPI_BOOLEAN(T_INET_UDP, T_UDP_CHECKSUM, SOL_SOCKET, SO_NO_CHECK),
};

static const struct tpi_opt raw_opts[] = { COMMON_OPTS, DATAGRAM_OPTS };

/* The kernel has no options of IPv4 for these sockets. */
static const struct tpi_opt raw6_opts[] = {
	TPI_SOCKET_OPTS(0, 0), TPI_IPV6_HEADER_OPTS, DATAGRAM6_OPTS,
};

static const struct tpi_opt sctp_opts[] = { COMMON_OPTS };
static const struct tpi_opt sctp6_opts[] = { IN6_OPTS };

static size_t strinet_tcp_current(void *end, const struct tpi_opt *o,
				  union strtpi_opt_value *v)
{
	const struct tpi_sock_end *e = end;
	const struct tcp_sock *tp = tcp_sk(e->sock->sk);
	struct kpalive kp;

	if (o->level != T_INET_TCP)
		return strtpi_sock_current(end, o, v);
	switch (o->name) {
	case T_TCP_NODELAY:
		v->number = !!(tp->nonagle & TCP_NAGLE_OFF);
		break;
	case T_TCP_MAXSEG:
		v->number = tp->mss_cache;
		break;
	default:
		kp.onoff = sock_flag(e->sock->sk, SOCK_KEEPOPEN) ? T_YES : T_NO;
		kp.timeout = keepalive_time_when(tp) / HZ / MINUTE;
		memcpy(v->bytes, &kp, sizeof(kp));
	}
	return o->size;
}

static size_t strinet_tcp_default(void *end, const struct tpi_opt *o,
				  union strtpi_opt_value *v)
{
	const struct tpi_sock_end *e = end;
	struct kpalive kp = { };

	if (o->level != T_INET_TCP)
		return strtpi_sock_default(end, o, v);
	if (o->flags & TPI_OPT_READONLY)
		return strinet_tcp_current(end, o, v);
	memset(v, 0, sizeof(*v));
	if (o->name == T_TCP_KEEPALIVE) {
		kp.timeout = READ_ONCE(sock_net(e->sock->sk)->ipv4.sysctl_tcp_keepalive_time) /
			     HZ / MINUTE;
		memcpy(v->bytes, &kp, sizeof(kp));
	}
	return o->size;
}

static int set_keepalive(struct socket *sock, const u8 *bytes, size_t len)
{
	struct kpalive kp = { .timeout = T_UNSPEC };
	u32 onoff;
	int err = 0;

	if (len == sizeof(kp)) {
		memcpy(&kp, bytes, sizeof(kp));
		/*
		 * No valid structure has the timeout 0. A number that is as
		 * long as the structure has it.
		 */
		if (!kp.timeout)
			kp.timeout = T_UNSPEC;
	} else {
		err = strtpi_opt_value(bytes, len, &onoff);
		if (err)
			return err;
		kp.onoff = onoff;
	}
	if (kp.onoff != T_NO && kp.onoff != T_YES &&
	    kp.onoff != (T_YES | T_GARBAGE))
		return -EINVAL;
	/* The kernel takes at most 32,767 seconds for TCP_KEEPIDLE. */
	if (kp.onoff && kp.timeout != T_UNSPEC) {
		if (kp.timeout < 1 || kp.timeout > 32767 / MINUTE)
			return -EINVAL;
		err = strtpi_set_int(sock, SOL_TCP, TCP_KEEPIDLE, kp.timeout * MINUTE);
	}
	return err ?: strtpi_set_int(sock, SOL_SOCKET, SO_KEEPALIVE, !!kp.onoff);
}

static int strinet_tcp_set(void *end, const struct tpi_opt *o,
			   const union strtpi_opt_value *v, size_t len)
{
	const struct tpi_sock_end *e = end;

	if (o->level == T_INET_TCP && o->name == T_TCP_KEEPALIVE)
		return set_keepalive(e->sock, v->bytes, len);
	return strtpi_sock_set(end, o, v, len);
}

static const struct tpi_opts *strinet_opts(const struct strinet_end *ep)
{
	static const struct tpi_opts tcp = TPI_OPTS(tcp_opts, strinet_tcp);
	static const struct tpi_opts udp = TPI_OPTS(udp_opts, strtpi_sock);
	static const struct tpi_opts raw = TPI_OPTS(raw_opts, strtpi_sock);
	static const struct tpi_opts sctp = TPI_OPTS(sctp_opts, strtpi_sock);
	static const struct tpi_opts tcp6 = TPI_OPTS(tcp6_opts, strinet_tcp);
	static const struct tpi_opts raw6 = TPI_OPTS(raw6_opts, strtpi_sock);
	static const struct tpi_opts sctp6 = TPI_OPTS(sctp6_opts, strtpi_sock);
	bool in6 = strinet_is_in6(ep);

	switch (ep->provider->protocol) {
	case IPPROTO_TCP:
		return in6 ? &tcp6 : &tcp;
	case IPPROTO_UDP:
		return &udp;
	case IPPROTO_SCTP:
		return in6 ? &sctp6 : &sctp;
	default:
		return in6 ? &raw6 : &raw;
	}
}

/* Returns the answer to a T_OPTMGMT_REQ, which is consumed. */
mblk_t *strinet_optmgmt(struct strinet_end *ep, mblk_t *mp)
{
	struct tpi_sock_end end = { .kept = &ep->kept, .sock = strinet_end_sock(ep) };

	return strtpi_optmgmt(strinet_opts(ep), &end, mp, GFP_KERNEL);
}

/* Returns the error in an answer to a T_OPTMGMT_REQ. */
static int answer_error(const mblk_t *mp)
{
	struct T_optmgmt_ack ack;
	struct T_error_ack error;

	if (tpi_type(mp) == T_OPTMGMT_ACK)
		return tpi_get(mp, &ack, sizeof(ack)) &&
		       (ack.MGMT_flags == T_SUCCESS || ack.MGMT_flags == T_PARTSUCCESS) ?
		       0 : -EINVAL;
	return tpi_get(mp, &error, sizeof(error)) && error.TLI_error == TSYSERR ?
	       -ENOMEM : -EINVAL;
}

/**
 * strinet_opt_apply() - set the options that come with a connection, or with data
 * @ep: the endpoint
 * @sock: the connection's socket
 * @prim: the primitive
 * @offset: where in it the options are, as it says
 * @len: bytes of them, as it says
 *
 * As a T_NEGOTIATE of all of them. Return: 0, when all could be set, be it in
 * part; -EINVAL; or -ENOMEM. XTI (XNS Issue 5), t_connect(), t_accept().
 */
int strinet_opt_apply(struct strinet_end *ep, struct socket *sock, const mblk_t *prim,
		      t_scalar_t offset, t_scalar_t len)
{
	const void *list = tpi_span(prim, offset, len);
	struct tpi_sock_end end = { .kept = &ep->kept, .sock = sock };
	struct T_optmgmt_req *req;
	mblk_t *mp;
	int err;

	if (!len)
		return 0;
	if (!list)
		return -EINVAL;
	mp = allocb_gfp(sizeof(*req) + len, GFP_KERNEL | __GFP_NOWARN);
	if (!mp)
		return -ENOMEM;
	mp->b_wptr += sizeof(*req) + len;
	req = (struct T_optmgmt_req *)mp->b_rptr;
	*req = (struct T_optmgmt_req){
		.PRIM_type = T_OPTMGMT_REQ,
		.OPT_length = len,
		.OPT_offset = sizeof(*req),
		.MGMT_flags = T_NEGOTIATE,
	};
	memcpy(req + 1, list, len);
	mp = strtpi_optmgmt(strinet_opts(ep), &end, mp, GFP_KERNEL);
	if (!mp)
		return -ENOMEM;
	err = answer_error(mp);
	freemsg(mp);
	return err;
}

/*
 * Converts a result of strinet_opt_apply() to a TLI error; TSYSERR is to be
 * reported as ENOSR.
 */
int strinet_opt_tli_error(int err)
{
	if (!err)
		return 0;
	return err == -ENOMEM ? TSYSERR : TBADOPT;
}

/* Returns whether the user has set a buffer's size; the kernel fits others to the connection. */
static bool is_users(const struct sock *sk, const struct tpi_opt *o)
{
	if (o->level != XTI_GENERIC)
		return true;
	if (o->name == XTI_RCVBUF)
		return sk->sk_userlocks & SOCK_RCVBUF_LOCK;
	if (o->name == XTI_SNDBUF)
		return sk->sk_userlocks & SOCK_SNDBUF_LOCK;
	return true;
}

/**
 * strinet_opt_copy() - give a new socket the options of another
 * @ep: the endpoint
 * @from: the one that was its own until now
 * @to: the new one
 */
void strinet_opt_copy(struct strinet_end *ep, struct socket *from, struct socket *to)
{
	struct tpi_sock_end old = { .kept = &ep->kept, .sock = from };
	struct tpi_sock_end new = { .kept = &ep->kept, .sock = to };
	const struct tpi_opts *opts = strinet_opts(ep);
	unsigned int i;

	for (i = 0; i < opts->count; i++) {
		const struct tpi_opt *o = &opts->opt[i];
		union strtpi_opt_value was = {}, is = {};
		size_t len;

		if (o->flags & TPI_OPT_READONLY || !is_users(from->sk, o))
			continue;
		len = opts->current_value(&old, o, &was);
		opts->current_value(&new, o, &is);
		/*
		 * The default is restored, not the value that the option had
		 * because the endpoint was bound.
		 */
		if (tpi_opt_is_v6only(o))
			was.number = ep->kept.v6only;
		/* The endpoint's own values are the same in both. */
		if ((o->flags & TPI_OPT_BYTES && o->level == T_INET_IP && len) ||
		    (o->bit && was.number) || memcmp(&was, &is, sizeof(was))) {
			if (o->size == sizeof(u8))
				was.number = was.bytes[0];
			opts->set(&new, o, &was, len);
		}
	}
}
