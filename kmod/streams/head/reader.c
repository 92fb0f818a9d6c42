// SPDX-License-Identifier: GPL-2.0-only
/*
 * One reader at a time, and the looks and waits for data to read
 *
 * The reader is the task that has sd_read_mutex, or one that is lent the first message
 * (sd_reading) without the mutex. Nothing tells the two apart for others: the message
 * stays on the queue, so that poll() finds it and no reader finds the end.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/wait_bit.h>

#include "streams/trace.h"
#include "errand.h"
#include "reader.h"
#include "ring.h"

/* Returns the unread bytes of a ring; while it is on, the queue is empty. */
size_t str_bytes_in_ring(const struct stream *sd)
{
	return str_form_read(sd) ? ring_bytes(sd->sd_ring) : 0;
}

/*
 * Returns the bytes of data that can be read; bytes that cannot be read count
 * against the water marks as well.
 */
size_t str_bytes(const struct stream *sd)
{
	return str_bytes_in_ring(sd) ?: READ_ONCE(sd->sd_q[0].q_data);
}

/*
 * Returns whether there is something to read, or a driver to be asked for data.
 */
bool str_readable(const struct stream *sd)
{
	return str_bytes_in_ring(sd) || READ_ONCE(sd->sd_q[0].q_first) || str_errand_waits(sd);
}

/* Returns whether a reader has something to read, or nothing to wait for. */
bool str_read_ready(const struct stream *sd)
{
	return str_readable(sd) || READ_ONCE(sd->sd_flag) & STR_READ_STOPS;
}

/**
 * str_read_wait() - sleep until there may be something to read
 * @sd: the stream head
 *
 * The caller looks for itself, and waits again if another reader was faster.
 *
 * Return: 0, or -ERESTARTSYS.
 */
int str_read_wait(struct stream *sd)
{
	DEFINE_WAIT(wait);

	trace_streams_wait(str_rq(sd), NULL);
	prepare_to_wait_exclusive(&sd->sd_rwait, &wait, TASK_INTERRUPTIBLE);
	if (!str_read_ready(sd) && !signal_pending(current))
		schedule();
	finish_wait(&sd->sd_rwait, &wait);
	trace_streams_wake(str_rq(sd), NULL);
	/*
	 * A reader that was woken for data takes it, even if a signal came as
	 * well.
	 */
	return signal_pending(current) && !str_read_ready(sd) ? -ERESTARTSYS : 0;
}

/**
 * str_wait_data() - wait until there is something to read, and read nothing
 * @sd: the stream head
 * @fflags: O_NONBLOCK
 *
 * Return: 1; 0 at the end; -EAGAIN, -ERESTARTSYS. After 1 reading may still fail.
 */
int str_wait_data(struct stream *sd, unsigned int fflags)
{
	/* Acquire: the last writer may have written before it left. */
	bool stops = smp_load_acquire(&sd->sd_flag) & STR_READ_STOPS;

	if (str_readable(sd))
		return 1;
	if (!stops) {
		if (fflags & O_NONBLOCK)
			return -EAGAIN;
		/*
		 * This wait is outside the order of readers, which are woken as
		 * well.
		 */
		if (wait_event_interruptible(sd->sd_rwait, str_read_ready(sd)))
			return -ERESTARTSYS;
		if (str_readable(sd))
			return 1;
	}
	return !(READ_ONCE(sd->sd_flag) & STR_READ_ENDS);
}
EXPORT_SYMBOL_GPL(str_wait_data);

/**
 * str_read_lock() - take sd_read_mutex, when no message is lent
 * @sd: the stream head
 *
 * Context: may sleep, also for a caller that does not want to wait for messages.
 * Return: 0, or -EINTR if the caller was killed.
 */
int str_read_lock(struct stream *sd)
{
	while (!mutex_lock_killable(&sd->sd_read_mutex)) {
		if (likely(!sd->sd_reading_lent))
			return 0;
		mutex_unlock(&sd->sd_read_mutex);
		if (wait_var_event_killable(&sd->sd_reading_lent, !READ_ONCE(sd->sd_reading_lent)))
			break;
	}
	return -EINTR;
}
EXPORT_SYMBOL_GPL(str_read_lock);

/**
 * str_lend_message() - lend sd_reading to the caller, and release sd_read_mutex
 * @sd: the stream head, locked by str_read_lock()
 */
void str_lend_message(struct stream *sd)
{
	lockdep_assert_held(&sd->sd_read_mutex);
	WRITE_ONCE(sd->sd_reading_lent, true);
	mutex_unlock(&sd->sd_read_mutex);
}

/**
 * str_take_back_message() - take sd_read_mutex again after str_lend_message()
 * @sd: the stream head
 *
 * The caller does not wait for long: while a message is lent all others release the
 * mutex at once.
 */
void str_take_back_message(struct stream *sd)
{
	mutex_lock(&sd->sd_read_mutex);
	WRITE_ONCE(sd->sd_reading_lent, false);
	smp_mb(); /* before the look for tasks that wait */
	wake_up_var(&sd->sd_reading_lent);
}
