/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One reader and one writer of a ring, once there is something to read, or room
 *
 * The functions are inlined into read() and write() of a pipe, whose figures need that.
 */
#ifndef _STREAMS_RINGLOCK_H
#define _STREAMS_RINGLOCK_H

#include "streams/head/reader.h"
#include "streams/head/ring.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/trace.h"

/*
 * Takes write_mutex of the ring that a head writes to, once the ring has need
 * bytes of room. Returns the room; beyond the bytes asked for it may be
 * underestimated. If the mutex is not taken: returns -ENODATA when the ring has
 * ended, or an error. *slept: as in str_write_wait().
 */
static __always_inline ssize_t str_ring_write_lock(struct stream *sd, size_t asked,
						   size_t need, unsigned int fflags,
						   bool *slept)
{
	struct strring *ring = sd->sd_mate->sd_ring;
	ssize_t room;
	int err;

	for (;;) {
		if (unlikely(mutex_lock_killable(&ring->write_mutex)))
			return -EINTR;
		if (unlikely(!sd->sd_mate->sd_form)) {
			mutex_unlock(&ring->write_mutex);
			return -ENODATA;
		}
		err = str_write_error(sd, fflags);
		room = ring_room(ring, asked);
		if (likely(!err && room >= need))
			return room;
		mutex_unlock(&ring->write_mutex);
		if (!err)
			err = min_t(ssize_t, 0, str_write_wait(sd, 0, need, fflags, slept));
		if (err)
			return err;
	}
}

/*
 * Returns whether a reader has a reason to take sd_read_mutex: bytes, an end,
 * or another reader's progress. Bytes that the readers already know of need no
 * look at the writer's cache line. An ended ring keeps its positions, so it has
 * bytes here or is seen to be off.
 */
static __always_inline bool ring_worth_locking(const struct stream *sd)
{
	const struct strring *ring = sd->sd_ring;

	return READ_ONCE(ring->head_seen) != READ_ONCE(ring->tail) || ring_bytes(ring) ||
	       READ_ONCE(sd->sd_flag) & STR_READ_STOPS || !str_form_read(sd);
}

/*
 * Takes sd_read_mutex once a ring has unread bytes. Returns how many are known,
 * which may be more than those asked for. If the mutex is not taken: returns 0
 * at the end of the file, -ENODATA when the ring has ended, or an error.
 * *slept: the caller was woken, and wakes the next reader. A reader that has to
 * wait takes the mutex once, when it has something to read.
 */
static __always_inline ssize_t str_ring_read_lock(struct stream *sd, size_t asked,
						  unsigned int fflags, bool *slept)
{
	struct strring *ring = sd->sd_ring;
	unsigned int flag;
	size_t avail;
	int err;

	for (;;) {
		if (unlikely(!ring_worth_locking(sd))) {
			if (fflags & O_NONBLOCK)
				return -EAGAIN;
			err = str_read_wait(sd);
			if (err)
				return err;
			*slept = true;
			continue;
		}
		if (unlikely(mutex_lock_killable(&sd->sd_read_mutex))) {
			/*
			 * The wakeup of this task was meant for one reader of
			 * the ring.
			 */
			if (*slept && ring_bytes(ring))
				str_read_next(sd);
			return -EINTR;
		}
		if (unlikely(!sd->sd_form)) {
			mutex_unlock(&sd->sd_read_mutex);
			return -ENODATA;
		}
		/* The last writer may have written before it left. */
		flag = smp_load_acquire(&sd->sd_flag);
		avail = ring_unread(ring, asked);
		if (likely(avail))
			return avail;
		mutex_unlock(&sd->sd_read_mutex);
		if (flag & STR_READ_STOPS)
			return 0;
		/* Another reader took the bytes. */
	}
}

/*
 * Releases sd_read_mutex; a reader that was woken, and leaves bytes, wakes the
 * next.
 */
static __always_inline void str_ring_read_unlock(struct stream *sd, bool slept)
{
	mutex_unlock(&sd->sd_read_mutex);
	if (slept && ring_bytes(sd->sd_ring))
		str_read_next(sd);
}

/* Counts bytes that a user has read from a ring. */
static __always_inline void str_ring_count_taken(const struct stream *sd, size_t n)
{
	if (unlikely(trace_streams_head_take_enabled()))
		str_trace_taken(sd, n);
	str_count_rcvd(STR_KIND_PIPE, n);
}

#endif /* _STREAMS_RINGLOCK_H */
