/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams between two socks of this host that meet without IP */
#ifndef _STRUDP_DIRECT_H
#define _STRUDP_DIRECT_H

#include <sys/stream.h>

#include "path.h"

struct msghdr;

/*
 * Delivers a datagram; false: it has to go through IP, or fail there: nothing
 * has happened.
 */
bool strudp_direct(struct sock *sk, struct strudp_cache *cache,
		   const struct strudp_key *key, struct msghdr *msg, size_t len);
/* Sends a T_UNITDATA_REQ directly; false: the message is still the caller's. */
bool strudp_direct_message(struct sock *sk, struct strudp_cache *cache,
			   const struct strudp_key *key, mblk_t *mp, size_t len);
/* Do the same for IPv6. */
bool strudp_direct6(struct sock *sk, struct strudp_cache *cache,
		    const struct strudp_key *key, struct msghdr *msg, size_t len);
bool strudp_direct_message6(struct sock *sk, struct strudp_cache *cache,
			    const struct strudp_key *key, mblk_t *mp, size_t len);
/* Has the next datagrams sent directly, if nothing on the path is in the way. Under RCU. */
void strudp_direct_try(struct sock *sk, struct strudp_cache *cache,
		       const struct strudp_path *p);

/*
 * Of this number of datagrams sent through IP, one checks whether that was
 * necessary.
 */
#define STRUDP_RETRY_EVERY	16

/* Called for a datagram that is sent through IP. Under RCU. */
static inline void strudp_direct_retry(struct sock *sk, struct strudp_cache *cache,
				       const struct strudp_path *p)
{
	if (cache->indirect++ % STRUDP_RETRY_EVERY == 0)
		strudp_direct_try(sk, cache, p);
}

#endif /* _STRUDP_DIRECT_H */
