// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a ring: its beginning, its end, for which its bytes become messages
 *
 * A ring ends for good. A task that has a mutex of the ring looks whether it has.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "streams/message/mblk.h"
#include "streams/queue/queue.h"
#include "convert.h"
#include "records.h"
#include "room.h"
#include "wake.h"

/*
 * Takes write_mutex, then sd_read_mutex. A reader may hold the latter while it copies
 * to memory that may be missing for long: no writer waits for that meanwhile.
 */
static int ring_lock_both(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	for (;;) {
		if (mutex_lock_interruptible(&ring->write_mutex))
			return -ERESTARTSYS;
		if (mutex_trylock(&sd->sd_read_mutex))
			return 0;
		mutex_unlock(&ring->write_mutex);
		if (mutex_lock_interruptible(&sd->sd_read_mutex))
			return -ERESTARTSYS;
		mutex_unlock(&sd->sd_read_mutex);
	}
}

static void ring_unlock_both(struct stream *sd)
{
	mutex_unlock(&sd->sd_read_mutex);
	mutex_unlock(&sd->sd_ring->write_mutex);
}

/**
 * str_ring_resize() - change how many bytes a stream's ring holds
 * @sd: the stream head
 * @size: a power of two, of pages
 *
 * A stream that has no ring any more is left alone. The caller wakes writers.
 *
 * Context: may sleep.
 * Return: 0; -EBUSY: more is unread; -ENOMEM, -ERESTARTSYS.
 */
int str_ring_resize(struct stream *sd, size_t size)
{
	int err = ring_lock_both(sd);

	if (err)
		return err;
	if (sd->sd_form)
		err = ring_resize(sd->sd_ring, size);
	ring_unlock_both(sd);
	return err;
}

/*
 * Makes a message of len unread bytes from a position on; NULL: memory is
 * short.
 */
static mblk_t *ring_message(struct strring *ring, unsigned int pos, size_t len)
{
	mblk_t *mp = allocb_gfp(len, GFP_KERNEL_ACCOUNT);
	struct iov_iter to;
	struct kvec kv;

	if (!mp)
		return NULL;
	kv = (struct kvec){ mp->b_wptr, len };
	iov_iter_kvec(&to, ITER_DEST, &kv, 1, len);
	mp->b_wptr += ring_copy_out(ring, pos, len, &to);
	mp->b_flag = ring->records ? MSGOBJECT : MSGBYTES;
	return mp;
}

/*
 * Makes messages of the unread writes or, for bytes, of each page, under both
 * mutexes.
 */
static int ring_messages(struct strring *ring, mblk_t **list)
{
	const struct ring_records *r = ring->records;
	unsigned int pos = ring->tail, i = r ? r->taken : 0;
	/* The first write may have been read in part. */
	unsigned int end = pos - (r ? r->begun : 0);

	lockdep_assert_held(&ring->write_mutex);
	lockdep_assert_held(&ring->sd->sd_read_mutex);
	for (; pos != ring->head; pos = end, list = &(*list)->b_next) {
		end += r ? record_len(r, i++) :
			   min_t(unsigned int, ring->head - pos, PAGE_SIZE);
		*list = ring_message(ring, pos, end - pos);
		if (!*list)
			return -ENOSR;
	}
	return 0;
}

/*
 * Ends the ring: its bytes are now messages on the queue, and later ones are
 * queued too.
 */
static void ring_off(struct stream *sd, mblk_t *mp)
{
	struct strring *ring = sd->sd_ring;
	mblk_t *next;

	for (; mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		putq(str_rq(sd), mp);
	}
	/* Release: a task that sees the form finds everything on the queue. */
	smp_store_release(&sd->sd_form, STR_MESSAGES);
	/* Waiters are woken now; tasks that asked meanwhile saw the room. */
	hrtimer_cancel(&ring->patience);
	ring_free_pages(ring);
	kfree(ring->records);
	ring->records = NULL;
}

/*
 * Continues a task that slept until something happened to the ring: it looks at
 * the queue. A poller sees no change: only select() asks for EPOLLNVAL, and it
 * looks again.
 */
static void wake_sleepers(struct wait_queue_head *wait)
{
	__wake_up(wait, TASK_INTERRUPTIBLE, 0, poll_to_key(EPOLLNVAL));
}

