// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events that an endpoint's user has to handle: t_look(), and TLOOK before a call acts */
#include "carrier.h"
#include "look.h"
#include "state.h"

int look(struct endpoint *ep, int *event)
{
	int error, type;

	*event = 0;
	/* By another thread, while this one waited for "in". */
	error = atomic_load(&ep->closed) ? TBADF : tpi_front(ep, &type);
	if (error)
		return error;
	switch (type) {
	case TPI_NONE:
		break;
	case TPI_DATA:
		*event = ep->rest[TSDU_EXPEDITED].left ? T_EXDATA : T_DATA;
		break;
	case T_CONN_IND:
		*event = T_LISTEN;
		break;
	case T_CONN_CON:
		*event = T_CONNECT;
		break;
	case T_DATA_IND:
	case T_OPTDATA_IND:
	case T_UNITDATA_IND:
		*event = T_DATA;
		break;
	case T_EXDATA_IND:
		*event = T_EXDATA;
		break;
	case T_DISCON_IND:
		*event = T_DISCONNECT;
		break;
	case T_UDERROR_IND:
		*event = T_UDERR;
		break;
	case T_ORDREL_IND:
		*event = T_ORDREL;
		break;
	default:
		return TPROTO;
	}
	return 0;
}

int look_for(struct endpoint *ep, int events)
{
	int error, event;

	error = look(ep, &event);
	if (!error && event & events)
		error = TLOOK;
	return error;
}

int look_before(struct endpoint *ep, int events)
{
	int error;

	lock_take(&ep->in);
	error = look_for(ep, events);
	lock_drop(&ep->in);
	return error;
}

/*
 * Whether flow control that TFLOW reported has ended: reported once, and only
 * while the user may send.
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
	error = look(ep, &event);
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
