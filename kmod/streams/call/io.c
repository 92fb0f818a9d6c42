// SPDX-License-Identifier: GPL-2.0-only
/*
 * read() and write(): bytes of the ring of a pipe or FIFO, while it has one, else
 * messages
 *
 * Readers see the bytes of a write() at once, when all are in or the ring is
 * full, as in Linux's pipe. A read() makes room page by page. ring_fill() copies bytes
 * in, ring_drain() copies them out, and in write_parts() a writer waits for room. The
 * ring itself is in head/ring.c.
 */
#include <linux/limits.h>
#include <linux/sched/signal.h>

#include "streams/head/records.h"
#include "streams/head/ring.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "io.h"
#include "read.h"
#include "record.h"
#include "ringread.h"
#include "write.h"

/*
 * Copies n bytes that there is room for, under write_mutex, and makes them
 * visible to the reader. Returns their number. If the user's memory cannot be
 * read, or a page cannot be allocated, the whole pages before that are
 * written, as in Linux's pipe: of up to PIPE_BUF bytes all or none. If there are no
 * such pages it returns the error.
 */
static noinline ssize_t ring_fill_parts(struct strring *ring, struct iov_iter *from,
					size_t n)
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
	/* Release: the bytes before the position. */
	smp_store_release(&ring->head, head + done);
	return done ?: err;
}

/* The same; nearly always the bytes are of one page. */
static inline ssize_t ring_fill(struct strring *ring, struct iov_iter *from, size_t n)
{
	unsigned int at = offset_in_page(ring->head);
	char *page = ring_page(ring, ring->head);

	if (unlikely(!page || n > PAGE_SIZE - at ||
		     !str_copy_from_iter(page + at, PAGE_SIZE - at, n, from)))
		return ring_fill_parts(ring, from, n);
	/* Release: the bytes before the position. */
	smp_store_release(&ring->head, ring->head + n);
	return n;
}

static bool ring_write_ready(struct stream *sd, size_t need)
{
	return !str_ring_on(sd) || str_write_broken(sd) ||
	       ring_room_asked(sd->sd_ring) >= need;
}

/* For a write that does not fit at once, or that fails. */
static noinline ssize_t write_parts(struct stream *sd, struct iov_iter *from,
				    unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t left = iov_iter_count(from), done = 0, told = 0, room;
	/* POSIX.1-2001 write(): of more than PIPE_BUF it sends what it can. */
	bool any = fflags & O_NONBLOCK && left > PIPE_BUF;
	unsigned int start = 0;
	bool slept = false;
	ssize_t n;
	int err = 0;

	if (mutex_lock_killable(&ring->write_mutex))
		return -EINTR;
	while (ring->on) {
		err = str_write_error(sd, fflags);
		if (err)
			break;
		smp_mb(); /* head, also another's, before the look at tail */
		room = ring_room(ring, left);
		if (room >= (any ? 1 : min_t(size_t, left, PIPE_BUF))) {
			if (done == told)
				start = ring->head;
			room = min(left, room);
			n = ring_fill(ring, from, room);
			if (n < 0) {
				err = n;
				break;
			}
			done += n;
			left -= n;
			/* Which error stopped it shows only if nothing is written. */
			if (n < (ssize_t)room)
				err = -EFAULT;
			if (!left || err)
				break;
			/*
			 * Bytes read meanwhile added room to existing room,
			 * which ring_freed() does not report. So look again.
			 */
			continue;
		}
		err = -EAGAIN;
		if (fflags & O_NONBLOCK) {
			str_writable(sd, 0); /* not: a signal when it is */
			break;
		}
		WRITE_ONCE(ring->sleeper, raw_smp_processor_id());
		mutex_unlock(&ring->write_mutex);
		if (done > told)
			ring_filled(sd, start);
		told = done;
		room = min_t(size_t, left, PIPE_BUF);
		err = wait_event_interruptible_exclusive(sd->sd_wwait,
							 ring_write_ready(sd, room));
		slept = true;
		if (mutex_lock_killable(&ring->write_mutex)) {
			err = -EINTR;
			goto unlocked;
		}
		if (err)
			break;
	}
	mutex_unlock(&ring->write_mutex);
unlocked:
	if (done > told)
		ring_filled(sd, start);
	if (done)
		str_count_sent(STR_KIND_PIPE, done);
	if (slept)
		str_write_next(sd);
	if (left && !err) {
		/* The ring ended meanwhile. */
		ssize_t more = str_write_queue(sd, from, fflags);

		return more > 0 ? done + more : done ?: more;
	}
	return done ?: err;
}

