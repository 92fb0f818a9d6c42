// SPDX-License-Identifier: GPL-2.0-only
/* T_UNITDATA_IND: its options */
#include <linux/string.h>

#include "udp_family.h"

void *udp_ind_option(void *at, u32 level, u32 name, const void *value,
		     size_t len)
{
	struct T_opthdr *oh = at;

	oh->len = sizeof(*oh) + len;
	oh->level = level;
	oh->name = name;
	oh->status = T_SUCCESS;
	memcpy(oh + 1, value, len);
	return at + udp_ind_option_size(len);
}
