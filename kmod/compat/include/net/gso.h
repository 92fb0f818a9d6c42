/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_GSO_H
#define _STRSOCK_COMPAT_NET_GSO_H

#include "strsock_features.h"
#ifdef HAVE_NET_GSO
#include_next <net/gso.h>
#else
#include <linux/netdevice.h>
#endif

#endif
