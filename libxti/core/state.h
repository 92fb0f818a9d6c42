/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * state.h - in which states of an endpoint a function may be called, and what
 * changes them: XNS Issue 5, "Transport Interface States"
 */
#ifndef _LIBXTI_STATE_H
#define _LIBXTI_STATE_H

#include "endpoint.h"

/* These macros are sets of states, and of servtypes. */
#define IN(state)	(1U << (state))
#define COTS		(1U << T_COTS | 1U << T_COTS_ORD)
#define COTS_ORD	(1U << T_COTS_ORD)
#define CLTS		(1U << T_CLTS)
#define ANY_SERVICE	(COTS | CLTS)

static inline int state_now(struct endpoint *ep)
{
	return atomic_load(&ep->state);
}

/*
 * Checks whether a function may be called. Returns TBADF, TNOTSUPPORT, or
 * TOUTSTATE, in this order.
 */
static inline int state_check(struct endpoint *ep, unsigned int services,
			      unsigned int states)
{
	/*
	 * Another thread may have closed the endpoint while this one waited for its
	 * turn.
	 */
	if (atomic_load(&ep->closed))
		return TBADF;
	if (!(services & 1U << ep->info.servtype))
		return TNOTSUPPORT;
	return states & IN(state_now(ep)) ? 0 : TOUTSTATE;
}

static inline void state_set(struct endpoint *ep, int state)
{
	atomic_store(&ep->state, state);
}

/* Records that a connection has been made, on which no data has been sent. */
LOCAL void state_connected(struct endpoint *ep);
/* Record the orderly release of the user's side, and of the other side. */
LOCAL void state_sndrel(struct endpoint *ep);
LOCAL void state_rcvrel(struct endpoint *ep);
/*
 * Records that the connection, or an indication, no longer exists. The caller
 * holds "in".
 */
LOCAL void state_disconnected(struct endpoint *ep);

#endif /* _LIBXTI_STATE_H */
