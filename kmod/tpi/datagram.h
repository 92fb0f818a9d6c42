/* SPDX-License-Identifier: GPL-2.0-only */
/* A datagram to send, as a T_UNITDATA_REQ describes it */
#ifndef _TPI_DATAGRAM_H
#define _TPI_DATAGRAM_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <linux/socket.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* An address of a provider over the kernel's sockets. */
union tpi_addr {
	struct sockaddr sa;
	struct sockaddr_unsized unsized;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* in.sin_port is the port of either. */
static_assert(offsetof(struct sockaddr_in, sin_port) ==
	      offsetof(struct sockaddr_in6, sin6_port));

/* Bytes of all options of one datagram, as control messages for the kernel. */
#define TPI_DATAGRAM_CONTROL	(2 * CMSG_SPACE(sizeof(int)) +		\
				 CMSG_SPACE(sizeof(struct in6_pktinfo)))

struct tpi_datagram {
	union tpi_addr dest;
	unsigned int flags;		/* MSG_DONTROUTE */
	size_t control_len;
	/* Written as far as control_len: not to be cleared first. */
	u8 control[TPI_DATAGRAM_CONTROL] __aligned(CMSG_ALIGN(1));
};

/* Reads the options of a datagram whose destination is known; 0 or -EINVAL. */
int strtpi_datagram_options(struct tpi_datagram *d, const void *at, size_t len,
			    bool ipv4);

#endif /* _TPI_DATAGRAM_H */