static ssize_t ring_write(struct stream *sd, struct iov_iter *from,
			  unsigned int fflags)
{
	struct strring *ring = sd->sd_ring;
	size_t len = iov_iter_count(from);
	unsigned int start;
	ssize_t ret;

	if (unlikely(fflags & O_DIRECT)) {
		ret = str_ring_end(sd);
		return ret ?: str_write_queue(sd, from, fflags);
	}
	if (unlikely(mutex_lock_killable(&ring->write_mutex)))
		return -EINTR;
	if (unlikely(!ring->on || str_write_broken(sd) ||
		     ring_room(ring, len) < len)) {
		mutex_unlock(&ring->write_mutex);
		return write_parts(sd, from, fflags);
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

/**
 * str_write() - write to a stream
 * @sd: the stream head
 * @from: the data
 * @fflags: the file's O_NONBLOCK, and O_DIRECT: keep packets apart (pipes)
 *
 * Return: bytes written; -EAGAIN, -EFAULT, -ENOSR, -ENXIO after a hangup,
 * -EPIPE with SIGPIPE for a pipe without a reader, -ERANGE outside the packet
 * sizes of the queue below, -ERESTARTSYS, or M_ERROR's value. POSIX.1-2001
 * write(), on a stream.
 */
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags)
{
	if (!iov_iter_count(from) && !(sd->sd_wopt & SNDZERO))
		return 0;
	if (!str_ring_written(sd))
		return str_write_queue(sd, from, fflags);
	if (records_kept(sd))
		return str_record_write(sd, from, fflags);
	return ring_write(sd, from, fflags);
}
EXPORT_SYMBOL_GPL(str_write);

/* Copies up to n unread bytes, under sd_read_mutex; bytes, or -EFAULT. */
static ssize_t ring_drain(struct stream *sd, struct iov_iter *to, size_t n)
{
	struct strring *ring = sd->sd_ring;
	size_t done = 0;

	n = min(n, iov_iter_count(to));
	do {
		unsigned int at = offset_in_page(ring->tail);
		char *page = *ring_slot(ring, ring->tail);
		size_t len = min_t(size_t, n - done, PAGE_SIZE - at);

		/*
		 * Bytes for which memory is short stay, from the start of a
		 * page.
		 */
		if (unlikely(!str_copy_to_iter(page + at, PAGE_SIZE - at, len, to)))
			return done ?: -EFAULT;
		ring_freed(sd, ring->tail + len);
		done += len;
	} while (done < n);
	return done;
}

static ssize_t ring_read(struct stream *sd, struct iov_iter *to,
			 unsigned int fflags)
{
	bool slept = false;
	ssize_t ret;

	ret = str_ring_read_lock(sd, iov_iter_count(to), fflags, &slept);
	if (unlikely(ret <= 0))
		return ret == -ENODATA ? str_read_queue(sd, to, fflags) : ret;
	ret = records_kept(sd) ? str_record_take(sd, to, ret) :
				 ring_drain(sd, to, ret);
	str_ring_read_unlock(sd, slept);
	if (likely(ret > 0))
		str_count_rcvd(STR_KIND_PIPE, ret);
	return ret;
}

/**
 * str_read() - read from a stream
 * @sd: the stream head
 * @to: the destination
 * @fflags: the file's O_NONBLOCK and O_NDELAY
 *
 * Return: bytes read, 0 at the end of the file; -EAGAIN, -EBADMSG (a control
 * part is first, RPROTNORM), -ENOSR (no memory for the copy of a control part that is
 * shared, RPROTDAT), -EFAULT, -ERESTARTSYS, or M_ERROR's value.
 * POSIX.1-2001 read(), on a stream.
 */
ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags)
{
	unsigned int tries = 0;
	ssize_t ret;
	int err;

	if (!iov_iter_count(to))
		return 0;
	while (str_ring_on(sd)) {
		ret = ring_read(sd, to, fflags);
		if (likely(ret != -EFAULT) || !records_kept(sd))
			return ret;
		err = str_record_fault(sd, to, tries++);
		if (err)
			return err;
	}
	return str_read_queue(sd, to, fflags);
}
EXPORT_SYMBOL_GPL(str_read);
