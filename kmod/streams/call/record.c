// SPDX-License-Identifier: GPL-2.0-only
/*
 * read(), write(), and getmsg() and putmsg() of data alone, on a full-duplex pipe that has
 * its rings: see head/records.h
 */
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "streams/head/convert.h"
#include "streams/head/records.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "msgio.h"
#include "read.h"
#include "record.h"
#include "ringlock.h"
#include "write.h"

/*
 * The number of times that user memory is made present; after that messages are
 * used.
 */
#define RECORD_TRIES	3

/* The bytes of a write, and the memory they are in */
struct record {
	const struct iov_iter *iter;	/* NULL: they are in one piece */
	const void __user *user;	/* its address, which may be any */
	size_t len;
};

/* Copies bytes of several pieces, or bytes for several pages. */
static noinline bool record_copy_parts(struct strring *ring, const struct record *record)
{
	size_t done = 0, got, n;
	struct iov_iter from;

	if (record->iter)
		from = *record->iter;
	else
		iov_iter_ubuf(&from, ITER_SOURCE, (void __user *)record->user, record->len);
	do {
		unsigned int at = offset_in_page(ring->head + done);
		char *page = ring_page(ring, ring->head + done);

		if (unlikely(!page))
			return false;
		n = min_t(size_t, record->len - done, PAGE_SIZE - at);
		got = str_copy_some_from_iter(page + at, PAGE_SIZE - at, n, &from);
		done += got;
	} while (got == n && done < record->len);
	return done == record->len;
}

/*
 * Copies all bytes, or none; no byte is visible to the reader yet. Does not
 * wait for memory.
 */
static bool record_copy(struct strring *ring, const struct record *record)
{
	unsigned int at = offset_in_page(ring->head);
	char *page = ring_page(ring, ring->head);
	bool ok;

	lockdep_assert_held(&ring->write_mutex);
	pagefault_disable();
	/*
	 * Nearly always the bytes are in one piece, and are copied to one page.
	 */
	if (likely(page && !record->iter && record->len <= PAGE_SIZE - at))
		ok = str_copy_in(page + at, PAGE_SIZE - at, record->user, record->len);
	else
		ok = record_copy_parts(ring, record);
	pagefault_enable();
	return ok;
}

/*
 * Tries once to write. Returns the bytes; 0: they have to be sent as messages;
 * -EFAULT: memory is not present; or -EINTR.
 */
static ssize_t record_write(struct stream *sd, const struct record *record)
{
	struct stream *to = sd->sd_mate;
	struct strring *ring = to->sd_ring;
	size_t len = record->len;
	unsigned int start = 0;
	bool more = true;
	ssize_t ret = 0;

	if (unlikely(mutex_lock_killable(&ring->write_mutex)))
		return -EINTR;
	if (likely(to->sd_form && !str_write_broken(sd) && records_fit(ring, len))) {
		start = ring->head;
		ret = -EFAULT;
		if (likely(record_copy(ring, record))) {
			more = records_add(ring, len);
			ret = len;
		}
	}
	mutex_unlock(&ring->write_mutex);
	if (unlikely(ret <= 0))
		return ret;
	ring_filled(to, start);
	/* The next write tries this again if it fails. */
	if (unlikely(!more))
		ring_end(to);
	str_count_sent(STR_KIND_PIPE, len);
	return len;
}

static bool record_fault_in(const struct record *record)
{
	return !(record->iter ? fault_in_iov_iter_readable(record->iter, record->len) :
				fault_in_readable(record->user, record->len));
}

/*
 * Sends all bytes as one message. Returns their number, -EINTR, or 0: the
 * caller sends them by the queue, which finds the error or waits for memory
 * that stays missing.
 */
static ssize_t record_send(struct stream *sd, const struct record *record)
{
	unsigned int tries = 0;
	ssize_t ret;

	do {
		ret = record_write(sd, record);
	} while (unlikely(ret == -EFAULT) && tries++ < RECORD_TRIES &&
		 record_fault_in(record));
	return ret == -EFAULT ? 0 : ret;
}

/* Does what str_write() does when the other end has a ring. */
ssize_t str_record_put(struct stream *sd, struct iov_iter *from, unsigned int fflags)
{
	struct record record = { .len = iov_iter_count(from) };
	ssize_t ret = 0;

	if (likely(iter_is_ubuf(from)))
		record.user = from->ubuf + from->iov_offset;
	else
		record.iter = from;
	if (likely(!(fflags & O_DIRECT) && record.len <= STRMSG_DATA_MOST))
		ret = record_send(sd, &record);
	return likely(ret) ? ret : str_write_queue(sd, from, fflags);
}

/*
 * Does what str_putmsg() does when the other end has a ring, which takes data
 * alone.
 */
int str_record_putmsg(struct stream *sd, const struct strio_msg *msg,
		      const struct str_insert *insert, unsigned int fflags)
{
	struct record record = {
		.user = u64_to_user_ptr(msg->data.buf), .len = msg->data.len,
	};
	ssize_t ret = 0;

	if (likely(msg->ctl.len < 0 && msg->data.len > 0 && !msg->band &&
		   msg->data.len <= STRMSG_DATA_MOST && !(msg->flags & ~MSG_BAND)))
		ret = record_send(sd, &record);
	if (likely(ret))
		return ret > 0 ? 0 : ret;
	return str_putmsg(sd, msg, insert, fflags);
}

/*
 * Copies the next n unread bytes, under sd_read_mutex. Returns whether memory
 * was present.
 */
