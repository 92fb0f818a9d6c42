/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sync.h - endpoints that this process knows, and those that another left to it
 */
#ifndef _LIBXTI_API_SYNC_H
#define _LIBXTI_API_SYNC_H

#include "core/endpoint.h"

/*
 * Registers an endpoint that another program has left open and that this process does
 * not know yet. Returns TBADF if the descriptor is not an endpoint.
 */
LOCAL int endpoint_inherit(int fd, struct endpoint **ep);

/* Derives T_IDLE or the like from a provider's CURRENT_state and what waits to be read. */
LOCAL int sync_derive_state(struct endpoint *ep, int current, int *state);

/*
 * Calls act for a descriptor's endpoint with its lock "in" held. Returns what the
 * functions of XTI return: 0, or -1 after an error.
 */
LOCAL int endpoint_act(int fd, int (*act)(struct endpoint *ep, void *arg), void *arg);

/* Finds an endpoint of this process, or registers an inherited one. */
static inline int endpoint_get(int fd, struct endpoint **ep)
{
	struct endpoint *found = endpoint_entry(fd);

	/* If another thread has taken the place in the table, the endpoint was closed. */
	if (found && endpoint_ref(found)) {
		if (found->fd == fd &&
		    !atomic_load_explicit(&found->closed, memory_order_relaxed)) {
			*ep = found;
			return 0;
		}
		endpoint_put(found);
	}
	*ep = endpoint_find(fd);
	return *ep ? 0 : endpoint_inherit(fd, ep);
}

#endif /* _LIBXTI_API_SYNC_H */
