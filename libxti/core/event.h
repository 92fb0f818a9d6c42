/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* event.h - events that an endpoint's user has to handle */
#ifndef _LIBXTI_CORE_EVENT_H
#define _LIBXTI_CORE_EVENT_H

#include "endpoint.h"

/* Finds the event that the first message is, or 0; "in" is held. */
LOCAL int event_find(struct endpoint *ep, int *event);
/* Returns TLOOK when the event is one of these; "in" is held. */
LOCAL int event_check(struct endpoint *ep, int events);
/* Does what event_check() does for a caller that does not hold "in". */
LOCAL int event_check_unlocked(struct endpoint *ep, int events);
/*
 * Records the result of a send, 0 or an error. After TFLOW, T_GODATA or
 * T_GOEXDATA is reported later; a user that could send again needs no report.
 */
static inline void event_note_sent(struct endpoint *ep, int event, int error)
{
	if (error == TFLOW)
		atomic_fetch_or(&ep->flow, event);
	else if (!error && atomic_load(&ep->flow) & event)
		atomic_fetch_and(&ep->flow, ~event);
}

#endif /* _LIBXTI_CORE_EVENT_H */
