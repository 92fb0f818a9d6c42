/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wait.h - threads that wait for something to happen to an endpoint */
#ifndef _LIBXTI_WAIT_H
#define _LIBXTI_WAIT_H

#include <poll.h>

#include "endpoint.h"

/*
 * Waits for the events of p, and sets its revents. A wakeup that was not
 * counted in woken ends the wait too, with revents of 0. Returns TSYSERR after
 * a signal, or TBADF. The caller holds no lock but "out"; a thread may be
 * cancelled here.
 */
LOCAL int endpoint_wait(struct endpoint *ep, struct pollfd *p, unsigned int woken);

/*
 * Makes waiting threads look at the endpoint again, whose state is not one that
 * they wait in.
 */
LOCAL void endpoint_wake(struct endpoint *ep);

#endif /* _LIBXTI_WAIT_H */
