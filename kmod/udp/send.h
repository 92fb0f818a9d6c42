/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending a datagram to the network */
#ifndef _TPI_UDP_SEND_H
#define _TPI_UDP_SEND_H

#include <sys/stream.h>

#include "udp.h"

bool strudp_send_message(struct sock *sk, struct strudp_cache *cache,
			 const struct sockaddr_in *sin, mblk_t *mp, size_t len);

#endif /* _TPI_UDP_SEND_H */
