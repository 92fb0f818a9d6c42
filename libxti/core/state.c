// SPDX-License-Identifier: LGPL-2.1-or-later
/* The states of an endpoint, and what changes them */
#include <string.h>

#include "state.h"

void state_connected(struct endpoint *ep)
{
	/*
	 * The count is raised first: a thread that finds the state sends on the
	 * new connection.
	 */
	atomic_fetch_add(&ep->connections, 1);
	atomic_store(&ep->flow, 0);
	atomic_store(&ep->releasing, false);
	state_set(ep, T_DATAXFER);
}

/* Releases one side. Two threads may release both sides at the same time. */
static void release_side(struct endpoint *ep, int first, int second)
{
	int now = state_now(ep), next;

	do {
		if (now == T_DATAXFER)
			next = first;
		else if (now == second)
			next = T_IDLE;
		else
			return;
		/*
		 * The flag is set first: a thread that finds the state may
		 * abort the rest of the connection.
		 */
		if (next == T_IDLE)
			atomic_store(&ep->releasing, true);
	} while (!atomic_compare_exchange_weak(&ep->state, &now, next));
}

void state_sndrel(struct endpoint *ep)
{
	release_side(ep, T_OUTREL, T_INREL);
}

void state_rcvrel(struct endpoint *ep)
{
	release_side(ep, T_INREL, T_OUTREL);
}

void state_disconnected(struct endpoint *ep)
{
	memset(ep->rest, 0, sizeof(ep->rest));
	if (state_now(ep) == T_INCON && ep->ocnt > 1) {
		ep->ocnt--;
		return;
	}
	ep->ocnt = 0;
	state_set(ep, T_IDLE);
}
