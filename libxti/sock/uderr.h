/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uderr.h - errors of datagrams that wait to be reported: T_UDERROR_IND */
#ifndef _LIBXTI_SOCK_UDERR_H
#define _LIBXTI_SOCK_UDERR_H

#include "end.h"

#define UDERR_MAX	64	/* errors that wait; more may be lost, as datagrams may */

LOCAL void sock_uderr_add(struct sock_end *s, const struct sock_addr *dest, int error);
/*
 * Takes the oldest error as a T_UDERROR_IND. Returns TNODATA if there is none.
 */
LOCAL int sock_uderr_take(struct sock_end *s, struct tpi_msg *msg);
LOCAL void sock_uderr_drop_all(struct sock_end *s);

#endif /* _LIBXTI_SOCK_UDERR_H */
