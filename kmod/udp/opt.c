// SPDX-License-Identifier: GPL-2.0-only
/*
 * T_OPTMGMT_REQ: the options of the UDP provider
 *
 * Values are kept where the kernel keeps them, in the sock, and set through
 * its setsockopt() with the credentials of the stream's opener. Runs in the
 * endpoint's work item.
 */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include <sys/xti_inet.h>

#include "tpi/opt.h"
#include "end.h"
#include "opt.h"

static_assert(IP_OPTIONS_MAX <= TPI_OPT_MAX);

#define RECEIVED(lvl, nm, which)					\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_BOOL, .max = 1, .bit = (which) }

/* Options that every endpoint has. */
#define GENERIC_OPTS							\
	TPI_SOCKET_OPTS,						\
	TPI_NUMBER(XTI_GENERIC, XTI_RCVLOWAT, SOL_SOCKET, SO_RCVLOWAT, 0, INT_MAX), \
	{ .level = XTI_GENERIC, .name = XTI_SNDLOWAT, .size = sizeof(u32), \
	  .flags = TPI_OPT_READONLY, .so_level = SOL_SOCKET,		\
	  .so_name = SO_SNDLOWAT }

static const struct tpi_opt in_opt[] = {
	GENERIC_OPTS,
	TPI_BOOLEAN(T_INET_UDP, T_UDP_CHECKSUM, SOL_SOCKET, SO_NO_CHECK),
	{ .level = T_INET_IP, .name = T_IP_OPTIONS, .flags = TPI_OPT_BYTES,
	  .so_level = SOL_IP, .so_name = IP_OPTIONS },
	TPI_IP_OPTS,
	RECEIVED(T_INET_IP, T_IP_RECVDSTADDR, RCVOPT_DSTADDR),
	RECEIVED(T_INET_IP, T_IP_RECVTTL, RCVOPT_TTL),
	RECEIVED(T_INET_IP, T_IP_RECVTOS, RCVOPT_TOS),
};

#if IS_ENABLED(CONFIG_IPV6)
static const struct tpi_opt in6_opt[] = {
	GENERIC_OPTS,
	/* IPv6 has no datagrams without a checksum. */
	{ .level = T_INET_UDP, .name = T_UDP_CHECKSUM, .size = sizeof(u32),
	  .flags = TPI_OPT_BOOL | TPI_OPT_READONLY, .so_level = SOL_SOCKET,
	  .so_name = SO_NO_CHECK, .max = 1 },
	TPI_IP_OPTS,
	TPI_IPV6_OPTS,
	RECEIVED(T_INET_IPV6, T_IPV6_RECVPKTINFO, RCVOPT_DSTADDR),
	RECEIVED(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, RCVOPT_TTL),
	RECEIVED(T_INET_IPV6, T_IPV6_RECVTCLASS, RCVOPT_TOS),
};

#endif

static u32 strudp_number_current(const struct strudp_end *ep, const struct tpi_opt *o)
{
	const struct sock *sk = ep->sock->sk;
	const struct inet_sock *inet = inet_sk(sk);

	if (o->so_level == SOL_IPV6)
		return strtpi_opt_in6_current(sk, o);
	switch (o->so_name) {
	case SO_RCVLOWAT:
		return sk->sk_rcvlowat;
	/* The kernel doubles the size that is requested. */
	case SO_RCVBUF:
		return sk->sk_rcvbuf / 2;
	case SO_SNDBUF:
		return sk->sk_sndbuf / 2;
	case SO_SNDLOWAT:
		return 1;
	default:
		break;
	}
	if (o->name == T_IP_TOS)
		return inet->tos;
	if (inet->uc_ttl >= 0)
		return inet->uc_ttl;
	return READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
}

static bool bool_current(const struct strudp_end *ep, const struct tpi_opt *o)
{
	const struct sock *sk = ep->sock->sk;

	if (o->bit)
		return ep->rcvopts & o->bit;
	if (o->so_level == SOL_IPV6)
		return strtpi_opt_in6_current(sk, o);
	switch (o->so_name) {
	case SO_DEBUG:
		return sock_flag(sk, SOCK_DBG);
	case SO_NO_CHECK:
		return !sk->sk_no_check_tx;
	case SO_REUSEADDR:
		return sk->sk_reuse;
	case SO_DONTROUTE:
		return sock_flag(sk, SOCK_LOCALROUTE);
	default:
		return sock_flag(sk, SOCK_BROADCAST);
	}
}

static size_t strudp_value_current(void *end, const struct tpi_opt *o,
				   union strtpi_opt_value *v)
{
	const struct strudp_end *ep = end;
	const struct sock *sk = ep->sock->sk;

