/* SPDX-License-Identifier: GPL-2.0-only */
/* Waking tasks that wait for a stream: for something to read, or for room to write */
#ifndef _STREAMS_WAKE_H
#define _STREAMS_WAKE_H

#include "streams/trace.h"
#include "ring.h"
#include "signal.h"
#include "stream.h"

int str_wsrv(queue_t *q);
void str_write_next(struct stream *sd);
int str_wait_room(struct stream *sd, unsigned char band, size_t need,
		  unsigned int fflags);
void str_wake_reader(struct stream *sd, __poll_t bits);

/* Returns the poll() events of a message at the front of the read queue. */
static inline __poll_t str_poll_bits(const mblk_t *mp)
{
	if (DB_TYPE(mp) & QPCTL)
		return EPOLLPRI;
	return mp->b_band ? EPOLLIN | EPOLLRDBAND : EPOLLIN | EPOLLRDNORM;
}

/* Wakes waiters for the data that a high-priority message, now gone, hid. */
void str_wake_uncovered(struct stream *sd);

/*
 * Waiters are woken one at a time: a reader that was woken, and leaves data,
 * wakes the next. A reader that was not woken wakes none, or edge-triggered
 * epoll would report the same event twice.
 */
static inline void str_read_next(struct stream *sd)
{
	/*
	 * No barrier is needed: a task that begins to wait now sees the data
	 * that is left.
	 */
	if (waitqueue_active(&sd->sd_rwait))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM);
}

/*
 * Reports that a message came to the read queue; is_first: and is the first one
 * there.
 */
static inline void str_arrived(struct stream *sd, __poll_t bits, bool is_first)
{
	str_wake_reader(sd, bits);
	if (unlikely(READ_ONCE(sd->sd_rwatch)) && is_first)
		str_notify_read(sd, bits);
}

/* The trace points of a ring's two ends, out of line */
void str_trace_filled(const struct stream *sd, unsigned int start);
void str_trace_taken(const struct stream *sd, size_t n);

/*
 * Wakes readers, if any wait, for the bytes written from position start on.
 * Signals are sent if all bytes before it have been read.
 */
static inline void ring_filled(struct stream *sd, unsigned int start)
{
	if (unlikely(trace_streams_head_queue_enabled()))
		str_trace_filled(sd, start);
	smp_mb(); /* the bytes before the look for readers that wait (litmus test ring_filled) */
	if (unlikely(waitqueue_active(&sd->sd_rwait) ||
		     READ_ONCE(sd->sd_rwatch)))
		str_arrived(sd, EPOLLIN | EPOLLRDNORM,
			    (int)(READ_ONCE(sd->sd_ring->tail) - start) >= 0);
}

/* Wakes writers of a ring when their patience is over; see ring_freed_wake(). */
enum hrtimer_restart ring_patience_over(struct hrtimer *timer);
void ring_freed_wake(struct stream *sd, unsigned int before, unsigned int tail);

/*
 * Wakes writers that wait for room after bytes, up to tail, were read or
 * dropped.
 */
static inline void ring_freed(struct stream *sd, unsigned int tail)
{
	struct strring *ring = sd->sd_ring;
	unsigned int before = ring->tail;

	/*
	 * Release: the bytes are copied before a writer may overwrite them
	 * (litmus test ring_fill).
	 */
	smp_store_release(&ring->tail, tail);
	smp_mb(); /* the room before the look for writers that wait (litmus test ring_filled) */
	if (unlikely(waitqueue_active(&sd->sd_wwait) || READ_ONCE(sd->sd_wwatch)))
		ring_freed_wake(sd, before, tail);
}

#endif /* _STREAMS_WAKE_H */
