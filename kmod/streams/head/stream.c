// SPDX-License-Identifier: GPL-2.0-only
/* A stream's state that its head's parts share */
#include <linux/slab.h>

#include "stream.h"

/**
 * str_more() - get the state that few streams need
 * @sd: the stream head
 * @gfp: used to allocate it if it does not exist yet
 *
 * Return: the state, which lives as long as the stream; or NULL when memory is
 * short.
 */
struct str_more *str_more(struct stream *sd, gfp_t gfp)
{
	struct str_more *more = READ_ONCE(sd->sd_more), *old;

	if (more)
		return more;
	more = kzalloc(sizeof(*more), gfp);
	if (!more)
		return NULL;
	spin_lock_init(&more->sig_lock);
	INIT_LIST_HEAD(&more->links);
	more->cltime = STRCLTIME;
	old = cmpxchg(&sd->sd_more, NULL, more);
	if (!old)
		return more;
	kfree(more);
	return old;
}

/* Does what str_take_error() does for a stream with an error. */
int str_error_taken(struct stream *sd, bool writing)
{
	unsigned int flag = writing ? STR_WERR : STR_RERR;
	unsigned int once = writing ? WERRNONPERSIST : RERRNONPERSIST;
	queue_t *q = str_rq(sd);
	unsigned long flags;
	int err = 0;

	if (READ_ONCE(sd->sd_flag) & STR_PLEX)
		return -EINVAL;
	spin_lock_irqsave(&q->q_lock, flags);
	if (sd->sd_flag & flag) {
		err = writing ? sd->sd_werror : sd->sd_rerror;
		if (sd->sd_eropt & once)
			sd->sd_flag &= ~flag;
	}
	spin_unlock_irqrestore(&q->q_lock, flags);
	return -err;
}
EXPORT_SYMBOL_GPL(str_error_taken);
