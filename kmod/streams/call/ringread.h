/* SPDX-License-Identifier: GPL-2.0-only */
/* One reader of a ring, once there is something to read */
#ifndef _STREAMS_RINGREAD_H
#define _STREAMS_RINGREAD_H

#include "streams/head/ring.h"
#include "streams/head/wake.h"

int str_ring_wait(struct stream *sd);

/*
 * Takes sd_read_mutex once a ring has unread bytes: returns how many, up to those asked
 * for. Else the mutex is not taken: 0 at the end of the file, -ENODATA when the ring has
 * ended, or an error. *slept: the caller was woken, and wakes the next reader.
 */
static __always_inline ssize_t str_ring_read_lock(struct stream *sd, size_t asked,
						  unsigned int fflags, bool *slept)
{
	struct strring *ring = sd->sd_ring;
	unsigned int flag;
	size_t avail;
	int err;

	for (;;) {
		/* Acquire: the last writer may have written before it left. */
		flag = smp_load_acquire(&sd->sd_flag);
		if (likely(ring_bytes(ring) || !str_ring_on(sd))) {
			if (unlikely(mutex_lock_killable(&sd->sd_read_mutex)))
				break;
			if (unlikely(!ring->on)) {
				mutex_unlock(&sd->sd_read_mutex);
				return -ENODATA;
			}
			avail = ring_unread(ring, asked);
			if (likely(avail))
				return avail;
			/* Another reader took them. */
			mutex_unlock(&sd->sd_read_mutex);
			continue;
		}
		if (flag & (STR_NOWRITER | STR_CLOSING))
			return 0;
		if (fflags & O_NONBLOCK)
			return -EAGAIN;
		err = str_ring_wait(sd);
		if (err)
			return err;
		*slept = true;
	}
	/* The wakeup that it got was that of one reader. */
	if (*slept && ring_bytes(ring))
		str_read_next(sd);
	return -EINTR;
}

/* Releases it; a reader that was woken, and leaves bytes, wakes the next. */
static __always_inline void str_ring_read_unlock(struct stream *sd, bool slept)
{
	mutex_unlock(&sd->sd_read_mutex);
	if (slept && ring_bytes(sd->sd_ring))
		str_read_next(sd);
}

#endif /* _STREAMS_RINGREAD_H */
