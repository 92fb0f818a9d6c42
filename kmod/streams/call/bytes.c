// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bytes of a FIFO, while it has its ring
 *
 * Readers see the bytes of a write() at once, when all are in or the ring is
 * full, as in Linux's pipe. A read() makes room page by page. ring_fill() copies bytes
 * in (head/ringcopy.h), ring_drain() copies them out.
 *
 * The pages of the ring are lent to a file's read_iter() and write_iter(): bytes are
 * copied once, and those that the other side does not take stay in the ring. While
 * they are lent their side of the ring is locked. The file may take its time:
 * only callers that can be killed wait for these mutexes.
 */
#include <linux/bvec.h>
#include <linux/limits.h>
#include <linux/sched/signal.h>

#include "streams/head/ringcopy.h"
#include "bytes.h"
#include "read.h"
#include "ringlock.h"
#include "write.h"

/*
 * Writes bytes that do not fit at once, or that cannot be copied. Up to
 * PIPE_BUF bytes wait for room for all; of a longer write that may not wait,
 * the part that fits is written (POSIX.1-2001 write()). The error that stopped
 * the write is returned only if nothing is written.
 */
static noinline ssize_t bytes_put_parts(struct stream *sd, struct iov_iter *from,
					unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t left = iov_iter_count(from), done = 0, part;
	bool any = fflags & O_NONBLOCK && left > PIPE_BUF, slept = false;
	unsigned int start;
	ssize_t ret;

	do {
		ret = str_ring_write_lock(sd, left, any ? 1 : min_t(size_t, left, PIPE_BUF),
					  fflags, &slept);
		if (ret < 0)
			break;
		part = min_t(size_t, left, ret);
		start = ring->head;
		ret = ring_fill(ring, from, part);
		mutex_unlock(&ring->write_mutex);
		if (ret < 0)
			break;
		ring_filled(sd, start);
		done += ret;
		left -= ret;
	} while (left && ret == part);
	if (done)
		str_count_sent(STR_KIND_PIPE, done);
	if (slept)
		str_write_next(sd);
	if (ret == -ENODATA) {
		ret = str_write_queue(sd, from, fflags);
		done += max_t(ssize_t, ret, 0);
	}
	return done ?: ret;
}

/* Does what str_write() does, to a ring. */
ssize_t str_bytes_put(struct stream *sd, struct iov_iter *from, unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t len = iov_iter_count(from);
	unsigned int start;
	ssize_t ret;

	if (unlikely(fflags & O_DIRECT))
		return str_write_queue(sd, from, fflags);
	if (unlikely(mutex_lock_killable(&ring->write_mutex)))
		return -EINTR;
	if (unlikely(!sd->sd_form || str_write_broken(sd) || ring_room(ring, len) < len)) {
		mutex_unlock(&ring->write_mutex);
		return bytes_put_parts(sd, from, fflags);
	}
	start = ring->head;
	ret = ring_fill(ring, from, len);
	mutex_unlock(&ring->write_mutex);
	if (unlikely(ret < 0))
		return ret;
	ring_filled(sd, start);
	str_count_sent(STR_KIND_PIPE, ret);
	return ret;
}

/* The pages lent at a time; the first and the last may be lent in part. */
#define LEND_PAGES	(RING_PAGES + 1)

/*
 * Lists the pages of up to n bytes from a position on. Returns how many bytes
 * the pages have. Unread bytes have pages; others are made, under write_mutex.
 */
static size_t lend_pages(struct strring *ring, unsigned int pos, size_t n,
			 struct bio_vec *bv, unsigned int *pages)
{
	size_t done = 0;

	*pages = 0;
	while (done < n && *pages < LEND_PAGES) {
		char *page = ring_page(ring, pos + done);
		unsigned int at = offset_in_page(pos + done);
		unsigned int len = min_t(size_t, n - done, PAGE_SIZE - at);

		if (!page)
			break;
		bv[(*pages)++] = (struct bio_vec){
			.bv_page = virt_to_page(page), .bv_len = len, .bv_offset = at,
		};
		done += len;
	}
	return done;
}

/* Fills one part of the ring from a function, under write_mutex. */
static ssize_t fill_part(struct strring *ring, struct str_source *source,
			 size_t len)
{
	struct bio_vec bv[LEND_PAGES];
	struct iov_iter to;
	unsigned int pages;
	size_t n;
	ssize_t got;

	n = lend_pages(ring, ring->head, min(len, ring_room(ring, len)), bv, &pages);
	if (!n)
		return -ENOMEM;
	iov_iter_bvec(&to, ITER_DEST, bv, pages, n);
	got = source->fill(source, &to);
	if (got > 0)
		/* Release: the bytes are stored before the position. */
		smp_store_release(&ring->head, ring->head + got);
	return got;
}

