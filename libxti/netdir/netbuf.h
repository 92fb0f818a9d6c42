/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* netbuf.h - addresses that are allocated */
#ifndef _LIBXTI_NETDIR_NETBUF_H
#define _LIBXTI_NETDIR_NETBUF_H

#include <netdir.h>
#include <stddef.h>

#include "core/error.h"

/* Allocates an address; NULL: there is no memory. */
LOCAL struct netbuf *nd_make_netbuf(const void *addr, size_t len);
/* Adds an address at the end of a list. */
LOCAL int nd_add_addr(struct nd_addrlist *list, const void *addr, size_t len);

#endif /* _LIBXTI_NETDIR_NETBUF_H */
