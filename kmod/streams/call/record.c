// SPDX-License-Identifier: GPL-2.0-only
/*
 * read(), write(), and getmsg() and putmsg() of data alone, on a full-duplex pipe that has
 * its rings: see head/records.h
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "streams/head/records.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "record.h"
#include "ringread.h"
#include "write.h"

/* The times that user memory is made present; after that messages are used. */
#define RECORD_TRIES	3

/* The bytes of a write, of which none is visible yet: all, or none. */
static noinline bool record_copy_parts(struct strring *ring, struct iov_iter *from,
				       size_t len)
{
	size_t done = 0, got, n;

	do {
		unsigned int at = offset_in_page(ring->head + done);
		char *page = ring_page(ring, ring->head + done);

		if (unlikely(!page))
			break;
		n = min_t(size_t, len - done, PAGE_SIZE - at);
		got = str_copy_some_from_iter(page + at, PAGE_SIZE - at, n, from);
		done += got;
		if (unlikely(got < n))
			break;
	} while (done < len);
	if (likely(done == len))
		return true;
	iov_iter_revert(from, done);
	return false;
}

/*
 * The same, without waiting for memory. Nearly always the bytes are in one piece, and go
 * to one page: these are copied without the iterator, which stays where it was.
 */
static bool record_copy(struct strring *ring, struct iov_iter *from, size_t len)
{
	unsigned int at = offset_in_page(ring->head);
	char *page = ring_page(ring, ring->head);
	bool ok;

	pagefault_disable();
	if (likely(page && iter_is_ubuf(from) && len <= PAGE_SIZE - at))
		ok = str_copy_in(page + at, PAGE_SIZE - at,
				 from->ubuf + from->iov_offset, len);
	else
		ok = record_copy_parts(ring, from, len);
	pagefault_enable();
	return ok;
}

/* One try: bytes, 0: as messages; -EFAULT: memory is not present; -EINTR. */
static ssize_t record_write(struct stream *sd, struct iov_iter *from)
{
	struct stream *to = sd->sd_mate;
	struct strring *ring = to->sd_ring;
	size_t len = iov_iter_count(from);
	unsigned int start = 0;
	bool more = true;
	ssize_t ret = 0;

	if (unlikely(mutex_lock_killable(&ring->write_mutex)))
		return -EINTR;
	if (likely(ring->on && !str_write_broken(sd) && records_fit(ring, len))) {
		start = ring->head;
		ret = -EFAULT;
		if (likely(record_copy(ring, from, len))) {
			more = records_add(ring, len);
			ret = len;
		}
	}
	mutex_unlock(&ring->write_mutex);
	if (unlikely(ret <= 0))
		return ret;
	ring_filled(to, start);
	/* If that fails the next write tries again. */
	if (unlikely(!more))
		ring_end(to);
	str_count_sent(STR_KIND_PIPE, len);
	return len;
}

/*
 * Sends all bytes as one message. Returns their number, -EINTR, or 0: the caller sends
 * them by the queue. There the error is found, or memory that stays missing waited for.
 */
static ssize_t record_send(struct stream *sd, struct iov_iter *from)
{
	size_t len = iov_iter_count(from);
	unsigned int tries = 0;
	ssize_t ret;

	do {
		ret = record_write(sd, from);
	} while (unlikely(ret == -EFAULT) && tries++ < RECORD_TRIES &&
		 !fault_in_iov_iter_readable(from, len));
	return ret == -EFAULT ? 0 : ret;
}

/* As str_write(), to a ring of the other end. */
ssize_t str_record_write(struct stream *sd, struct iov_iter *from,
			 unsigned int fflags)
{
	ssize_t ret = 0;
	int err;

	if (likely(!(fflags & O_DIRECT) && iov_iter_count(from) <= STRMSG_DATA_MOST))
		ret = record_send(sd, from);
	if (likely(ret))
		return ret;
	err = str_ring_end(sd);
	return err ?: str_write_queue(sd, from, fflags);
}

/* As str_putmsg(), to a ring that is written to; -ENODATA: the message is for the queue. */
int str_record_putmsg(struct stream *sd, const struct strio_msg *msg)
{
	struct iov_iter from;
	ssize_t ret;

	if (!records_kept(sd) || msg->ctl.len >= 0 || msg->data.len <= 0 ||
	    msg->data.len > STRMSG_DATA_MOST || msg->flags & ~MSG_BAND || msg->band)
		return -ENODATA;
	iov_iter_ubuf(&from, ITER_SOURCE, u64_to_user_ptr(msg->data.buf), msg->data.len);
	ret = record_send(sd, &from);
	return ret > 0 ? 0 : ret ?: -ENODATA;
}

/* Copies the next n unread bytes, under sd_read_mutex: whether memory is present. */
static bool record_copy_out(struct strring *ring, struct iov_iter *to, size_t n)
{
	size_t done = 0, len;

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

/* The same for bytes of one page, without an iterator; false: to be tried with one. */
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

/* They are read: a writer may overwrite them. */
static void record_taken(struct strring *ring, size_t n)
{
	/* Release: the copy, before that. */
	smp_store_release(&ring->tail, ring->tail + n);
	records_take(ring, n);
}

/*
 * Copies up to n unread bytes, under sd_read_mutex: all of them, or -EFAULT: memory is
 * not present.
 */
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, size_t n)
{
	n = min(n, iov_iter_count(to));
	if (unlikely(!record_copy_out(sd->sd_ring, to, n)))
		return -EFAULT;
	record_taken(sd->sd_ring, n);
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

/* Copies the result, without waiting for its memory. */
static bool result_put(struct strio_msg __user *result, const struct strio_msg *msg)
{
	bool ok;

	pagefault_disable();
	ok = str_strio_to_user(result, msg);
	pagefault_enable();
	return ok;
}

/* A getmsg() of the first write, or what is left of it, under sd_read_mutex. */
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
	str_count_rcvd(STR_KIND_PIPE, n);
	return n < size ? MOREDATA : 0;
}

/* Makes n bytes of memory present; whether they are. */
static bool fault_in(void __user *at, size_t n)
{
	struct iov_iter to;

	iov_iter_ubuf(&to, ITER_DEST, at, n);
	return !n || !fault_in_iov_iter_writeable(&to, n);
}

/*
 * As str_getmsg(), from a ring; -ENODATA: the caller has to end it, and look at the
 * queue.
 */
int str_record_getmsg(struct stream *sd, struct strio_msg *msg,
		      struct strio_msg __user *result, unsigned int fflags)
{
	unsigned int tries = 0;
	bool slept = false;
	ssize_t ret;

	if (!records_kept(sd) || msg->flags != MSG_ANY || msg->band)
		return -ENODATA;
	for (;;) {
		ret = str_ring_read_lock(sd, 1, fflags, &slept);
		if (unlikely(ret <= 0))
			break;
		ret = record_getmsg(sd, msg, result);
		str_ring_read_unlock(sd, slept);
		if (likely(ret != -EFAULT))
			return ret;
		msg->flags = MSG_ANY;
		if (tries++ == RECORD_TRIES || !fault_in(result, sizeof(*result)) ||
		    !fault_in(u64_to_user_ptr(msg->data.buf),
			      msg->data.maxlen >= 0 ? msg->data.len : 0))
			return -ENODATA;
	}
	if (ret)
		return ret;
	msg->ctl.len = 0;
	msg->data.len = 0;
	return str_strio_to_user(result, msg) ? 0 : -EFAULT;
}
