/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uaddr.h - addresses as text */
#ifndef _LIBXTI_NETDIR_UADDR_H
#define _LIBXTI_NETDIR_UADDR_H

#include <netdir.h>

#include "core/error.h"

/* Writes the bytes of a loopback address as text, which it allocates. */
LOCAL char *nd_bytes_text(const struct netbuf *addr);

#endif /* _LIBXTI_NETDIR_UADDR_H */
