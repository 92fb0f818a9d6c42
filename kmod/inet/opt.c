// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of endpoints over kernel sockets
 *
 * Values are kept where the kernel keeps them, in the sock, and set through
 * its setsockopt() with the credentials of the stream's opener. Runs in the
 * work item.
 */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <sys/xti_inet.h>

#include "tpi/opt.h"
#include "end.h"
#include "opt.h"

/* Minutes, which the kernel keeps in seconds */
#define MINUTE		60

/* XTI's struct t_kpalive. */
struct kpalive {
	t_scalar_t onoff;		/* T_YES, T_NO, with T_GARBAGE */
	t_scalar_t timeout;		/* minutes */
};

/* The owner of options: an endpoint, by one of its sockets. */
struct opt_end {
	struct strinet_end *ep;
	struct socket *sock;
};

#define FIXED(lvl, nm)							\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_READONLY }
#define RECEIVED(lvl, nm, sol, so, which)				\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_BOOL, .so_level = (sol), .so_name = (so),	\
	  .max = 1, .bit = (which) }

#define GENERIC_OPTS							\
	TPI_SOCKET_OPTS,						\
	/* The endpoint's own: a socket with it would not report less. */ \
	TPI_NUMBER(XTI_GENERIC, XTI_RCVLOWAT, 0, 0, 0, INT_MAX),	\
	FIXED(XTI_GENERIC, XTI_SNDLOWAT)

#define COMMON_OPTS							\
	GENERIC_OPTS,							\
	{ .level = T_INET_IP, .name = T_IP_OPTIONS,			\
	  .flags = TPI_OPT_BYTES, .so_level = SOL_IP,			\
	  .so_name = IP_OPTIONS },					\
	TPI_IP_OPTS

#define DATAGRAM_OPTS							\
	RECEIVED(T_INET_IP, T_IP_RECVDSTADDR, SOL_IP, IP_PKTINFO, INET_RCV_DSTADDR), \
	RECEIVED(T_INET_IP, T_IP_RECVTTL, SOL_IP, IP_RECVTTL, INET_RCV_TTL), \
	RECEIVED(T_INET_IP, T_IP_RECVTOS, SOL_IP, IP_RECVTOS, INET_RCV_TOS)

#define DATAGRAM6_OPTS							\
	RECEIVED(T_INET_IPV6, T_IPV6_RECVPKTINFO, SOL_IPV6, IPV6_RECVPKTINFO, \
		 INET_RCV_DSTADDR),					\
	RECEIVED(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, SOL_IPV6,		\
		 IPV6_RECVHOPLIMIT, INET_RCV_TTL),			\
	RECEIVED(T_INET_IPV6, T_IPV6_RECVTCLASS, SOL_IPV6, IPV6_RECVTCLASS, \
		 INET_RCV_TOS)

#define IN6_OPTS	GENERIC_OPTS, TPI_IP_OPTS, TPI_IPV6_OPTS

#define TCP_OPTS							\
	TPI_BOOLEAN(T_INET_TCP, T_TCP_NODELAY, SOL_TCP, TCP_NODELAY),	\
	FIXED(T_INET_TCP, T_TCP_MAXSEG),				\
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

/* The kernel has no options of IPv4 for them. */
static const struct tpi_opt raw6_opts[] = {
	GENERIC_OPTS, TPI_IPV6_HEADER_OPTS, DATAGRAM6_OPTS,
};

static const struct tpi_opt sctp_opts[] = { COMMON_OPTS };
static const struct tpi_opt sctp6_opts[] = { IN6_OPTS };

static u32 generic_current(const struct sock *sk, u32 name)
{
	switch (name) {
	case XTI_DEBUG:
		return sock_flag(sk, SOCK_DBG);
	/* The kernel doubles the size that is requested. */
	case XTI_RCVBUF:
		return READ_ONCE(sk->sk_rcvbuf) / 2;
	case XTI_SNDBUF:
		return READ_ONCE(sk->sk_sndbuf) / 2;
	default:
		return 1;
	}
}

static u32 ip_current(const struct sock *sk, u32 name)
{
	const struct inet_sock *inet = inet_sk(sk);

	switch (name) {
	case T_IP_TOS:
		return inet->tos;
	case T_IP_TTL:
		return inet->uc_ttl >= 0 ? inet->uc_ttl :
		       READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
	case T_IP_REUSEADDR:
		return !!sk->sk_reuse;
	case T_IP_DONTROUTE:
		return sock_flag(sk, SOCK_LOCALROUTE);
	default:
		return sock_flag(sk, SOCK_BROADCAST);
	}
}

static bool is_rcvlowat(const struct tpi_opt *o)
{
	return o->level == XTI_GENERIC && o->name == XTI_RCVLOWAT;
}

