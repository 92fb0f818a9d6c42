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

#endif /* _LIBXTI_LOOK_H */
