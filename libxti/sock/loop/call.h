/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * call.h - the beginning and the end of connections of ticots and ticotsord
 *
 * A caller connects, and sends LOOP_CALL. Between the two the listener may have
 * accepted and found nothing, and nothing would make its descriptor readable
 * again when the call comes. So it says LOOP_LOOKED, and looks once more; a
 * caller that finds this after its call knocks: it connects another socket, and
 * closes it. Whichever was first, the listener finds the call. A silent caller
 * delays no other.
 */
#ifndef _LIBXTI_SOCK_LOOP_CALL_H
#define _LIBXTI_SOCK_LOOP_CALL_H

#include "sock/end.h"

/*
 * Calls a listener. Returns 0 or an errno; ECONNREFUSED means that no endpoint
 * has that address.
 */
LOCAL int loop_call(struct endpoint *ep, const struct sock_addr *to,
		    const struct netbuf *udata);
/* Informs the caller on fd that res has accepted the connection. */
LOCAL void loop_send_answer(struct endpoint *ep, struct endpoint *res, int fd,
			    const struct netbuf *udata);
/* Informs the peer on fd that the connection has ended, or was refused. */
LOCAL void loop_send_farewell(int fd, int reason, const struct netbuf *udata);
/*
 * Looks for the address that the caller of an accepted connection sends.
 * Returns 1; 0: not yet; -1: never.
 */
LOCAL int loop_hear_call(struct endpoint *ep, struct sock_pending *p);
/* Informs the caller that the listener found no call. */
LOCAL void loop_say_looked(struct sock_pending *p);
/* Makes the listening endpoint's descriptor readable. */
LOCAL void loop_wake_listener(struct endpoint *ep);

#endif /* _LIBXTI_SOCK_LOOP_CALL_H */
