// SPDX-License-Identifier: GPL-2.0-only
/* 6.12: the pieces of a buffer may be a device's memory, which only the device reads */
#include <linux/skbuff.h>

bool probe(const struct sk_buff *skb);
bool probe(const struct sk_buff *skb)
{
	return skb_frags_readable(skb);
}
