// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes of a stream that other code reads and writes in place
 *
 * The pages of a ring are lent to a file's read_iter() and write_iter(): bytes are
 * copied once, and those that the other side does not take stay in the ring. While
 * they are lent their side of the ring is locked. The file may take its time:
 * only callers that can be killed wait for these mutexes.
 */
#include <linux/bvec.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/signal.h>

#include "streams/head/errand.h"
#include "streams/head/records.h"
#include "streams/head/ring.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/message/mblk.h"
#include "lend.h"
#include "read.h"
#include "write.h"

/* Pages lent at a time; the first and the last may be lent in part. */
#define LEND_PAGES	(RING_PAGES + 1)

/*
 * The pages of up to n bytes from a position on; returns how many bytes those have.
 * Unread bytes have pages; others are made, under write_mutex.
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

/* The writes of a full-duplex pipe are messages, and not lent in pages. */
static int lend_begin(struct stream *sd)
{
	int err = records_kept(sd) ? str_ring_end(sd) : 0;

	return err == -ENOSR ? -ENOMEM : err;
}

static bool room_ready(struct stream *sd, size_t need)
{
	if (str_write_broken(sd))
		return true;
	return str_ring_on(sd) ? ring_room_asked(sd->sd_ring) >= need :
				 str_writable(sd, 0);
}

/**
 * str_wait_room() - wait until bytes can be written
 * @sd: the stream head
 * @len: bytes; of more than PIPE_BUF there is room when those fit
 * @fflags: O_NONBLOCK
 *
 * Return: 0; -EAGAIN, -ERESTARTSYS; or as str_write() for a stream that cannot be
 * written to.
 */
int str_wait_room(struct stream *sd, size_t len, unsigned int fflags)
{
	size_t need = min_t(size_t, len, PIPE_BUF);
	int err;

	err = lend_begin(sd);
	if (err)
		return err;
	for (;;) {
		err = str_write_error(sd, fflags) ?:
		      str_write_throttle(sd, 0, fflags);
		if (err || room_ready(sd, need))
			return err;
		if (fflags & O_NONBLOCK) {
			str_writable(sd, 0); /* not: a signal when it is */
			return -EAGAIN;
		}
		/* Not in the order of writers, which are woken as well. */
		err = wait_event_interruptible(sd->sd_wwait,
					       room_ready(sd, need));
		if (err)
			return err;
	}
}
EXPORT_SYMBOL_GPL(str_wait_room);

/*
 * Takes write_mutex of a ring with room; -ENODATA: the ring has ended, or as
 * str_wait_room().
 */
static int lock_room(struct stream *sd, size_t len, unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	int err;

	for (;;) {
		err = str_wait_room(sd, len, fflags);
		if (err)
			return err;
		if (mutex_lock_killable(&ring->write_mutex))
			return -EINTR;
		/* The last reader may have left meanwhile. */
		if (ring->on && !str_write_broken(sd) &&
		    ring_room(ring, len) >= min_t(size_t, len, PIPE_BUF))
			return 0;
		mutex_unlock(&ring->write_mutex);
		if (!str_ring_on(sd))
			return -ENODATA;
	}
}

/* One part of what str_fill() does, under write_mutex. */
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
		/* Release: the bytes before the position. */
		smp_store_release(&ring->head, ring->head + got);
	return got;
}

/**
 * str_fill() - write to a stream what a function provides
 * @sd: the stream head
 * @source: the function
 * @len: bytes at most
 * @fflags: O_NONBLOCK: no waiting for room
 *
 * Waits until there is room, then asks for as much as there is. No byte that the
 * function has provided is lost, unless there is no reader any more.
 *
 * Context: the function is called with write_mutex of a ring, and may sleep.
 * Return: bytes written, 0 or an error of the function; -ENOMEM, -EINTR; or as
 * str_wait_room().
 */
