/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_SOCKET_H
#define _STRSOCK_COMPAT_LINUX_SOCKET_H

#include_next <linux/socket.h>
#include "strsock_features.h"

#ifndef HAVE_SOCKADDR_UNSIZED
#define sockaddr_unsized	sockaddr
#endif

#endif
