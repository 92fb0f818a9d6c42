/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations of the UDP provider that differ between IPv4 and IPv6 */
#ifndef _STRUDP_FAMILY_H
#define _STRUDP_FAMILY_H

#include <sys/stream.h>
#include <sys/tpi.h>

#include "tpi/datagram.h"
#include "tpi/opt.h"

struct iphdr;
struct msghdr;
struct sk_buff;
struct sock;
struct strudp_end;
struct strudp_head;

/*
 * INDIRECT_CALL_1() calls the functions that every datagram needs, for speed
 * over IPv4.
 */
struct strudp_family {
	int domain;			/* of the socks, PF_INET ... */
	t_scalar_t addr_size;		/* of an address, bytes */
	t_scalar_t tsdu;		/* most data of a datagram, bytes */
	const struct tpi_opts *opts;
	/*
	 * Called before each sock is made; NULL: there is nothing to do. Returns 0 or an
	 * error, and may sleep.
	 */
	int (*begin)(void);
	/* Stores the address that is bound; does not sleep. */
	void (*bound)(const struct sock *sk, union tpi_addr *addr);
	/*
	 * Passes the message itself to a stream of this host. Returns false if
	 * the caller has to transmit the message.
	 */
	bool (*meet)(struct strudp_end *ep, const union tpi_addr *dest, mblk_t *mp,
		     size_t len);
	/* Does what sendmsg(2) does; the name in msg is the destination. */
	int (*transmit)(struct strudp_end *ep, struct msghdr *msg, size_t len);
	/*
	 * The first function returns the size of the control part of a
	 * T_UNITDATA_IND, the second writes it.
	 */
	size_t (*ind_size)(unsigned int rcvopts);
	void (*ind_fill)(mblk_t *mp, unsigned int rcvopts,
			 const struct sk_buff *skb);
	/* Writes it for a datagram that has not passed IP, of the version that head has. */
	void (*ind_fill_head)(mblk_t *mp, unsigned int rcvopts,
			      const struct strudp_head *head);
	/*
	 * Stores the destination of the datagram that an ICMP error is about.
	 * Returns false if the condition that the error reports may pass.
	 * Headers are as for strudp_icmp_is_hard(), skb->data is at the
	 * datagram's.
	 */
	bool (*error_dest)(const struct sk_buff *skb, __be16 port,
			   union tpi_addr *dest);
};

#endif /* _STRUDP_FAMILY_H */
