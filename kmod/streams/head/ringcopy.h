/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of users are copied into a ring and out of it, for pipes and for TCP. */
#ifndef _STREAMS_RINGCOPY_H
#define _STREAMS_RINGCOPY_H

#include "streams/message/copy.h"
#include "ring.h"

ssize_t ring_fill_parts(struct strring *ring, struct iov_iter *from, size_t n);

/*
 * Copies n bytes as ring_fill_parts() does; nearly always the bytes are in one
 * page.
 */
static inline ssize_t ring_fill(struct strring *ring, struct iov_iter *from, size_t n)
{
	unsigned int at = offset_in_page(ring->head);
	char *page = ring_page(ring, ring->head);

	if (unlikely(!page || n > PAGE_SIZE - at ||
		     !str_copy_from_iter(page + at, PAGE_SIZE - at, n, from)))
		return ring_fill_parts(ring, from, n);
	/* Release: the bytes are stored before the position (litmus test ring_fill). */
	smp_store_release(&ring->head, ring->head + n);
	return n;
}

/*
 * Copies up to n unread bytes, of one page, under the reader's mutex. Returns how many, or
 * 0 if the user's memory cannot be written. The caller moves the tail.
 */
static inline size_t ring_copy_page(struct strring *ring, struct iov_iter *to, size_t n)
{
	unsigned int at = offset_in_page(ring->tail);
	const char *page = *ring_slot(ring, ring->tail);
	size_t len = min_t(size_t, n, PAGE_SIZE - at);

	return likely(str_copy_to_iter(page + at, PAGE_SIZE - at, len, to)) ? len : 0;
}

#endif /* _STREAMS_RINGCOPY_H */
