/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* provider.h - the carrier that makes providers of the kernel's sockets */
#ifndef _LIBXTI_SOCK_PROVIDER_H
#define _LIBXTI_SOCK_PROVIDER_H

#include "core/carrier.h"

LOCAL extern const struct carrier sock_carrier;

/* Opens a socket for a provider's name, or returns TBADNAME or TSYSERR. */
LOCAL int sock_open_provider(const char *name, int oflag, int *fd);

#endif /* _LIBXTI_SOCK_PROVIDER_H */
