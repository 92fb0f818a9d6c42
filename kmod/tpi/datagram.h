/* SPDX-License-Identifier: GPL-2.0-only */
/* A datagram to send, as a T_UNITDATA_REQ describes it */
#ifndef _TPI_DATAGRAM_H
#define _TPI_DATAGRAM_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <linux/minmax.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "unitdata.h"

/* An address of a provider over the kernel's sockets */
union tpi_addr {
	struct sockaddr sa;
	struct sockaddr_unsized unsized;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* The field in.sin_port is the port of either family. */
static_assert(offsetof(struct sockaddr_in, sin_port) ==
	      offsetof(struct sockaddr_in6, sin6_port));

/* Bytes of all options of one datagram, as control messages for the kernel. */
#define TPI_DATAGRAM_CONTROL	(2 * CMSG_SPACE(sizeof(int)) +		\
				 CMSG_SPACE(sizeof(struct in6_pktinfo)))

struct tpi_datagram {
	union tpi_addr dest;
	unsigned int flags;		/* MSG_DONTROUTE */
	size_t control_len;
	/* Only the bytes up to control_len are written; the rest is not cleared. */
	u8 control[TPI_DATAGRAM_CONTROL] __aligned(CMSG_ALIGN(1));
};

/* Reads the options of a datagram whose destination is known; 0 or -EINVAL. */
int strtpi_datagram_options(struct tpi_datagram *d, const void *at, size_t len,
			    bool ipv4);

/**
 * tpi_datagram_get() - read a T_UNITDATA_REQ
 * @d: set to what it says; of a destination of another length, as much as there is
 * @mp: the message
 * @domain: of the provider's addresses, PF_INET ...
 * @addr_size: bytes of one
 * @ipv4: see strtpi_datagram_options()
 *
 * Return: 0; -EPROTO when it is malformed; -EINVAL when it has no address of the
 * provider's, or options that there are not.
 */
static __always_inline int tpi_datagram_get(struct tpi_datagram *d, const mblk_t *mp,
					    int domain, t_scalar_t addr_size, bool ipv4)
{
	struct T_unitdata_req req;
	const void *dest, *opts;

	if (!tpi_unitdata_get(mp, &req, &dest, &opts))
		return -EPROTO;
	/*
	 * Nearly always the length is this one: a copy of a known length takes
	 * no call.
	 */
	if (likely(req.DEST_length == sizeof(d->dest.in)))
		memcpy(&d->dest.in, dest, sizeof(d->dest.in));
	else
		memcpy(&d->dest, dest, min(req.DEST_length, addr_size));
	if (req.DEST_length != addr_size || d->dest.sa.sa_family != domain)
		return -EINVAL;
	return opts ? strtpi_datagram_options(d, opts, req.OPT_length, ipv4) : 0;
}

/* Sets the header to send a datagram with, without waiting for room; the caller adds the data. */
static __always_inline void tpi_datagram_msghdr(struct tpi_datagram *d,
						t_scalar_t addr_size, struct msghdr *msg)
{
	*msg = (struct msghdr){
		.msg_name = &d->dest,
		.msg_namelen = addr_size,
		.msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL | d->flags,
	};
	if (d->control_len) {
		msg->msg_control = d->control;
		msg->msg_controllen = d->control_len;
	}
}

#endif /* _TPI_DATAGRAM_H */
