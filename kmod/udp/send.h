/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending a datagram, through IP or directly to a receiver of this host */
#ifndef _STRUDP_SEND_H
#define _STRUDP_SEND_H

#include <sys/stream.h>

#include "udp.h"

bool strudp_send_message(struct sock *sk, struct strudp_cache *cache,
			 const struct sockaddr_in *sin, mblk_t *mp, size_t len);
int strudp_sendmsg(struct sock *sk, struct strudp_cache *cache,
		   struct msghdr *msg, size_t len);
bool strudp_send_message6(struct sock *sk, struct strudp_cache *cache,
			  const struct sockaddr_in6 *sin6, mblk_t *mp, size_t len);
int strudp_sendmsg6(struct sock *sk, struct strudp_cache *cache,
		    struct msghdr *msg, size_t len);

#endif /* _STRUDP_SEND_H */
