// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of transport providers over the kernel's sockets
 *
 * Values are kept where the kernel keeps them, in the sock, and set through
 * its setsockopt() with the credentials of the task.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/net.h>
#include <linux/sockptr.h>
#include <linux/string.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>

#include "sockopt.h"

/* The most seconds that the kernel can count in jiffies. */
#define LINGER_FOREVER	(INT_MAX / HZ)

static_assert(TPI_IP_OPTIONS_MAX <= TPI_OPT_MAX);

static u32 in6_current(const struct sock *sk, const struct tpi_opt *o)
{
#if IS_ENABLED(CONFIG_IPV6)
	const struct ipv6_pinfo *np = inet6_sk(sk);

	switch (o->so_name) {
	case IPV6_TCLASS:
		return np->tclass;
	case IPV6_V6ONLY:
		return ipv6_only_sock(sk) ? T_YES : T_NO;
	default:
		return np->hop_limit >= 0 ? np->hop_limit :
		       READ_ONCE(sock_net(sk)->ipv6.devconf_all->hop_limit);
	}
#else
	return 0;
#endif
}

/*
 * Returns whether IPV6_V6ONLY of a bound socket keeps its value: the kernel
 * sets it when it binds to an address of IPv6. All options can be given their
 * defaults.
 */
static u32 in6_default(const struct sock *sk, const struct tpi_opt *o)
{
#if IS_ENABLED(CONFIG_IPV6)
	const struct net *net = sock_net(sk);

	switch (o->so_name) {
	case IPV6_UNICAST_HOPS:
		return READ_ONCE(net->ipv6.devconf_all->hop_limit);
	case IPV6_V6ONLY:
		if (inet_sk(sk)->inet_num)
			return in6_current(sk, o);
		return READ_ONCE(net->ipv6.sysctl.bindv6only) ? T_YES : T_NO;
	}
#endif
	return 0;
}

static u32 ip_default(const struct sock *sk, const struct tpi_opt *o)
{
	return o->name == T_IP_TTL ?
	       READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl) : 0;
}

static u32 ip_current(const struct sock *sk, const struct tpi_opt *o)
{
	const struct inet_sock *inet = inet_sk(sk);

	if (o->so_name == IP_TOS)
		return inet->tos;
	return inet->uc_ttl >= 0 ? inet->uc_ttl : ip_default(sk, o);
}

static u32 socket_current(const struct sock *sk, const struct tpi_opt *o)
{
	switch (o->so_name) {
	case SO_DEBUG:
		return sock_flag(sk, SOCK_DBG);
	/* The kernel doubles the size that is requested. */
	case SO_RCVBUF:
		return READ_ONCE(sk->sk_rcvbuf) / 2;
	case SO_SNDBUF:
		return READ_ONCE(sk->sk_sndbuf) / 2;
	case SO_RCVLOWAT:
		return sk->sk_rcvlowat;
	case SO_NO_CHECK:
		return !sk->sk_no_check_tx;
	case SO_REUSEADDR:
		return !!sk->sk_reuse;
	case SO_DONTROUTE:
		return sock_flag(sk, SOCK_LOCALROUTE);
	case SO_BROADCAST:
		return sock_flag(sk, SOCK_BROADCAST);
	default:
		return 1;
	}
}

static u32 number_current(const struct tpi_sock_end *end, const struct tpi_opt *o)
{
	const struct sock *sk = end->sock->sk;

	if (o->bit)
		return !!(end->kept->rcvopts & o->bit);
	if (!o->so_name)
		return end->kept->rcvlowat;
	switch (o->so_level) {
	case SOL_IPV6:
		return in6_current(sk, o);
	case SOL_IP:
		return ip_current(sk, o);
	default:
		return socket_current(sk, o);
	}
}

static u32 number_default(const struct tpi_sock_end *end, const struct tpi_opt *o)
{
	const struct sock *sk = end->sock->sk;

	if (o->flags & TPI_OPT_READONLY)
		return number_current(end, o);
	switch (o->level) {
	case T_INET_IPV6:
		return in6_default(sk, o);
	case T_INET_IP:
		return ip_default(sk, o);
	case T_INET_UDP:
		return T_YES;
	case XTI_GENERIC:
		if (o->name == XTI_RCVBUF)
			return end->kept->first_rcvbuf / 2;
		if (o->name == XTI_SNDBUF)
			return end->kept->first_sndbuf / 2;
		return o->name == XTI_RCVLOWAT;
	default:
		return 0;
	}
}

static size_t number_put(const struct tpi_opt *o, union strtpi_opt_value *v, u32 number)
{
	if (o->size == sizeof(u8))
		v->bytes[0] = number;
	else
		v->number = number;
	return o->size;
}