static u32 strinet_number_current(const struct opt_end *oe, const struct tpi_opt *o)
{
	const struct sock *sk = oe->sock->sk;

	if (o->bit)
		return !!(oe->ep->rcvopts & o->bit);
	if (is_rcvlowat(o))
		return oe->ep->rcvlowat;
	if (o->so_level == SOL_IPV6)
		return strtpi_opt_in6_current(sk, o);
	switch (o->level) {
	case T_INET_IP:
		return ip_current(sk, o->name);
	case T_INET_TCP:
		return o->name == T_TCP_NODELAY ?
		       !!(tcp_sk(sk)->nonagle & TCP_NAGLE_OFF) :
		       tcp_sk(sk)->mss_cache;
	case T_INET_UDP:
		return !sk->sk_no_check_tx;
	default:
		return generic_current(sk, o->name);
	}
}

static size_t strinet_value_current(void *end, const struct tpi_opt *o,
				    union strtpi_opt_value *v)
{
	const struct opt_end *oe = end;
	const struct sock *sk = oe->sock->sk;
	struct kpalive kp;

	if (o->flags & TPI_OPT_LINGER) {
		strtpi_linger_current(sk, &v->linger);
	} else if (o->level == T_INET_TCP && o->name == T_TCP_KEEPALIVE) {
		kp.onoff = sock_flag(sk, SOCK_KEEPOPEN) ? T_YES : T_NO;
		kp.timeout = keepalive_time_when(tcp_sk(sk)) / HZ / MINUTE;
		memcpy(v->bytes, &kp, sizeof(kp));
	} else if (o->flags & TPI_OPT_BYTES) {
		memcpy(v->bytes, oe->ep->ip_options, oe->ep->ip_options_len);
		return oe->ep->ip_options_len;
	} else if (o->size == sizeof(u8)) {
		v->bytes[0] = strinet_number_current(oe, o);
	} else {
		v->number = strinet_number_current(oe, o);
	}
	return o->size;
}

static u32 number_default(const struct opt_end *oe, const struct tpi_opt *o)
{
	const struct sock *sk = oe->sock->sk;

	if (o->flags & TPI_OPT_READONLY)
		return strinet_number_current(oe, o);
	switch (o->level) {
	case T_INET_IPV6:
		return strtpi_opt_in6_default(sk, o);
	case T_INET_UDP:
		return T_YES;
	case T_INET_IP:
		return o->name == T_IP_TTL ?
		       READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl) : 0;
	case XTI_GENERIC:
		if (o->name == XTI_RCVBUF)
			return oe->ep->first_rcvbuf / 2;
		if (o->name == XTI_SNDBUF)
			return oe->ep->first_sndbuf / 2;
		return o->name == XTI_RCVLOWAT;
	default:
		return 0;
	}
}

static size_t strinet_value_default(void *end, const struct tpi_opt *o,
				    union strtpi_opt_value *v)
{
	const struct opt_end *oe = end;
	const struct net *net = sock_net(oe->sock->sk);
	struct kpalive kp = { };

	memset(v, 0, sizeof(*v));
	if (o->level == T_INET_TCP && o->name == T_TCP_KEEPALIVE) {
		kp.timeout = READ_ONCE(net->ipv4.sysctl_tcp_keepalive_time) /
			     HZ / MINUTE;
		memcpy(v->bytes, &kp, sizeof(kp));
	} else if (o->size == sizeof(u8)) {
		v->bytes[0] = number_default(oe, o);
	} else if (o->size == sizeof(u32)) {
		v->number = number_default(oe, o);
	}
	return o->size;
}

static int strinet_so_set(struct socket *sock, int level, int name, void *value,
			  unsigned int len)
{
	sockptr_t ptr = KERNEL_SOCKPTR(value);

	if (level == SOL_SOCKET)
		return sock_setsockopt(sock, SOL_SOCKET, name, ptr, len);
	return READ_ONCE(sock->ops)->setsockopt(sock, level, name, ptr, len);
}

static int set_int(struct socket *sock, int level, int name, int value)
{
	return strinet_so_set(sock, level, name, &value, sizeof(value));
}

