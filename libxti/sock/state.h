/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state.h - the state of an endpoint, as its socket has it */
#ifndef _LIBXTI_SOCK_STATE_H
#define _LIBXTI_SOCK_STATE_H

#include "end.h"

/* Makes the endpoint's state that of its socket, which another process may have changed. */
LOCAL void sock_learn_state(struct endpoint *ep);

#endif /* _LIBXTI_SOCK_STATE_H */