/**
 * ring_end() - turn a stream's ring into messages
 * @sd: the stream head that reads it
 *
 * Nothing is lost or reordered.
 *
 * Context: may sleep.
 * Return: 0, -ENOSR, or -ERESTARTSYS.
 */
int ring_end(struct stream *sd)
{
	struct stream *from = sd->sd_mate;
	mblk_t *mp = NULL;
	bool full;
	int err;

	err = ring_lock_both(sd);
	if (err)
		return err;
	/* Only a writer that found no room is woken. */
	full = !str_writable(from, 0);
	if (sd->sd_form) {
		err = ring_messages(sd->sd_ring, &mp);
		if (err)
			str_free_list(mp);
		else
			ring_off(sd, mp);
	}
	ring_unlock_both(sd);
	wake_sleepers(&sd->sd_rwait);
	wake_sleepers(&from->sd_wwait);
	if (full && str_writable(from, 0))
		str_wsrv(str_wq(from));
	else
		str_filled(from);
	return err;
}

/*
 * Ends both rings of a full-duplex pipe, or the ring of a FIFO, as ring_end()
 * ends one.
 */
int str_rings_end(struct stream *sd)
{
	int err = str_form_read(sd) ? ring_end(sd) : 0;

	return err ?: str_form_written(sd) ? ring_end(sd->sd_mate) : 0;
}

/* Spare pages that a pipe's ring keeps. */
#define RING_KEEP	2

/**
 * str_ring_init() - pass a pipe's bytes through a ring
 * @sd: the head that reads them, connected
 * @ring: the ring, zeroed; lives as long as the head
 * @size: bytes it holds: a power of two, of pages, RING_PAGES of them at most
 */
void str_ring_init(struct stream *sd, struct strring *ring, size_t size)
{
	ring_begin(ring, size, &sd->sd_read_mutex);
	ring->keep = RING_KEEP;
	hrtimer_setup(&ring->patience, ring_patience_over, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
	ring->sd = sd;
	sd->sd_ring = ring;
	/* Release: a task that reads /proc may look at the form. */
	smp_store_release(&sd->sd_form, sd->sd_mate == sd ? STR_BYTES : STR_RECORDS);
}
EXPORT_SYMBOL_GPL(str_ring_init);

/*
 * Drops the bytes that are unread now, and releases sd_read_mutex. Spare pages are freed
 * unless a writer is active.
 */
static void ring_drop(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;
	/* Acquire: the bytes are read after the position. */
	unsigned int head = smp_load_acquire(&ring->head), n = head - ring->tail;

	/* Bytes that became messages meanwhile have left the ring. */
	if (sd->sd_form) {
		ring_freed(sd, head);
		/* Bytes are counted by the position, but no user received these. */
		sd->sd_entry.rcvd.bytes -= n;
		if (n && ring->records)
			records_take(ring, n);
	}
	WRITE_ONCE(ring->head_seen, ring->tail);
	mutex_unlock(&sd->sd_read_mutex);
	if (!mutex_trylock(&ring->write_mutex))
		return;
	if (sd->sd_form)
		ring_trim(ring);
	mutex_unlock(&ring->write_mutex);
}

/* Drops all unread bytes. Returns 0, or -ERESTARTSYS. Context: may sleep. */
int str_ring_flush(struct stream *sd)
{
	if (!str_form_read(sd))
		return 0;
	if (mutex_lock_interruptible(&sd->sd_read_mutex))
		return -ERESTARTSYS;
	ring_drop(sd);
	return 0;
}

/*
 * Drops all unread bytes when no file of the head is open any more: no caller
 * then holds its mutex for long. The other end of a full-duplex pipe may still
 * write.
 */
void str_ring_drop(struct stream *sd)
{
	if (!str_form_read(sd))
		return;
	mutex_lock(&sd->sd_read_mutex);
	ring_drop(sd);
}

/* The stream has no users any more. */
void str_ring_destroy(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	if (!ring)
		return;
	hrtimer_cancel(&ring->patience);
	kfree(ring->records);
	ring_free(ring);
}
EXPORT_SYMBOL_GPL(str_ring_destroy);
