// SPDX-License-Identifier: LGPL-2.1-or-later
/* fill.c - how full a queue is */
#include <stdlib.h>

#include "fill.h"

const char *fill_read(const char *text, struct fill *fill)
{
	char *end;

	fill->bytes = strtoull(text, &end, 10);
	if (*end == '/')
		fill->hiwat = strtoull(end + 1, &end, 10);
	return end;
}

unsigned int fill_percent(struct fill fill)
{
	if (!fill.hiwat || fill.bytes >= fill.hiwat)
		return fill.bytes ? 100 : 0;
	/* The bytes may be too many for a product with 100. */
	return (double)fill.bytes * 100 / fill.hiwat;
}
