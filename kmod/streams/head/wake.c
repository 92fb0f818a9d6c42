// SPDX-License-Identifier: GPL-2.0-only
/* Waking tasks that wait for a stream: for something to read, or for room */
#include "streams/message/mblk.h"
#include "errand.h"
#include "room.h"
#include "wake.h"

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

/* There may be room below again; bands that were found full before have it. */
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
 * The head's write service procedure: there is room below again. Not a sync
 * wakeup: the reader that made room has more to take, and the writer wants
 * another CPU.
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

void str_bared(struct stream *sd)
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
		/* Readers have not looked behind it for data reported before. */
		str_errand_look_again(q);
}