static int set_keepalive(struct socket *sock, const u8 *bytes, size_t len)
{
	struct kpalive kp = { .timeout = T_UNSPEC };
	u32 onoff;
	int err = 0;

	if (len == sizeof(kp)) {
		memcpy(&kp, bytes, sizeof(kp));
		/* A number as long: no struct has this. */
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
	/* 32,767 seconds is the longest the kernel has: TCP_KEEPIDLE. */
	if (kp.onoff && kp.timeout != T_UNSPEC) {
		if (kp.timeout < 1 || kp.timeout > 32767 / MINUTE)
			return -EINVAL;
		err = set_int(sock, SOL_TCP, TCP_KEEPIDLE, kp.timeout * MINUTE);
	}
	return err ?: set_int(sock, SOL_SOCKET, SO_KEEPALIVE, !!kp.onoff);
}

static int strinet_set_ip_options(struct opt_end *oe, const u8 *value, size_t len)
{
	u8 bytes[INET_IP_OPTIONS_MAX];
	int err;

	if (len > sizeof(bytes))
		return -EINVAL;
	memcpy(bytes, value, len);
	err = strinet_so_set(oe->sock, SOL_IP, IP_OPTIONS, bytes, len);
	if (!err) {
		memcpy(oe->ep->ip_options, value, len);
		oe->ep->ip_options_len = len;
	}
	return err;
}

static int strinet_value_set(void *end, const struct tpi_opt *o,
			     const union strtpi_opt_value *v, size_t len)
{
	struct opt_end *oe = end;
	struct linger linger;
	int err = 0;

	if (o->flags & TPI_OPT_LINGER) {
		linger = strtpi_linger_so(&v->linger);
		return strinet_so_set(oe->sock, SOL_SOCKET, SO_LINGER, &linger,
				      sizeof(linger));
	}
	if (o->level == T_INET_TCP && o->name == T_TCP_KEEPALIVE)
		return set_keepalive(oe->sock, v->bytes, len);
	if (o->flags & TPI_OPT_BYTES)
		return strinet_set_ip_options(oe, v->bytes, len);
	if (is_rcvlowat(o)) {
		oe->ep->rcvlowat = v->number ?: 1;
		return 0;
	}
	if (o->so_level == SOL_SOCKET && o->so_name == SO_NO_CHECK)
		return set_int(oe->sock, SOL_SOCKET, SO_NO_CHECK, !v->number);
	if (!strtpi_opt_in6_is(oe->sock->sk, o, v->number))
		err = set_int(oe->sock, o->so_level, o->so_name, v->number);
	if (!err && tpi_opt_is_v6only(o))
		oe->ep->v6only = v->number;
	if (!err && o->bit)
		oe->ep->rcvopts = v->number ? oe->ep->rcvopts | o->bit :
					      oe->ep->rcvopts & ~o->bit;
	return err;
}

#define OPTS(array)							\
	{ .opt = (array), .count = ARRAY_SIZE(array),			\
	  .current_value = strinet_value_current, .default_value = strinet_value_default, \
	  .set = strinet_value_set }

static const struct tpi_opts *strinet_opts(const struct strinet_end *ep)
{
	static const struct tpi_opts tcp = OPTS(tcp_opts);
	static const struct tpi_opts udp = OPTS(udp_opts);
	static const struct tpi_opts raw = OPTS(raw_opts);
	static const struct tpi_opts sctp = OPTS(sctp_opts);
	static const struct tpi_opts tcp6 = OPTS(tcp6_opts);
	static const struct tpi_opts raw6 = OPTS(raw6_opts);
	static const struct tpi_opts sctp6 = OPTS(sctp6_opts);
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

/* The answer to a T_OPTMGMT_REQ, which is consumed. */
mblk_t *strinet_optmgmt(struct strinet_end *ep, mblk_t *mp)
{
	struct opt_end oe = { .ep = ep, .sock = strinet_end_sock(ep) };

	return strtpi_optmgmt(strinet_opts(ep), &oe, mp, GFP_KERNEL);
}

/* Of an answer to a T_OPTMGMT_REQ */
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
	struct opt_end oe = { .ep = ep, .sock = sock };
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
	mp = strtpi_optmgmt(strinet_opts(ep), &oe, mp, GFP_KERNEL);
	if (!mp)
		return -ENOMEM;
	err = answer_error(mp);
	freemsg(mp);
	return err;
}

/* Of what strinet_opt_apply() returned; TSYSERR is to be reported as ENOSR. */
int strinet_opt_tli_error(int err)
{
	if (!err)
		return 0;
	return err == -ENOMEM ? TSYSERR : TBADOPT;
}

/* Those buffers the user has set; others the kernel fits to the connection. */
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
	struct opt_end old = { .ep = ep, .sock = from };
	struct opt_end new = { .ep = ep, .sock = to };
	const struct tpi_opts *opts = strinet_opts(ep);
	unsigned int i;

	for (i = 0; i < opts->count; i++) {
		const struct tpi_opt *o = &opts->opt[i];
		union strtpi_opt_value was = {}, is = {};
		size_t len;

		if (o->flags & TPI_OPT_READONLY || !is_users(from->sk, o))
			continue;
		len = strinet_value_current(&old, o, &was);
		strinet_value_current(&new, o, &is);
		/* Not the value that it had because it was bound. */
		if (tpi_opt_is_v6only(o))
			was.number = ep->v6only;
		/* The endpoint's own values are the same in both. */
		if ((o->flags & TPI_OPT_BYTES && o->level == T_INET_IP && len) ||
		    (o->bit && was.number) || memcmp(&was, &is, sizeof(was))) {
			if (o->size == sizeof(u8))
				was.number = was.bytes[0];
			strinet_value_set(&new, o, &was, len);
		}
	}
}
