/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of transport providers over the kernel's sockets */
#ifndef _TPI_SOCKOPT_H
#define _TPI_SOCKOPT_H

#include <linux/in.h>
#include <linux/in6.h>
#include <net/sock.h>

#include "opt.h"

/* The options in a T_UNITDATA_IND besides the sender, rcvopts below */
#define TPI_RCV_DSTADDR		0x1
#define TPI_RCV_TTL		0x2
#define TPI_RCV_TOS		0x4

#define TPI_IP_OPTIONS_MAX	40	/* bytes, RFC 791 */

/* The options of an endpoint that its sockets do not have */
struct tpi_kept {
	unsigned int rcvopts;		/* TPI_RCV_DSTADDR ... */
	u32 rcvlowat;			/* as set last; without effect */
	int first_rcvbuf;		/* bytes, before they were changed */
	int first_sndbuf;
	bool v6only;			/* IPV6_V6ONLY as set last, whatever is bound */
	unsigned char ip_options[TPI_IP_OPTIONS_MAX];	/* as set last */
	unsigned char ip_options_len;
};

/*
 * Initialises the values from an endpoint's first socket, before options are
 * set.
 */
static inline void tpi_kept_init(struct tpi_kept *kept, const struct sock *sk)
{
	kept->rcvlowat = 1;
	kept->first_rcvbuf = READ_ONCE(sk->sk_rcvbuf);
	kept->first_sndbuf = READ_ONCE(sk->sk_sndbuf);
	kept->v6only = sk->sk_ipv6only;
}

/*
 * The owner of options, for strtpi_optmgmt(): an endpoint, by one of its
 * sockets
 */
struct tpi_sock_end {
	struct socket *sock;
	struct tpi_kept *kept;
};

/*
 * An option that datagrams come with; so is 0 where only the endpoint has the
 * option.
 */
#define TPI_RECEIVED(lvl, nm, sol, so, which)				\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = TPI_OPT_BOOL, .so_level = (sol), .so_name = (so),	\
	  .max = 1, .bit = (which) }

/*
 * The options that all such endpoints have, whatever the protocol. sol and so
 * name XTI_RCVLOWAT for setsockopt(); if so is 0, only the endpoint keeps it.
 */
#define TPI_SOCKET_OPTS(sol, so)					\
	TPI_BOOLEAN(XTI_GENERIC, XTI_DEBUG, SOL_SOCKET, SO_DEBUG),	\
	TPI_LINGER(SOL_SOCKET, SO_LINGER),				\
	TPI_NUMBER(XTI_GENERIC, XTI_RCVBUF, SOL_SOCKET, SO_RCVBUF, 0, INT_MAX), \
	TPI_NUMBER(XTI_GENERIC, XTI_SNDBUF, SOL_SOCKET, SO_SNDBUF, 0, INT_MAX), \
	TPI_NUMBER(XTI_GENERIC, XTI_RCVLOWAT, sol, so, 0, INT_MAX),	\
	TPI_FIXED(XTI_GENERIC, XTI_SNDLOWAT, SOL_SOCKET, SO_SNDLOWAT)

/* The options of IPv4, which endpoints of IPv6 have too */
#define TPI_IP_OPTS							\
	TPI_NUMBER(T_INET_IP, T_IP_TOS, SOL_IP, IP_TOS, 0, 255),	\
	{ .level = T_INET_IP, .name = T_IP_TTL, .size = sizeof(u8),	\
	  .so_level = SOL_IP, .so_name = IP_TTL, .min = 1, .max = 255 }, \
	TPI_BOOLEAN(T_INET_IP, T_IP_REUSEADDR, SOL_SOCKET, SO_REUSEADDR), \
	TPI_BOOLEAN(T_INET_IP, T_IP_DONTROUTE, SOL_SOCKET, SO_DONTROUTE), \
	TPI_BOOLEAN(T_INET_IP, T_IP_BROADCAST, SOL_SOCKET, SO_BROADCAST)

/*
 * The options of the IPv6 header, and those of IPv6 endpoints that IPv4 has too
 */
#define TPI_IPV6_HEADER_OPTS						\
	TPI_NUMBER(T_INET_IPV6, T_IPV6_UNICAST_HOPS, SOL_IPV6,		\
		   IPV6_UNICAST_HOPS, 0, 255),				\
	TPI_NUMBER(T_INET_IPV6, T_IPV6_TCLASS, SOL_IPV6, IPV6_TCLASS, 0, 255)

#define TPI_IPV6_OPTS							\
	TPI_IPV6_HEADER_OPTS,						\
	TPI_BOOLEAN(T_INET_IPV6, T_IPV6_V6ONLY, SOL_IPV6, IPV6_V6ONLY)

/* The options in a header of IPv4, which IPv6 does not have. */
#define TPI_IP_HEADER_OPTS						\
	{ .level = T_INET_IP, .name = T_IP_OPTIONS, .flags = TPI_OPT_BYTES, \
	  .so_level = SOL_IP, .so_name = IP_OPTIONS }

/* These functions fill struct tpi_opts, for a struct tpi_sock_end. */
size_t strtpi_sock_current(void *end, const struct tpi_opt *o, union strtpi_opt_value *v);
size_t strtpi_sock_default(void *end, const struct tpi_opt *o, union strtpi_opt_value *v);
int strtpi_sock_set(void *end, const struct tpi_opt *o, const union strtpi_opt_value *v,
		    size_t len);
/* Does what setsockopt(2) does with a number. */
int strtpi_set_int(struct socket *sock, int level, int name, int value);

#endif /* _TPI_SOCKOPT_H */
