/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* data.h - the service of connections over the Internet */
#ifndef _LIBXTI_SOCK_DATA_H
#define _LIBXTI_SOCK_DATA_H

#include "end.h"

LOCAL extern const struct sock_service sock_conn_service;

#endif /* _LIBXTI_SOCK_DATA_H */
