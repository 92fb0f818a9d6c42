/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pending.h - connections that no endpoint has accepted yet */
#ifndef _LIBXTI_SOCK_PENDING_H
#define _LIBXTI_SOCK_PENDING_H

#include "end.h"

/* Finds the connection that was reported with that number, or NULL. */
LOCAL struct sock_pending *sock_pending_find(struct sock_end *s, t_scalar_t seq);
/* Closes the connection's socket, unless fd is -1, and frees the connection. */
LOCAL void sock_pending_drop(struct sock_end *s, struct sock_pending *p);
LOCAL void sock_pending_drop_all(struct sock_end *s);

#endif /* _LIBXTI_SOCK_PENDING_H */
