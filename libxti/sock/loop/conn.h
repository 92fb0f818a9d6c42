/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* conn.h - the service of ticots and ticotsord */
#ifndef _LIBXTI_SOCK_LOOP_CONN_H
#define _LIBXTI_SOCK_LOOP_CONN_H

#include "sock/end.h"

LOCAL extern const struct sock_service sock_loop_service;

#endif /* _LIBXTI_SOCK_LOOP_CONN_H */
