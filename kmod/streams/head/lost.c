// SPDX-License-Identifier: GPL-2.0-only
/* Messages that are lost on their way up a stream */
#include <linux/export.h>

#include "streams/trace.h"
#include "lost.h"
#include "stream.h"

void str_lost(const queue_t *q, const char *reason)
{
	struct str_entry *e = &q->q_stream->sd_entry;

	/* Nothing orders two tasks that lose messages at once, as for str_moved. */
	WRITE_ONCE(e->drops, READ_ONCE(e->drops) + 1);
	trace_streams_drop(q, reason);
}
EXPORT_SYMBOL_GPL(str_lost);
