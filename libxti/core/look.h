/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* look.h - events that an endpoint's user has to handle */
#ifndef _LIBXTI_LOOK_H
#define _LIBXTI_LOOK_H

#include "endpoint.h"

/* The event that the first message is, or 0; "in" is held. */
LOCAL int look(struct endpoint *ep, int *event);
/* TLOOK when it is one of these; "in" is held, or is not. */
LOCAL int look_for(struct endpoint *ep, int events);
LOCAL int look_before(struct endpoint *ep, int events);
/*
 * Takes note of the result of sending, 0 or an error. After TFLOW, T_GODATA or
 * T_GOEXDATA is to be reported; a user that could send again needs no report.
 */
static inline void look_sent(struct endpoint *ep, int event, int error)
{
	if (error == TFLOW)
		atomic_fetch_or(&ep->flow, event);
	else if (!error && atomic_load(&ep->flow) & event)
		atomic_fetch_and(&ep->flow, ~event);
}

#endif /* _LIBXTI_LOOK_H */
