/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_RPS_H
#define _STRSOCK_COMPAT_NET_RPS_H

#include <net/sock.h>
#include "strsock_features.h"

#ifdef HAVE_NET_RPS
#include_next <net/rps.h>
#endif

#endif
