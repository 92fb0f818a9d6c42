// SPDX-License-Identifier: GPL-2.0-only
/*
 * One reader at a time
 *
 * That is the task that has sd_read_mutex, or one that is lent the first message
 * (sd_reading) without the mutex. Nothing tells the two apart for others: the message
 * stays on the queue, so that poll() finds it and no reader finds the end.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/wait_bit.h>

#include "reader.h"

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
		if (likely(!sd->sd_lent))
			return 0;
		mutex_unlock(&sd->sd_read_mutex);
		if (wait_var_event_killable(&sd->sd_lent, !READ_ONCE(sd->sd_lent)))
			break;
	}
	return -EINTR;
}
EXPORT_SYMBOL_GPL(str_read_lock);

/**
 * str_read_lend() - lend sd_reading to the caller, and release sd_read_mutex
 * @sd: the stream head, locked by str_read_lock()
 */
void str_read_lend(struct stream *sd)
{
	WRITE_ONCE(sd->sd_lent, true);
	mutex_unlock(&sd->sd_read_mutex);
}

/**
 * str_read_lent() - take sd_read_mutex again after str_read_lend()
 * @sd: the stream head
 *
 * The caller does not wait for long: while a message is lent all others release the
 * mutex at once.
 */
void str_read_lent(struct stream *sd)
{
	mutex_lock(&sd->sd_read_mutex);
	WRITE_ONCE(sd->sd_lent, false);
	smp_mb(); /* before the look for tasks that wait */
	wake_up_var(&sd->sd_lent);
}
