/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations of the UDP provider that differ between IPv4 and IPv6 */
#ifndef _TPI_UDP_FAMILY_H
#define _TPI_UDP_FAMILY_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <sys/stream.h>
#include <sys/tpi.h>

#include "opt.h"

struct iphdr;
struct msghdr;
struct sk_buff;
struct sock;
struct udp_end;

union udp_addr {
	struct sockaddr sa;
	struct sockaddr_unsized unsized;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* Of either: the port. */
static_assert(offsetof(struct sockaddr_in, sin_port) ==
	      offsetof(struct sockaddr_in6, sin6_port));

/* Bytes of all options of one datagram, as control messages for the kernel. */
#define UDP_CONTROL	(2 * CMSG_SPACE(sizeof(int)) +			\
			 CMSG_SPACE(sizeof(struct in6_pktinfo)))

/* A datagram to send. */
struct udp_send {
	union udp_addr dest;
	unsigned int flags;		/* MSG_DONTROUTE */
	size_t control_len;
	u8 control[UDP_CONTROL] __aligned(CMSG_ALIGN(1));
};

/*
 * INDIRECT_CALL_1() calls the functions that every datagram needs, for speed
 * over IPv4.
 */
struct udp_family {
	int domain;			/* of the socks, PF_INET ... */
	t_scalar_t addr_size;		/* of an address, bytes */
	t_scalar_t tsdu;		/* most data of a datagram, bytes */
	const struct tpi_opts *opts;
	/*
	 * Before each sock is made; NULL: nothing to do. 0 or an error, may
	 * sleep.
	 */
	int (*begin)(void);
	/* The address that is bound; does not sleep. */
	void (*bound)(const struct sock *sk, union udp_addr *addr);
	/* An option of a datagram whose destination is known; 0 or an error. */
	int (*send_option)(struct udp_send *s, const struct T_opthdr *oh,
			   const void *value);
	/*
	 * Passes the message itself to a stream of this host; false: it is the
	 * caller's still, to be transmitted. NULL: it never does.
	 */
	bool (*meet)(struct udp_end *ep, const union udp_addr *dest, mblk_t *mp,
		     size_t len);
	/* As sendmsg(2); the name in msg is the destination. */
	int (*transmit)(struct udp_end *ep, struct msghdr *msg, size_t len);
	/* The control part of a T_UNITDATA_IND: its size, and to write it. */
	size_t (*ind_size)(unsigned int rcvopts);
	void (*ind_fill)(mblk_t *mp, unsigned int rcvopts,
			 const struct sk_buff *skb);
	/*
	 * The destination of the datagram that an ICMP error is about; false:
	 * the condition that the error reports may pass. Headers as for
	 * strudp_icmp_is_hard(), skb->data is at the datagram's.
	 */
	bool (*error_dest)(const struct sk_buff *skb, __be16 port,
			   union udp_addr *dest);
};

/* udp_in.c: IPv4 */
extern const struct udp_family udp_in;
int udp_in_send_option(struct udp_send *s, const struct T_opthdr *oh,
		       const void *at);
bool udp_in_meet(struct udp_end *ep, const union udp_addr *dest, mblk_t *mp,
		 size_t len);
int udp_in_transmit(struct udp_end *ep, struct msghdr *msg, size_t len);
/* Adds a control message for the kernel; 0 or an error. */
int udp_send_control(struct udp_send *s, int level, int type,
		     const void *value, size_t len);

/* udp_in6.c: IPv6, and IPv4 by addresses that are mapped */
extern const struct udp_family udp_in6;

/* udp_opt.c */
extern const struct tpi_opts udp_in_opts;
extern const struct tpi_opts udp_in6_opts;

/**
 * udp_ind_begin() - write a T_UNITDATA_IND, except its options
 * @mp: a block with room for it
 * @addr: the datagram's sender
 * @addr_size: bytes
 * @opts_size: bytes of all options that are to follow
 *
 * Return: the place for the options, zeroed, as padding between them is for
 * the user too; NULL: there are none. TPI version 2, T_UNITDATA_IND.
 */
static inline void *udp_ind_begin(mblk_t *mp, const void *addr,
				  size_t addr_size, size_t opts_size)
{
	struct T_unitdata_ind *ind = (struct T_unitdata_ind *)mp->b_rptr;
	void *opts = mp->b_rptr + sizeof(*ind) + addr_size;

	DB_TYPE(mp) = M_PROTO;
	mp->b_wptr = mp->b_rptr + sizeof(*ind) + addr_size + opts_size;
	*ind = (struct T_unitdata_ind){
		.PRIM_type = T_UNITDATA_IND,
		.SRC_length = addr_size,
		.SRC_offset = sizeof(*ind),
	};
	memcpy(ind + 1, addr, addr_size);
	if (!opts_size)
		return NULL;
	ind->OPT_length = opts_size;
	ind->OPT_offset = sizeof(*ind) + addr_size;
	memset(opts, 0, opts_size);
	return opts;
}

/* Bytes of an option with a value of len bytes. */
static inline size_t udp_ind_option_size(size_t len)
{
	return _TPI_ALIGN_OPT(sizeof(struct T_opthdr) + len);
}

/* udp_ind.c */
/* Returns the place for the next one. */
void *udp_ind_option(void *at, u32 level, u32 name, const void *value,
		     size_t len);
/* For IPv4 */
size_t udp_in_ind_size(unsigned int rcvopts);
void udp_in_skb_fill(mblk_t *mp, unsigned int rcvopts,
		     const struct sk_buff *skb);
void udp_in_ind_fill(mblk_t *mp, unsigned int rcvopts, const struct iphdr *iph,
		     __be16 sport);

#endif /* _TPI_UDP_FAMILY_H */
