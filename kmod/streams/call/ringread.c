// SPDX-License-Identifier: GPL-2.0-only
/* One reader of a ring, once there is something to read */
#include <linux/sched/signal.h>

#include "ringread.h"

static inline bool ring_read_ready(struct stream *sd)
{
	return !str_ring_on(sd) || ring_bytes(sd->sd_ring) ||
	       READ_ONCE(sd->sd_flag) & (STR_NOWRITER | STR_CLOSING);
}

/* Sleeps until there is something to read, or it is known that there is not. */
int str_ring_wait(struct stream *sd)
{
	DEFINE_WAIT(wait);
	int err = 0;

	prepare_to_wait_exclusive(&sd->sd_rwait, &wait, TASK_INTERRUPTIBLE);
	if (!ring_read_ready(sd) && !signal_pending(current))
		schedule();
	finish_wait(&sd->sd_rwait, &wait);
	/* A reader woken for bytes takes them, whatever signal came as well. */
	if (signal_pending(current) && !ring_read_ready(sd))
		err = -ERESTARTSYS;
	return err;
}
