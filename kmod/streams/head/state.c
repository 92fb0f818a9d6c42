// SPDX-License-Identifier: GPL-2.0-only
/* A change of a stream's state: hangups, errors, the ends of a pipe */
#include <linux/signal.h>

#include "ioc.h"
#include "signal.h"
#include "state.h"

/* The wait ends at a hangup, at an error, and at the close. */
static void ioctl_wake(struct stream *sd)
{
	queue_t *q = str_rq(sd);
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	if (sd->sd_ioc)
		complete(&sd->sd_ioc->done);
	spin_unlock_irqrestore(&q->q_lock, flags);
}

static void signal_state(struct stream *sd, unsigned int set)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	unsigned int gone = STR_HUP;

	if (!more)
		return;
	kill_fasync(&more->rfasync, SIGIO, POLL_IN);
	kill_fasync(&more->wfasync, SIGIO, POLL_OUT);
	/* The other end of a pipe was closed, which is a hangup in SVR4. */
	if (!(READ_ONCE(sd->sd_flag) & STR_LINUX))
		gone |= STR_NOREADER | STR_NOWRITER;
	if (set & (STR_RERR | STR_WERR))
		str_notify(sd, S_ERROR);
	if (set & gone)
		str_notify(sd, S_HANGUP);
}

/**
 * str_set_flag() - change a head's state and wake its waiters
 * @sd: the head
 * @set: STR_* flags to set
 * @clear: STR_* flags to clear
 */
void str_set_flag(struct stream *sd, unsigned int set, unsigned int clear)
{
	queue_t *q = str_rq(sd);
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	sd->sd_flag = (sd->sd_flag & ~clear) | set;
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (!set)
		return;
	if (wq_has_sleeper(&sd->sd_rwait))
		wake_up_interruptible_all(&sd->sd_rwait);
	if (wq_has_sleeper(&sd->sd_wwait))
		wake_up_interruptible_all(&sd->sd_wwait);
	if (unlikely(READ_ONCE(sd->sd_rwatch) | READ_ONCE(sd->sd_wwatch)))
		signal_state(sd, set);
	/* No module or driver will answer an I_STR any more. */
	if (set & (STR_HUP | STR_RERR | STR_WERR | STR_NOREADER | STR_CLOSING))
		ioctl_wake(sd);
}
EXPORT_SYMBOL_GPL(str_set_flag);
