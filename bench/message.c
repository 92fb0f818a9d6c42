// SPDX-License-Identifier: GPL-2.0-only
/* Whole messages of a stream */
#include <err.h>
#include <stropts.h>

#include "message.h"

size_t get_message(struct channel *c, int want, void *data, size_t len)
{
	union {
		int prim;
		char bytes[256];
	} unit;
	struct strbuf ctl = { .maxlen = sizeof(unit), .buf = unit.bytes };
	struct strbuf d = { .maxlen = len, .buf = data };
	int more, flags = 0;

	c->calls++;
	more = getmsg(c->rx, &ctl, &d, &flags);
	if (more < 0)
		err(1, "getmsg");
	if (more || ctl.len < (int)sizeof(unit.prim) || unit.prim != want)
		errx(1, "getmsg: not a whole message of primitive %d, but primitive %d",
		     want, ctl.len > 0 ? unit.prim : -1);
	return d.len;
}