static void linger_current(const struct sock *sk, struct tpi_linger *l)
{
	unsigned long seconds = sk->sk_lingertime / HZ;

	l->onoff = sock_flag(sk, SOCK_LINGER) ? T_YES : T_NO;
	l->seconds = 0;
	if (l->onoff)
		l->seconds = seconds < LINGER_FOREVER ? seconds : T_INFINITE;
}

/**
 * strtpi_sock_current() - the value that an option has
 * @end: a struct tpi_sock_end
 * @o: the option, as the macros of sockopt.h
 * @v: set to the value
 *
 * Return: its length, bytes.
 */
size_t strtpi_sock_current(void *end, const struct tpi_opt *o, union strtpi_opt_value *v)
{
	const struct tpi_sock_end *e = end;

	if (o->flags & TPI_OPT_BYTES) {
		memcpy(v->bytes, e->kept->ip_options, e->kept->ip_options_len);
		return e->kept->ip_options_len;
	}
	if (!(o->flags & TPI_OPT_LINGER))
		return number_put(o, v, number_current(e, o));
	linger_current(e->sock->sk, &v->linger);
	return o->size;
}
EXPORT_SYMBOL_GPL(strtpi_sock_current);

/*
 * Stores the first value of an option, as strtpi_sock_current() stores the
 * current one.
 */
size_t strtpi_sock_default(void *end, const struct tpi_opt *o, union strtpi_opt_value *v)
{
	memset(v, 0, sizeof(*v));
	return o->flags & (TPI_OPT_BYTES | TPI_OPT_LINGER) ? o->size :
	       number_put(o, v, number_default(end, o));
}
EXPORT_SYMBOL_GPL(strtpi_sock_default);

static int sock_set(struct socket *sock, int level, int name, void *value,
		    unsigned int len)
{
	sockptr_t ptr = KERNEL_SOCKPTR(value);

	if (level == SOL_SOCKET)
		return sock_setsockopt(sock, SOL_SOCKET, name, ptr, len);
	return READ_ONCE(sock->ops)->setsockopt(sock, level, name, ptr, len);
}

int strtpi_set_int(struct socket *sock, int level, int name, int value)
{
	return sock_set(sock, level, name, &value, sizeof(value));
}
EXPORT_SYMBOL_GPL(strtpi_set_int);

static int linger_set(struct socket *sock, const struct tpi_linger *l)
{
	struct linger linger = {
		.l_onoff = l->onoff,
		.l_linger = l->seconds == T_INFINITE ? LINGER_FOREVER : l->seconds,
	};

	return sock_set(sock, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static int ip_options_set(const struct tpi_sock_end *end, const u8 *value, size_t len)
{
	u8 bytes[TPI_IP_OPTIONS_MAX];
	int err;

	if (len > sizeof(bytes))
		return -EINVAL;
	memcpy(bytes, value, len);
	err = sock_set(end->sock, SOL_IP, IP_OPTIONS, bytes, len);
	if (!err) {
		memcpy(end->kept->ip_options, value, len);
		end->kept->ip_options_len = len;
	}
	return err;
}

/*
 * Returns whether the option has the value already and the kernel would not set
 * it again.
 */
static bool is_same_v6only(const struct sock *sk, const struct tpi_opt *o, u32 number)
{
	return tpi_opt_is_v6only(o) && in6_current(sk, o) == number;
}

static int opt_number_set(const struct tpi_sock_end *end, const struct tpi_opt *o, u32 number)
{
	struct tpi_kept *kept = end->kept;
	int err = 0, value = number;

	if (o->so_level == SOL_SOCKET && o->so_name == SO_NO_CHECK)
		value = !number;
	if (o->so_name && !is_same_v6only(end->sock->sk, o, number))
		err = strtpi_set_int(end->sock, o->so_level, o->so_name, value);
	if (err)
		return err;
	if (o->bit)
		WRITE_ONCE(kept->rcvopts, number ? kept->rcvopts | o->bit :
						   kept->rcvopts & ~o->bit);
	else if (tpi_opt_is_v6only(o))
		kept->v6only = number;
	else if (!o->so_name)
		kept->rcvlowat = number ?: 1;
	return 0;
}

/**
 * strtpi_sock_set() - give an option a value
 * @end: a struct tpi_sock_end
 * @o: the option, as the macros of sockopt.h
 * @v: the value, which it can have
 * @len: bytes of it
 *
 * Context: process, sleeps. Return: 0 or setsockopt(2)'s error.
 */
int strtpi_sock_set(void *end, const struct tpi_opt *o, const union strtpi_opt_value *v,
		    size_t len)
{
	const struct tpi_sock_end *e = end;

	if (o->flags & TPI_OPT_LINGER)
		return linger_set(e->sock, &v->linger);
	if (o->flags & TPI_OPT_BYTES)
		return ip_options_set(e, v->bytes, len);
	return opt_number_set(e, o, v->number);
}
EXPORT_SYMBOL_GPL(strtpi_sock_set);
