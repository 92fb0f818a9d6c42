// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of users are copied into a ring in parts, if they are of several pages. */
#include <linux/export.h>

#include "ringcopy.h"

/*
 * Copies n bytes that the ring has room for, under write_mutex, and makes them
 * visible to the reader. Returns their number. If the user's memory cannot be
 * read, or a page cannot be allocated, the whole pages before that are written,
 * as in Linux's pipe; up to PIPE_BUF bytes are written as a whole or not at
 * all. If there are no such pages the error is returned.
 */
ssize_t ring_fill_parts(struct strring *ring, struct iov_iter *from, size_t n)
{
	unsigned int head = ring->head;
	size_t done = 0;
	int err = 0;

	do {
		unsigned int at = offset_in_page(head + done);
		size_t len = min_t(size_t, n - done, PAGE_SIZE - at), got;
		char *page = ring_page(ring, head + done);

		got = 0;
		if (likely(page))
			got = str_copy_some_from_iter(page + at, PAGE_SIZE - at, len, from);
		done += got;
		if (unlikely(got < len)) {
			err = page ? -EFAULT : -ENOMEM;
			iov_iter_revert(from, offset_in_page(done));
			done = round_down(done, PAGE_SIZE);
			break;
		}
	} while (done < n);
	/* Release: the bytes are stored before the position. */
	smp_store_release(&ring->head, head + done);
	return done ?: err;
}
EXPORT_SYMBOL_GPL(ring_fill_parts);
