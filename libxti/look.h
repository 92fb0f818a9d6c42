/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* look.h - what an endpoint's user has to attend to */
#ifndef _LIBXTI_LOOK_H
#define _LIBXTI_LOOK_H

#include "endpoint.h"

/* The event that the first message is, or 0; "in" is held. */
LOCAL int look(struct endpoint *ep, int *event);
/* TLOOK when it is one of these; "in" is held, or is not. */
LOCAL int look_for(struct endpoint *ep, int events);
LOCAL int look_before(struct endpoint *ep, int events);
/*
 * What sending gave, 0 or an error: TFLOW has T_GODATA or T_GOEXDATA be told of, and
 * who could send again need not be told.
 */
static inline void look_sent(struct endpoint *ep, int event, int error)
{
	if (error == TFLOW)
		atomic_fetch_or(&ep->flow, event);
	else if (!error && atomic_load(&ep->flow) & event)
		atomic_fetch_and(&ep->flow, ~event);
}

#endif /* _LIBXTI_LOOK_H */
