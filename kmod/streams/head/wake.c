// SPDX-License-Identifier: GPL-2.0-only
/* Waking tasks that wait for a stream: for something to read, or for room to write */
#include <linux/limits.h>
#include <linux/pipe_fs_i.h>

#include "streams/message/mblk.h"
#include "errand.h"
#include "room.h"
#include "wake.h"

/* The time that writers wait for more room than they need; no other time is known to be better. */
#define RING_PATIENCE	ns_to_ktime(500 * NSEC_PER_USEC)

/*
 * Wakes tasks that wait for something to read. wq_has_sleeper() orders the
 * message put on the queue before the look at the waiters, as the waiter
 * orders its place in the list before its look at the queue.
 */
void str_wake_reader(struct stream *sd, __poll_t bits)
{
	if (wq_has_sleeper(&sd->sd_rwait))
		wake_up_interruptible_sync_poll(&sd->sd_rwait, bits);
	if (unlikely(READ_ONCE(sd->sd_rwatch)) && READ_ONCE(sd->sd_more))
		kill_fasync(&sd->sd_more->rfasync, SIGIO, POLL_IN);
}
EXPORT_SYMBOL_GPL(str_wake_reader);

void str_trace_filled(const struct stream *sd, unsigned int start)
{
	trace_streams_head_queue(&sd->sd_entry, sd->sd_ring->head - start);
}

void str_trace_taken(const struct stream *sd, size_t n)
{
	trace_streams_head_take(&sd->sd_entry, n);
}

/*
 * Room may have returned below; bands that were found full before have it then.
 */
static void notify_write(struct stream *sd)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (!more)
		return;
	kill_fasync(&more->wfasync, SIGIO, POLL_OUT);
	if (hlist_empty(&more->sigs))
		return;
	if (test_and_clear_bit(STR_WFULL_NORM, &more->wfull) &&
	    str_writable(sd, 0))
		str_notify(sd, S_OUTPUT);
	if (test_and_clear_bit(STR_WFULL_BAND, &more->wfull) &&
	    str_band_writable(sd))
		str_notify(sd, S_WRBAND);
}

/*
 * The head's write service procedure runs when there is room below again. Its
 * wakeup is not a sync wakeup: the reader that made room has more to take, and
 * the writer wants another CPU.
 */
int str_wsrv(queue_t *q)
{
	struct stream *sd = q->q_stream;

	if (wq_has_sleeper(&sd->sd_wwait))
		wake_up_interruptible_poll(&sd->sd_wwait, EPOLLOUT |
					   EPOLLWRNORM | EPOLLWRBAND);
	if (unlikely(READ_ONCE(sd->sd_wwatch)))
		notify_write(sd);
	return 0;
}
EXPORT_SYMBOL_GPL(str_wsrv);

/*
 * Writers are woken one at a time. A writer that was woken, and is done, wakes
 * the next if room is left, or records that there is a waiter.
 */
void str_write_next(struct stream *sd)
{
	if (wq_has_sleeper(&sd->sd_wwait) && str_writable(sd, 0))
		str_wsrv(str_wq(sd));
}

/**
 * str_wait_room() - wait until a message or bytes may be sent, and send none
 * @sd: the stream head
 * @band: the priority band
 * @need: bytes of room to wait for; a write of more than PIPE_BUF needs no more than that
 * @fflags: O_NONBLOCK
 *
 * Return: 0; -EAGAIN, -ERESTARTSYS; or as str_write() for a stream that cannot be
 * written to.
 */
int str_wait_room(struct stream *sd, unsigned char band, size_t need,
		  unsigned int fflags)
{
	bool slept = false;
	ssize_t ret;

	ret = str_write_wait(sd, band, min_t(size_t, need, PIPE_BUF), fflags, &slept);
	if (slept)
		str_write_next(sd);
	return min_t(ssize_t, ret, 0);
}
EXPORT_SYMBOL_GPL(str_wait_room);

void str_wake_uncovered(struct stream *sd)
{
	queue_t *q = str_rq(sd);
	__poll_t bits = 0;
	unsigned long flags;
	bool empty;

	spin_lock_irqsave(&q->q_lock, flags);
	empty = !q->q_first;
	if (!empty && !msg_hipri(q->q_first))
		bits = str_poll_bits(q->q_first);
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (bits)
		str_arrived(sd, bits, true);
	else if (empty)
		/*
		 * Readers know of all bytes before this position by earlier
		 * reports.
		 */
		str_errand_look_again(q);
}

/*
 * Unread bytes at which sleeping writers are woken: half of the ring, so that
 * writer and reader work at the same time. On one CPU they cannot work at the
 * same time, and the fewer turns they take, the better. With Linux's rule,
 * which wakes a writer as soon as a full pipe has room, messages of 512 B to 4
 * KiB between two processes of one CPU take 30 to 56 % more instructions on
 * 6.1, and as many within 6 % on 6.12 and 7.2 (bench/run --mode counted --works
 * pipe-two).
 */
static unsigned int ring_lowat(const struct stream *sd)
{
	unsigned int size = sd->sd_ring->size;

	/* The mark is low enough to leave room for PIPE_BUF. */
	return READ_ONCE(sd->sd_wcpu) == raw_smp_processor_id() ?
	       0 : min_t(unsigned int, size / 2, size - PIPE_BUF);
}

/*
 * Wakes the writers that ring_freed() found waiting: the reader was at position
 * before, and is at tail now. Writers wait because there was no room for
 * PIPE_BUF bytes. They are woken at the low water mark, lest they be woken for
 * each page, fill it and sleep again; or, if the reader does not get that far,
 * RING_PATIENCE after there was room for them. Pollers and tasks that want
 * signals are woken at once: epoll_wait() may be called right after.
 * epoll_wait() returns files in the order of their wakeups, so pollers are
 * woken by those reads of a full ring that wake them in the kernel's pipe, see
 * PIPE_WAKES_STILL_FULL. However much they have written since, they saw less
 * room than there was before.
 */
void ring_freed_wake(struct stream *sd, unsigned int before, unsigned int tail)
{
	struct strring *ring = sd->sd_ring;
	unsigned int head = READ_ONCE(ring->head), lowat = ring_lowat(sd);
	bool full, some, wake;

	full = head - before + PIPE_BUF > ring->size;
	some = full && head - tail + PIPE_BUF <= ring->size;
	if (READ_ONCE(sd->sd_wwatch))
		wake = some;
	else if (READ_ONCE(sd->sd_wpolled))
		wake = full && (some || PIPE_WAKES_STILL_FULL);
	else
		wake = head - before > lowat && head - tail <= lowat;
	if (wake) {
		hrtimer_try_to_cancel(&ring->patience);
		str_wsrv(str_wq(sd));
	} else if (some && !hrtimer_is_queued(&ring->patience)) {
		hrtimer_start(&ring->patience, RING_PATIENCE, HRTIMER_MODE_REL_SOFT);
	}
}

/* Runs in a soft interrupt, because waking may send signals for many registrations. */
enum hrtimer_restart ring_patience_over(struct hrtimer *timer)
{
	struct strring *ring = container_of(timer, struct strring, patience);

	str_wsrv(str_wq(ring->sd));
	return HRTIMER_NORESTART;
}
