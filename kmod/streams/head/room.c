// SPDX-License-Identifier: GPL-2.0-only
/*
 * Room to write, and waiting for it
 *
 * In a pipe it is the room in the ring or, without modules, on the read queue of the
 * other end. Other streams ask the queue below, as SVR4 does.
 */
#include <linux/sched/signal.h>

#include "streams/queue/flow.h"
#include "streams/trace.h"
#include "ring.h"
#include "room.h"

/* Returns the error of a stream that cannot be written to. */
int str_write_error_of(struct stream *sd, unsigned int fflags)
{
	int err;

	err = str_take_error(sd, true);
	if (err == -EINVAL && READ_ONCE(sd->sd_flag) & STR_PLEX)
		return err;
	if (!err && READ_ONCE(sd->sd_flag) & STR_NOREADER)
		err = -EPIPE;
	if (!err && READ_ONCE(sd->sd_flag) & STR_HUP)
		err = -ENXIO;
	if (err && (err == -EPIPE || sd->sd_wopt & SNDPIPE) &&
	    !(fflags & STR_NOSIGNAL))
		send_sig(SIGPIPE, current, 0);
	return err;
}

/* The second look is made here: a wakeup comes after it when there is room. */
static noinline size_t write_room_again(struct stream *sd, unsigned char band)
{
	str_found_full(sd, band);
	return bcanputnext(str_wq(sd), band) ? STRMSGSZ : 0;
}

/*
 * Returns the room in the ring that is written to. A writer to a ring of
 * records never waits: it ends the ring. The second look is made after the
 * writer is recorded as waiting, when a wakeup is certain.
 */
static noinline size_t write_room_ring(struct stream *sd, enum str_form form,
				       size_t need)
{
	const struct stream *to = sd->sd_mate;
	size_t room;

	if (form == STR_RECORDS)
		return need;
	room = ring_room_asked(to->sd_ring);
	if (room < need && READ_ONCE(sd->sd_more)) {
		str_found_full(sd, 0);
		room = ring_room_asked(to->sd_ring);
	}
	return room < need ? 0 : room;
}

static noinline size_t write_room_looked(struct stream *sd, unsigned char band,
					 size_t need)
{
	enum str_form form;
	size_t room = 0;
	queue_t *q;

	form = band ? STR_MESSAGES : str_form_written(sd);
	if (form != STR_MESSAGES)
		return write_room_ring(sd, form, need);
	rcu_read_lock();
	q = band ? NULL : str_write_target(sd);
	if (!q) {
		if (bcanputnext(str_wq(sd), band))
			room = STRMSGSZ;
		else if (unlikely(READ_ONCE(sd->sd_more)))
			room = write_room_again(sd, band);
		goto out;
	}
	room = str_queue_room(q, need);
	if (!room) {
		unsigned long flags;

		str_found_full(sd, 0);
		spin_lock_irqsave(&q->q_lock, flags);
		room = str_queue_room(q, need);
		if (!room)
			q->q_flag |= QWANTW;
		spin_unlock_irqrestore(&q->q_lock, flags);
		if (!room)
			trace_streams_flow_stop(q, NULL);
	}
out:
	rcu_read_unlock();
	return room;
}

/*
 * Returns the bytes that may be sent now, at least need; 0: fewer fit. With 0
 * the queue records that a writer waits, and enables the head's write queue
 * later.
 */
static inline size_t write_room(struct stream *sd, unsigned char band, size_t need)
{
	/* Nearly always this holds where there is a driver. */
	if (!sd->sd_mate && bcanputnext(str_wq(sd), band))
		return STRMSGSZ;
	return write_room_looked(sd, band, need);
}

static bool write_ready(struct stream *sd, unsigned char band, size_t need)
{
	return str_write_broken(sd) || write_room(sd, band, need);
}

bool str_writable(struct stream *sd, unsigned char band)
{
	return write_room(sd, band, PIPE_BUF) != 0;
}
EXPORT_SYMBOL_GPL(str_writable);

/* Returns whether one of the used bands above 0 has room. */
bool str_band_writable(struct stream *sd)
{
	const struct str_more *more = READ_ONCE(sd->sd_more);
	int band;

	if (!more)
		return false;
	for_each_set_bit(band, more->wbands, 256) {
		if (str_writable(sd, band))
			return true;
	}
	return false;
}

/**
 * str_write_throttle() - wait while messages sent before crowd a perimeter
 * @sd: the stream head
 * @band: the priority band of the message to be sent
 * @fflags: the file's O_NONBLOCK
 *
 * Before a message is sent, so that a caller that may not wait still has it. No
 * event follows when the perimeter has room: pollers are woken, and look again.
 *
 * Return: 0, -EAGAIN, -ERESTARTSYS.
 */
int str_write_throttle(struct stream *sd, unsigned char band,
		       unsigned int fflags)
{
	queue_t *q = str_wq(sd);

	if (likely(perim_is_free(q)))
		return 0;
	if (!(fflags & O_NONBLOCK))
		return str_perim_hold_back(q);
	if (!str_perim_full(q))
		return 0;
	str_found_full(sd, band);
	qenable(q);
	return -EAGAIN;
}

/* Sleeps until there may be room, or the stream cannot be written to. */
static noinline int write_sleep(struct stream *sd, unsigned char band, size_t need)
{
	int err;

	WRITE_ONCE(sd->sd_wcpu, raw_smp_processor_id());
	trace_streams_wait(str_wq(sd), NULL);
	/* A wakeup may be for a band other than a writer's. */
	err = band ? wait_event_interruptible(sd->sd_wwait,
					      write_ready(sd, band, need)) :
		     wait_event_interruptible_exclusive(sd->sd_wwait,
							write_ready(sd, band, need));
	trace_streams_wake(str_wq(sd), NULL);
	return err;
}

/**
 * str_write_wait() - wait until a message may be sent
 * @sd: the stream head
 * @band: the message's priority band
 * @need: bytes of room to wait for; a message may exceed the room there is, 1: any room
 * @fflags: the file's O_NONBLOCK
 * @slept: set when it was woken, and has to call str_write_next() when done, even
 *	after an error: the wakeup is another writer's then
 *
 * Return: bytes that may be sent now, at least @need; or an error.
 */
ssize_t str_write_wait(struct stream *sd, unsigned char band, size_t need,
		       unsigned int fflags, bool *slept)
{
	size_t room;
	int err;

	for (;;) {
		err = str_write_error(sd, fflags) ?:
		      str_write_throttle(sd, band, fflags);
		if (err)
			return err;
		room = write_room(sd, band, need);
		if (room)
			return room;
		sd->sd_entry.stops++;
		if (fflags & O_NONBLOCK)
			return -EAGAIN;
		err = write_sleep(sd, band, need);
		if (err)
			return err;
		*slept = true;
	}
}
