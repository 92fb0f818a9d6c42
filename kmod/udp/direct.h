/* SPDX-License-Identifier: GPL-2.0-only */
/* Datagrams between two socks of this host that meet without IP */
#ifndef _STRUDP_DIRECT_H
#define _STRUDP_DIRECT_H

#include <sys/stream.h>

#include "path.h"

struct msghdr;
struct sk_buff;

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
/*
 * Has the next datagrams sent directly, if nothing on the path is in the way; else returns
 * whether to look where this one arrives. Under RCU.
 */
bool strudp_direct_try(struct sock *sk, struct strudp_cache *cache,
		       const struct strudp_path *p);
/*
 * Looks whether a datagram that IP has just been given is in the queue of the sock that
 * would have it directly. The caller has kept a clone of its buffer: whatever changes bytes
 * of a packet makes a copy of them first. Under RCU.
 */
void strudp_direct_look(struct sock *sk, struct strudp_cache *cache, struct strudp_path *p,
			const struct sk_buff *sent);

/*
 * Of this number of datagrams sent through IP, one checks whether that was
 * necessary.
 */
#define STRUDP_RETRY_EVERY	16

/* Called for a datagram that is sent through IP: see strudp_direct_try(). Under RCU. */
static inline bool strudp_direct_retry(struct sock *sk, struct strudp_cache *cache,
				       const struct strudp_path *p)
{
	return cache->indirect++ % STRUDP_RETRY_EVERY == 0 && strudp_direct_try(sk, cache, p);
}

#endif /* _STRUDP_DIRECT_H */