static bool record_copy_out(struct strring *ring, struct iov_iter *to, size_t n)
{
	size_t done = 0, len;

	lockdep_assert_held(&ring->sd->sd_read_mutex);
	pagefault_disable();
	do {
		unsigned int at = offset_in_page(ring->tail + done);

		len = min_t(size_t, n - done, PAGE_SIZE - at);
		if (!str_copy_to_iter(*ring_slot(ring, ring->tail + done) + at,
				      PAGE_SIZE - at, len, to))
			break;
		done += len;
	} while (done < n);
	pagefault_enable();
	if (likely(done == n))
		return true;
	iov_iter_revert(to, done);
	return false;
}

/*
 * Copies bytes of one page without an iterator. Returns false if the caller has
 * to copy with one.
 */
static bool record_copy_page(struct strring *ring, void __user *to, size_t n)
{
	unsigned int at = offset_in_page(ring->tail);
	char *page = *ring_slot(ring, ring->tail);
	bool ok;

	if (unlikely(n > PAGE_SIZE - at))
		return false;
	pagefault_disable();
	ok = str_copy_out(to, page + at, PAGE_SIZE - at, n);
	pagefault_enable();
	return ok;
}

/* Marks n bytes as read: a writer may overwrite them. */
static void record_taken(struct strring *ring, size_t n)
{
	/* Release: the bytes are copied before the position is stored. */
	smp_store_release(&ring->tail, ring->tail + n);
	records_take(ring, n);
}

/*
 * Does what str_read() does, from a ring of records. Missing memory is made
 * present without the mutex; if that does not help, messages are read.
 */
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, unsigned int fflags)
{
	unsigned int tries = 0;
	bool slept = false, ok;
	ssize_t n;

	do {
		n = str_ring_read_lock(sd, iov_iter_count(to), fflags, &slept);
		if (unlikely(n <= 0))
			return n == -ENODATA ? str_read_queue(sd, to, fflags) : n;
		n = min_t(size_t, n, iov_iter_count(to));
		ok = record_copy_out(sd->sd_ring, to, n);
		if (likely(ok))
			record_taken(sd->sd_ring, n);
		str_ring_read_unlock(sd, slept);
		if (likely(ok)) {
			str_ring_count_taken(sd, n);
			return n;
		}
	} while (tries++ < RECORD_TRIES && !fault_in_iov_iter_writeable(to, n));
	return str_read_queue(sd, to, fflags);
}

/* Copies the result, without waiting for its memory. */
static bool result_put(struct strio_msg __user *result, const struct strio_msg *msg)
{
	bool ok;

	pagefault_disable();
	ok = str_strio_to_user(result, msg);
	pagefault_enable();
	return ok;
}

/*
 * Does what getmsg() does with the first write, or the rest of it, under
 * sd_read_mutex.
 */
static int record_getmsg(struct stream *sd, struct strio_msg *msg,
			 struct strio_msg __user *result)
{
	struct strring *ring = sd->sd_ring;
	size_t size = records_first(ring), n = 0;
	struct iov_iter to;

	msg->band = 0;
	msg->flags = MSG_BAND;
	if (msg->ctl.maxlen >= 0)
		msg->ctl.len = -1;
	if (msg->data.maxlen >= 0) {
		n = min_t(size_t, size, msg->data.maxlen);
		msg->data.len = n;
	}
	if (n && !record_copy_page(ring, u64_to_user_ptr(msg->data.buf), n)) {
		iov_iter_ubuf(&to, ITER_DEST, u64_to_user_ptr(msg->data.buf), n);
		if (!record_copy_out(ring, &to, n))
			return -EFAULT;
	}
	if (!result_put(result, msg))
		return -EFAULT;
	if (n)
		record_taken(ring, n);
	str_ring_count_taken(sd, n);
	return n < size ? MOREDATA : 0;
}

/* Makes n bytes of user memory present. Returns whether that succeeded. */
static bool fault_in(void __user *at, size_t n)
{
	struct iov_iter to;

	iov_iter_ubuf(&to, ITER_DEST, at, n);
	return !n || !fault_in_iov_iter_writeable(&to, n);
}

/*
 * Does what str_getmsg() does on a ring, whose messages are all writes of data.
 */
int str_record_getmsg(struct stream *sd, struct strio_msg *msg,
		      struct strio_msg __user *result, unsigned int fflags)
{
	unsigned int tries = 0;
	bool slept = false;
	ssize_t ret;

	if (msg->flags != MSG_ANY || msg->band)
		return str_getmsg(sd, msg, result, fflags);
	do {
		ret = str_ring_read_lock(sd, 1, fflags, &slept);
		if (unlikely(ret <= 0))
			break;
		ret = record_getmsg(sd, msg, result);
		str_ring_read_unlock(sd, slept);
		if (likely(ret != -EFAULT))
			return ret;
		msg->flags = MSG_ANY;
		ret = -ENODATA;
	} while (tries++ < RECORD_TRIES && fault_in(result, sizeof(*result)) &&
		 fault_in(u64_to_user_ptr(msg->data.buf),
			  msg->data.maxlen >= 0 ? msg->data.len : 0));
	if (ret == -ENODATA)
		return str_getmsg(sd, msg, result, fflags);
	if (ret)
		return ret;
	msg->ctl.len = 0;
	msg->data.len = 0;
	return str_strio_to_user(result, msg) ? 0 : -EFAULT;
}
