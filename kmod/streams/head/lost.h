/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages that are lost on their way up a stream */
#ifndef _STREAMS_LOST_H
#define _STREAMS_LOST_H

#include <sys/stream.h>

/* Counts a message that the queue q of a stream cannot have, for a reason of one word. */
void str_lost(const queue_t *q, const char *reason);

#endif /* _STREAMS_LOST_H */