ssize_t str_fill(struct stream *sd, struct str_source *source, size_t len,
		 unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t done = 0;
	ssize_t n;
	int err;

	err = lend_begin(sd);
	if (err)
		return err;
	if (!str_ring_on(sd))
		return str_fill_queue(sd, source, len, fflags);
	err = lock_room(sd, len, fflags);
	if (err == -ENODATA)
		return str_fill_queue(sd, source, len, fflags);
	if (err)
		return err;
	/* No more than fits at once, however fast readers make room. */
	len = min_t(size_t, len, ring->size);
	do {
		size_t part = min3(len - done, ring_room(ring, len - done),
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
	if (!done)
		return n;
	str_count_sent(STR_KIND_PIPE, done);
	return done;
}
EXPORT_SYMBOL_GPL(str_fill);

static bool data_ready(struct stream *sd)
{
	if (str_ring_on(sd))
		return ring_bytes(sd->sd_ring);
	return READ_ONCE(str_rq(sd)->q_first) || str_errand_waits(sd);
}

#define RING_ENDS	(STR_NOWRITER | STR_CLOSING)
#define QUEUE_ENDS	(RING_ENDS | STR_HUP)

/* Also when reading fails. */
static bool end_ready(const struct stream *sd)
{
	/* Acquire: the last writer may have written before it left. */
	return smp_load_acquire(&sd->sd_flag) &
	       (str_ring_on(sd) ? RING_ENDS :
				  QUEUE_ENDS | STR_RERR | STR_PLEX);
}

/**
 * str_wait_data() - wait until bytes can be read
 * @sd: the stream head
 * @fflags: O_NONBLOCK
 *
 * Return: 1; 0 at the end; -EAGAIN, -ERESTARTSYS. After 1 reading may still fail.
 */
int str_wait_data(struct stream *sd, unsigned int fflags)
{
	int err = lend_begin(sd);
	bool end;

	if (err)
		return err;
	end = end_ready(sd);
	if (data_ready(sd))
		return 1;
	if (!end) {
		if (fflags & O_NONBLOCK)
			return -EAGAIN;
		/* Not in the order of readers, which are woken as well. */
		if (wait_event_interruptible(sd->sd_rwait,
					     end_ready(sd) || data_ready(sd)))
			return -ERESTARTSYS;
		if (data_ready(sd))
			return 1;
	}
	return !(READ_ONCE(sd->sd_flag) & QUEUE_ENDS);
}
EXPORT_SYMBOL_GPL(str_wait_data);

/*
 * Takes sd_read_mutex of a ring with unread bytes: their number, up to len. 0 at the
 * end; -EAGAIN, -EINTR; -ENODATA: the ring has ended.
 */
static ssize_t lock_data(struct stream *sd, size_t len)
{
	struct strring *ring = sd->sd_ring;
	unsigned int flag;
	size_t avail;

	if (mutex_lock_killable(&sd->sd_read_mutex))
		return -EINTR;
	if (!ring->on) {
		mutex_unlock(&sd->sd_read_mutex);
		return -ENODATA;
	}
	/* Acquire: the last writer may have written before it left. */
	flag = smp_load_acquire(&sd->sd_flag);
	avail = ring_unread(ring, min_t(size_t, len, ring->size));
	if (avail)
		return min(avail, len);
	mutex_unlock(&sd->sd_read_mutex);
	return flag & RING_ENDS ? 0 : -EAGAIN;
}

/**
 * str_use() - give the bytes of a stream to a function
 * @sd: the stream head
 * @sink: the function
 * @len: bytes at most
 *
 * The bytes that it does not take stay the next ones. Does not wait for bytes.
 *
 * Context: the function is called with sd_read_mutex, unless it may not have that:
 * then the bytes become messages. It may sleep.
 * Return: bytes taken, or an error of the function; 0 at the end, -EAGAIN if there
 * are none, -EINTR; or as str_read().
 */
ssize_t str_use(struct stream *sd, struct str_sink *sink, size_t len)
{
	struct strring *ring = sd->sd_ring;
	struct bio_vec bv[LEND_PAGES];
	ssize_t avail, used;
	struct iov_iter from;
	unsigned int pages;
	size_t n;
	int err;

	err = sink->unlocked ? str_ring_end(sd) : lend_begin(sd);
	if (err)
		return err == -ENOSR ? -ENOMEM : err;
	avail = str_ring_on(sd) ? lock_data(sd, len) : -ENODATA;
	if (avail == -ENODATA)
		return str_use_queue(sd, sink, len);
	if (avail <= 0)
		return avail;
	n = lend_pages(ring, ring->tail, avail, bv, &pages);
	sink->more = n < len && ring_bytes(ring) > n;
	iov_iter_bvec(&from, ITER_SOURCE, bv, pages, n);
	used = sink->use(sink, &from);
	if (used > 0)
		ring_freed(sd, ring->tail + used);
	mutex_unlock(&sd->sd_read_mutex);
	if (used > 0)
		str_count_rcvd(STR_KIND_PIPE, used);
	return used;
}
EXPORT_SYMBOL_GPL(str_use);

/**
 * str_copy() - read from a stream what stays there
 * @sd: the stream head
 * @to: the destination, in kernel memory
 *
 * Return: bytes, 0 at the end; -EAGAIN, -EINTR; or as str_read().
 */
ssize_t str_copy(struct stream *sd, struct iov_iter *to)
{
	struct strring *ring = sd->sd_ring;
	ssize_t avail = lend_begin(sd) ?: -ENODATA;

	if (avail != -ENODATA)
		return avail;
	if (str_ring_on(sd))
		avail = lock_data(sd, iov_iter_count(to));
	if (avail == -ENODATA)
		return str_copy_queue(sd, to);
	if (avail <= 0)
		return avail;
	avail = ring_copy_out(ring, ring->tail, avail, to);
	mutex_unlock(&sd->sd_read_mutex);
	return avail;
}
EXPORT_SYMBOL_GPL(str_copy);
