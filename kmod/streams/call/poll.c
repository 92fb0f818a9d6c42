// SPDX-License-Identifier: GPL-2.0-only
/* poll() */
#include "streams/head/errand.h"
#include "streams/head/reader.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "poll.h"

/* Returns the events of a stream, POSIX.1-2001 poll(); mask has those of data to read. */
static __poll_t poll_streams(struct stream *sd, __poll_t mask,
			     unsigned int flag)
{
	/*
	 * The bit is given back to callers that do not ask for it, as poll(2)
	 * hides EPOLLNVAL from them.
	 */
	if (flag & STR_PLEX)
		return EPOLLNVAL | EPOLLERR;
	if (flag & (STR_RERR | STR_WERR))
		return EPOLLERR;
	/* A hangup excludes writing, not reading the data that is left. */
	if (flag & (STR_HUP | STR_NOWRITER | STR_NOREADER))
		return mask | EPOLLHUP;
	if (str_writable(sd, 0))
		mask |= EPOLLOUT | EPOLLWRNORM;
	if (str_band_writable(sd))
		mask |= EPOLLWRBAND;
	return mask;
}

/* Returns the events that Linux's poll() reports for a pipe. */
static __poll_t poll_linux(struct stream *sd, __poll_t in, unsigned int flag,
			   fmode_t mode)
{
	__poll_t mask = 0;

	if (mode & FMODE_READ) {
		mask = in;
		if (flag & STR_NOWRITER)
			mask |= EPOLLHUP;
	}
	if (mode & FMODE_WRITE) {
		if (str_writable(sd, 0))
			mask |= EPOLLOUT | EPOLLWRNORM;
		if (flag & STR_NOREADER)
			mask |= EPOLLERR;
	}
	return mask;
}

/* Returns the events of the first message on the read queue, or of bytes in a ring. */
static __poll_t poll_queue(struct stream *sd, unsigned int *flag)
{
	queue_t *q = str_rq(sd);
	__poll_t mask = 0;

	spin_lock_irq(&q->q_lock);
	*flag = sd->sd_flag;
	if (q->q_first)
		mask = str_poll_bits(q->q_first);
	spin_unlock_irq(&q->q_lock);
	/* The look at the flags comes first: the last writer may have written before it left. */
	return mask ?: str_bytes_in_ring(sd) ? EPOLLIN | EPOLLRDNORM : 0;
}

/*
 * Returns the events of the first message, also for data still at the driver,
 * if it would surely be read.
 */
static __poll_t poll_driver(struct stream *sd, unsigned int *flag)
{
	queue_t *q = str_rq(sd);
	int looks = 2;
	__poll_t mask;

	/* The driver itself sends up messages that are for a module. */
	if (READ_ONCE(sd->sd_nown))
		return poll_queue(sd, flag);
	/*
	 * The first message may have been read meanwhile, while the next is
	 * still there.
	 */
	while (looks--) {
		int look = READ_ONCE(q->q_first) ? 0 : str_errand_look(sd);

		mask = poll_queue(sd, flag);
		if (!mask && look > 0)
			mask = EPOLLIN | EPOLLRDNORM;
		/* A poller that this call does not inform will be woken. */
		if (mask || look < 0 || !str_errand_waits(sd))
			return mask;
	}
	/* The poller itself is woken: it looks once more. */
	wake_up_interruptible_poll(&sd->sd_rwait, EPOLLIN | EPOLLRDNORM);
	return 0;
}

/* Returns whether the caller asks for data to read. */
static bool poll_reads(const struct file *file, const poll_table *wait)
{
	return file->f_mode & FMODE_READ &&
	       poll_requested_events(wait) & (EPOLLIN | EPOLLRDNORM);
}

/**
 * str_poll() - report the operations possible on a stream now
 * @sd: the stream head
 * @file: its access mode counts
 * @wait: the caller's table, which is woken on changes
 */
__poll_t str_poll(struct stream *sd, struct file *file, poll_table *wait)
{
	unsigned int flag;
	__poll_t mask;

	if (file->f_mode & FMODE_READ)
		poll_wait(file, &sd->sd_rwait, wait);
	if (file->f_mode & FMODE_WRITE)
		poll_wait(file, &sd->sd_wwait, wait);

	if (file->f_mode & FMODE_WRITE && !sd->sd_wpolled)
		WRITE_ONCE(sd->sd_wpolled, true);
	/* The task has its place in the lists before the looks (litmus test ring_filled). */
	smp_mb();
	mask = unlikely(sd->sd_errands) && poll_reads(file, wait) ?
		       poll_driver(sd, &flag) :
		       poll_queue(sd, &flag);
	if (flag & STR_LINUX)
		return poll_linux(sd, mask, flag, file->f_mode);
	return poll_streams(sd, mask, flag);
}
EXPORT_SYMBOL_GPL(str_poll);
