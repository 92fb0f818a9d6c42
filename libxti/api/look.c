// SPDX-License-Identifier: LGPL-2.1-or-later
/* The event that an endpoint's user has to handle: t_look() */
#include "core/carrier.h"
#include "core/event.h"
#include "core/state.h"
#include "sync.h"

/*
 * Tells whether flow control that TFLOW reported has ended. The end is reported
 * once, and only while the user may send.
 */
static int flow_event(struct endpoint *ep, int event, int band)
{
	unsigned int sending = ep->info.servtype == T_CLTS ?
			       IN(T_IDLE) : IN(T_DATAXFER) | IN(T_INREL);

	if (!(atomic_load(&ep->flow) & event) ||
	    !(sending & IN(state_now(ep))) || !ep->carrier->has_room(ep, band))
		return 0;
	return atomic_fetch_and(&ep->flow, ~event) & event;
}

/**
 * t_look() - the event that an endpoint's user has to handle
 * @fd: the endpoint
 *
 * Return: T_LISTEN ... T_GOEXDATA, 0 when there is none, or -1. XNS Issue 5,
 * t_look().
 */
int t_look(int fd)
{
	struct endpoint *ep;
	int error, event;

	error = endpoint_get(fd, &ep);
	if (error)
		return endpoint_result(ep, error);
	lock_take(&ep->in);
	error = event_find(ep, &event);
	lock_drop(&ep->in);
	if (error)
		return endpoint_result(ep, error);
	if (!event)
		event = flow_event(ep, T_GODATA, 0);
	if (!event)
		event = flow_event(ep, T_GOEXDATA, 1);
	endpoint_put(ep);
	return event;
}
