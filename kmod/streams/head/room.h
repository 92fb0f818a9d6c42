/* SPDX-License-Identifier: GPL-2.0-only */
/* Room to write, and waiting for it; fflags: as of iocb_fflags() */
#ifndef _STREAMS_ROOM_H
#define _STREAMS_ROOM_H

#include "stream.h"

/*
 * Returns the read queue that a write reaches without meeting a module, or
 * NULL. Under RCU no module comes between until what is put there has arrived.
 */
static inline queue_t *str_write_target(struct stream *sd)
{
	queue_t *q = sd->sd_mate ? str_rq(sd->sd_mate) : NULL;

	return q && rcu_access_pointer(str_wq(sd)->q_next) == q ? q : NULL;
}

/*
 * Returns the room in band 0 in bytes, or 0 if it is less than needed. An empty
 * queue takes a message of any length: the mark may have been lowered while its
 * writer waited.
 */
static inline size_t str_queue_room(const queue_t *q, size_t need)
{
	size_t count = READ_ONCE(q->q_count), hiwat = READ_ONCE(q->q_hiwat);
	size_t room = count < hiwat ? hiwat - count : 0;

	if (unlikely(!count))
		return max(room, need);
	return room < need ? 0 : room;
}

int str_write_error_of(struct stream *sd, unsigned int fflags);
/* Returns the error of a stream that cannot be written to, or 0. */
static inline int str_write_error(struct stream *sd, unsigned int fflags)
{
	return likely(!str_write_broken(sd)) ? 0 : str_write_error_of(sd, fflags);
}

bool str_writable(struct stream *sd, unsigned char band);
bool str_band_writable(struct stream *sd);
int str_write_throttle(struct stream *sd, unsigned char band,
		       unsigned int fflags);
ssize_t str_write_wait(struct stream *sd, unsigned char band, size_t need,
		       unsigned int fflags, bool *slept);

/*
 * Called after a write: if no room is left, arranges a signal for tasks that
 * asked for its return.
 */
static inline void str_wrote(struct stream *sd, unsigned char band)
{
	if (unlikely(READ_ONCE(sd->sd_wwatch)))
		str_writable(sd, band);
}

/*
 * Called after a message was sent. An edge-triggered poller last saw room, so
 * this arranges a wakeup when room returns even though no writer has found the
 * queue full yet.
 */
static inline void str_filled(struct stream *sd)
{
	/* Sleepers are looked for after the send: see poll_wait(). */
	if (wq_has_sleeper(&sd->sd_wwait))
		str_writable(sd, 0);
}

/* Stores the packet sizes that the queue below the head accepts, in bytes. */
static inline void str_packet_sizes(struct stream *sd, size_t *min,
				    size_t *max)
{
	queue_t *q;

	rcu_read_lock_sched();
	q = rcu_dereference_sched(str_wq(sd)->q_next);
	*min = q && q->q_minpsz > 0 ? q->q_minpsz : 0;
	*max = STRMSGSZ;
	if (q && q->q_maxpsz >= 0)
		*max = min_t(size_t, STRMSGSZ, q->q_maxpsz);
	/*
	 * A small pipe takes small messages only, or it would hold many times
	 * its size.
	 */
	if (sd->sd_mate)
		*max = min(*max, 4 * READ_ONCE(str_rq(sd->sd_mate)->q_abovehi));
	rcu_read_unlock_sched();
}

#endif /* _STREAMS_ROOM_H */
