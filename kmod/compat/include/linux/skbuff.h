/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_SKBUFF_H
#define _STRSOCK_COMPAT_LINUX_SKBUFF_H

#include_next <linux/skbuff.h>
#include "strsock_features.h"

#ifndef HAVE_SKB_FRAGS_READABLE
static inline bool skb_frags_readable(const struct sk_buff *skb)
{
	return true;
}
#endif

#endif
