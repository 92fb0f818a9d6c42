// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events that an endpoint's user has to handle, and TLOOK before a call acts */
#include "event.h"
#include "receive.h"

int event_find(struct endpoint *ep, int *event)
{
	int error, type;

	*event = 0;
	/* Another thread may have closed the endpoint while this one waited for "in". */
	error = atomic_load(&ep->closed) ? TBADF : tpi_peek_type(ep, &type);
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

int event_check(struct endpoint *ep, int events)
{
	int error, event;

	error = event_find(ep, &event);
	if (!error && event & events)
		error = TLOOK;
	return error;
}

int event_check_unlocked(struct endpoint *ep, int events)
{
	int error;

	lock_take(&ep->in);
	error = event_check(ep, events);
	lock_drop(&ep->in);
	return error;
}
