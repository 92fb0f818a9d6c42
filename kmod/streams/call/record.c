// SPDX-License-Identifier: GPL-2.0-only
/* read() and write() of a full-duplex pipe that has its rings: see head/records.h */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "streams/head/records.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "record.h"
#include "write.h"

/* The times that user memory is made present; after that messages are used. */
#define RECORD_TRIES	3

/* The bytes of a write, of which none is visible yet: all, or none. */
static bool record_copy(struct strring *ring, struct iov_iter *from, size_t len)
{
	size_t done = 0, got, n;

	do {
		unsigned int at = offset_in_page(ring->head + done);
		struct page *page = ring_page(ring, ring->head + done);

		if (unlikely(!page))
			break;
		n = min_t(size_t, len - done, PAGE_SIZE - at);
		pagefault_disable();
		got = str_copy_page_from_iter(page, at, n, from);
		pagefault_enable();
		done += got;
		if (unlikely(got < n))
			break;
	} while (done < len);
	if (likely(done == len))
		return true;
	iov_iter_revert(from, done);
	return false;
}

/* One try: bytes, 0: as messages; -EFAULT: memory is not present; -EINTR. */
static ssize_t record_write(struct stream *sd, struct iov_iter *from)
{
	struct stream *to = sd->sd_mate;
	struct strring *ring = to->sd_ring;
	size_t len = iov_iter_count(from);
	unsigned int start = 0;
	bool full = false;
	ssize_t ret = 0;

	if (unlikely(mutex_lock_killable(&ring->write_mutex)))
		return -EINTR;
	if (likely(ring->on && !str_write_broken(sd) && records_fit(ring, len))) {
		start = ring->head;
		ret = -EFAULT;
		if (likely(record_copy(ring, from, len))) {
			full = records_add(ring, len);
			ret = len;
		}
	}
	mutex_unlock(&ring->write_mutex);
	if (unlikely(ret <= 0))
		return ret;
	ring_filled(to, start);
	/* If that fails the next write tries again. */
	if (unlikely(full))
		ring_end(to);
	str_count_sent(STR_KIND_PIPE, len);
	return len;
}

/* As str_write(), to a ring of the other end. */
ssize_t str_record_write(struct stream *sd, struct iov_iter *from,
			 unsigned int fflags)
{
	size_t len = iov_iter_count(from);
	unsigned int tries = 0;
	ssize_t ret;
	int err;

	if (unlikely(fflags & O_DIRECT || len > STRMSG_DATA_MOST))
		goto messages;
	do {
		ret = record_write(sd, from);
		if (likely(ret > 0) || ret == -EINTR)
			return ret;
	} while (ret && tries++ < RECORD_TRIES &&
		 !fault_in_iov_iter_readable(from, len));
messages:
	err = str_ring_end(sd);
	return err ?: str_write_queue(sd, from, fflags);
}

/*
 * Copies up to n unread bytes, under sd_read_mutex: all of them, or -EFAULT: memory is
 * not present.
 */
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, size_t n)
{
	struct strring *ring = sd->sd_ring;
	size_t done = 0, len;

	n = min(n, iov_iter_count(to));
	pagefault_disable();
	do {
		unsigned int at = offset_in_page(ring->tail + done);

		len = min_t(size_t, n - done, PAGE_SIZE - at);
		if (!str_copy_page_to_iter(*ring_slot(ring, ring->tail + done), at,
					   len, to))
			break;
		done += len;
	} while (done < n);
	pagefault_enable();
	if (unlikely(done < n)) {
		iov_iter_revert(to, done);
		return -EFAULT;
	}
	/* Release: the copy, before a writer may overwrite the bytes. */
	smp_store_release(&ring->tail, ring->tail + n);
	return n;
}

/*
 * Makes memory present that str_record_take() found not to be, or has the bytes read
 * as messages. Returns 0: read again, or an error.
 */
int str_record_fault(struct stream *sd, struct iov_iter *to, unsigned int tries)
{
	size_t n = min(ring_bytes(sd->sd_ring), iov_iter_count(to));

	if (tries < RECORD_TRIES && !fault_in_iov_iter_writeable(to, n))
		return 0;
	return str_ring_end(sd);
}