	if (o->flags & TPI_OPT_LINGER) {
		strtpi_linger_current(sk, &v->linger);
	} else if (o->flags & TPI_OPT_BYTES) {
		memcpy(v->bytes, ep->ip_options, ep->ip_options_len);
		return ep->ip_options_len;
	} else if (o->flags & TPI_OPT_BOOL) {
		v->number = bool_current(ep, o) ? T_YES : T_NO;
	} else if (o->size == sizeof(u8)) {
		v->bytes[0] = strudp_number_current(ep, o);
	} else {
		v->number = strudp_number_current(ep, o);
	}
	return o->size;
}

static size_t strudp_value_default(void *end, const struct tpi_opt *o,
				   union strtpi_opt_value *v)
{
	const struct strudp_end *ep = end;
	const struct sock *sk = ep->sock->sk;

	memset(v, 0, sizeof(*v));
	if (o->level == XTI_GENERIC && o->name == XTI_RCVBUF)
		v->number = ep->first_rcvbuf / 2;
	else if (o->level == XTI_GENERIC && o->name == XTI_SNDBUF)
		v->number = ep->first_sndbuf / 2;
	else if (o->level == XTI_GENERIC &&
		 (o->name == XTI_RCVLOWAT || o->name == XTI_SNDLOWAT))
		v->number = 1;
	else if (o->level == T_INET_UDP)
		v->number = T_YES;
	else if (o->so_level == SOL_IPV6)
		v->number = strtpi_opt_in6_default(sk, o);
	else if (o->level == T_INET_IP && o->name == T_IP_TTL)
		v->bytes[0] = READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
	return o->size;
}

static int strudp_so_set(struct strudp_end *ep, const struct tpi_opt *o, void *value,
			 unsigned int len)
{
	struct socket *sock = ep->sock;
	sockptr_t ptr = KERNEL_SOCKPTR(value);

	if (o->so_level == SOL_SOCKET)
		return sock_setsockopt(sock, SOL_SOCKET, o->so_name, ptr, len);
	return READ_ONCE(sock->ops)->setsockopt(sock, o->so_level, o->so_name,
						ptr, len);
}

static int set_number(struct strudp_end *ep, const struct tpi_opt *o, u32 number)
{
	int val = number;

	if (o->bit) {
		WRITE_ONCE(ep->rcvopts, number ? ep->rcvopts | o->bit :
						 ep->rcvopts & ~o->bit);
		return 0;
	}
	if (o->so_level == SOL_SOCKET && o->so_name == SO_NO_CHECK)
		val = !number;
	if (strtpi_opt_in6_is(ep->sock->sk, o, number)) {
		ep->v6only = number;
		return 0;
	}
	return strudp_so_set(ep, o, &val, sizeof(val));
}

static int strudp_set_ip_options(struct strudp_end *ep, const struct tpi_opt *o,
				 const union strtpi_opt_value *v, size_t len)
{
	u8 bytes[IP_OPTIONS_MAX];
	int err;

	if (len > sizeof(bytes))
		return -EINVAL;
	memcpy(bytes, v->bytes, len);
	err = strudp_so_set(ep, o, bytes, len);
	if (!err) {
		memcpy(ep->ip_options, v->bytes, len);
		ep->ip_options_len = len;
	}
	return err;
}

static int strudp_value_set(void *end, const struct tpi_opt *o,
			    const union strtpi_opt_value *v, size_t len)
{
	struct strudp_end *ep = end;
	struct linger linger;

	if (o->flags & TPI_OPT_BYTES)
		return strudp_set_ip_options(ep, o, v, len);
	if (!(o->flags & TPI_OPT_LINGER))
		return set_number(ep, o, v->number);
	linger = strtpi_linger_so(&v->linger);
	return strudp_so_set(ep, o, &linger, sizeof(linger));
}

#define OPTS(array)							\
	{ .opt = (array), .count = ARRAY_SIZE(array),			\
	  .current_value = strudp_value_current, .default_value = strudp_value_default, \
	  .set = strudp_value_set }

const struct tpi_opts strudp_in_opts = OPTS(in_opt);
#if IS_ENABLED(CONFIG_IPV6)
const struct tpi_opts strudp_in6_opts = OPTS(in6_opt);
#endif

/**
 * strudp_optmgmt() - act on a T_OPTMGMT_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Context: process, sleeps.
 * Return: as strtpi_optmgmt().
 */
mblk_t *strudp_optmgmt(struct strudp_end *ep, mblk_t *mp)
{
	mp = strtpi_optmgmt(ep->family->opts, ep, mp, GFP_KERNEL);
	strudp_end_fit_head(ep);
	return mp;
}
