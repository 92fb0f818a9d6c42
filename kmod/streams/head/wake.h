/* SPDX-License-Identifier: GPL-2.0-only */
/* Waking tasks that wait for a stream: for something to read, or for room */
#ifndef _STREAMS_WAKE_H
#define _STREAMS_WAKE_H

#include "signal.h"
#include "stream.h"

int str_wsrv(queue_t *q);
__poll_t str_poll_bits(const mblk_t *mp);
void str_wake_reader(struct stream *sd, __poll_t bits);

/* A high-priority message is gone: wake waiters for the data it hid. */
void str_bared(struct stream *sd);

/*
 * Waiters are woken one at a time: a reader that was woken, and leaves
 * something, wakes the next. A reader that was not woken wakes none, or
 * edge-triggered epoll would report the same event twice.
 */
static inline void str_read_next(struct stream *sd)
{
	/* No barrier: a task that begins to wait now sees what is left. */
	if (waitqueue_active(&sd->sd_rwait))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM);
}

/* A message came to the read queue; front: and is the first one there. */
static inline void str_arrived(struct stream *sd, __poll_t bits, bool front)
{
	str_wake_reader(sd, bits);
	if (unlikely(READ_ONCE(sd->sd_rwatch)) && front)
		str_notify_read(sd, bits);
}

#endif /* _STREAMS_WAKE_H */