/* Does what str_fill() does, to a ring. */
ssize_t str_bytes_fill(struct stream *sd, struct str_source *source, size_t len,
		       unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t done = 0, part;
	bool slept = false;
	ssize_t n;

	n = str_ring_write_lock(sd, len, min_t(size_t, len, PIPE_BUF), fflags, &slept);
	if (n < 0) {
		if (slept)
			str_write_next(sd);
		/*
		 * Only in this function -ENODATA means that the ring has ended:
		 * a file may return it too.
		 */
		return n == -ENODATA ? str_fill_queue(sd, source, len, fflags) : n;
	}
	/*
	 * The loop writes no more than fits at once, however fast readers make
	 * room.
	 */
	len = min_t(size_t, len, ring->size);
	do {
		part = min3(len - done, ring_room(ring, len - done),
			    RING_PAGES * PAGE_SIZE);
		n = part ? fill_part(ring, source, part) : 0;
		if (n <= 0)
			break;
		done += n;
		/* Readers do not wait for the next part. */
		ring_filled(sd, ring->head - n);
		if (n < part)
			break;
		source->again = true;
	} while (done < len && !signal_pending(current) && !str_write_broken(sd));
	mutex_unlock(&ring->write_mutex);
	if (done)
		str_count_sent(STR_KIND_PIPE, done);
	if (slept)
		str_write_next(sd);
	return done ?: n;
}

/*
 * Copies up to n unread bytes, under sd_read_mutex. Returns their number, or
 * -EFAULT.
 */
static ssize_t ring_drain(struct stream *sd, struct iov_iter *to, size_t n)
{
	struct strring *ring = sd->sd_ring;
	size_t done = 0;

	lockdep_assert_held(&sd->sd_read_mutex);
	n = min(n, iov_iter_count(to));
	do {
		size_t len = ring_copy_page(ring, to, n - done);

		/*
		 * Bytes for which memory is short stay unread, from the start
		 * of a page.
		 */
		if (unlikely(!len))
			return done ?: -EFAULT;
		ring_freed(sd, ring->tail + len);
		done += len;
	} while (done < n);
	return done;
}

/* Does what str_read() does, from a ring. */
ssize_t str_bytes_take(struct stream *sd, struct iov_iter *to, unsigned int fflags)
{
	bool slept = false;
	ssize_t ret;

	ret = str_ring_read_lock(sd, iov_iter_count(to), fflags, &slept);
	if (unlikely(ret <= 0))
		return ret == -ENODATA ? str_read_queue(sd, to, fflags) : ret;
	ret = ring_drain(sd, to, ret);
	str_ring_read_unlock(sd, slept);
	if (likely(ret > 0))
		str_ring_count_taken(sd, ret);
	return ret;
}

/* Does what str_use() does, from a ring. */
ssize_t str_bytes_use(struct stream *sd, struct str_sink *sink, size_t len)
{
	struct strring *ring = sd->sd_ring;
	struct bio_vec bv[LEND_PAGES];
	bool slept = false;
	struct iov_iter from;
	unsigned int pages;
	ssize_t ret;
	size_t n;

	if (sink->unlocked)
		return str_use_queue(sd, sink, len);
	ret = str_ring_read_lock(sd, len, O_NONBLOCK, &slept);
	if (ret <= 0)
		return ret == -ENODATA ? str_use_queue(sd, sink, len) : ret;
	n = lend_pages(ring, ring->tail, min_t(size_t, ret, len), bv, &pages);
	sink->more = n < len && ring_bytes(ring) > n;
	iov_iter_bvec(&from, ITER_SOURCE, bv, pages, n);
	ret = sink->use(sink, &from);
	if (ret > 0)
		ring_freed(sd, ring->tail + ret);
	str_ring_read_unlock(sd, slept);
	if (ret > 0)
		str_ring_count_taken(sd, ret);
	return ret;
}

/* Does what str_copy() does, from a ring. */
ssize_t str_bytes_copy(struct stream *sd, struct iov_iter *to)
{
	bool slept = false;
	ssize_t ret;

	ret = str_ring_read_lock(sd, iov_iter_count(to), O_NONBLOCK, &slept);
	if (ret <= 0)
		return ret == -ENODATA ? str_copy_queue(sd, to) : ret;
	ret = ring_copy_out(sd->sd_ring, sd->sd_ring->tail,
			    min_t(size_t, ret, iov_iter_count(to)), to);
	str_ring_read_unlock(sd, slept);
	return ret;
}
