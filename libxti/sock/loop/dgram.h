/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dgram.h - the service of ticlts */
#ifndef _LIBXTI_SOCK_LOOP_DGRAM_H
#define _LIBXTI_SOCK_LOOP_DGRAM_H

#include "sock/end.h"

LOCAL extern const struct sock_service sock_loop_dgram_service;

#endif /* _LIBXTI_SOCK_LOOP_DGRAM_H */
