// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of options, as programs have them */
#include <stdint.h>
#include <string.h>

#include "options.h"

int options_next(const char **at, size_t *left, struct t_opthdr *oh, const char **value)
{
	size_t step;

	if (!*left)
		return 0;
	if (*left < sizeof(*oh))
		return -1;
	memcpy(oh, *at, sizeof(*oh));
	if (oh->len < sizeof(*oh) || oh->len > *left)
		return -1;
	*value = *at + sizeof(*oh);
	step = T_ALIGN(oh->len);
	if (step > *left)
		step = *left;
	*at += step;
	*left -= step;
	return 1;
}

int options_number(const char *at, size_t len, t_uscalar_t *value)
{
	uint64_t wide;

	switch (len) {
	case 1:
		*value = *(const unsigned char *)at;
		return 0;
	case sizeof(*value):
		memcpy(value, at, sizeof(*value));
		return 0;
	case sizeof(wide):
		memcpy(&wide, at, sizeof(wide));
		*value = wide;
		return wide > UINT32_MAX ? EINVAL : 0;
	default:
		return EINVAL;
	}
}
