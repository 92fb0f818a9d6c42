// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of the data, behind messages that modules hold
 *
 * A module may hold messages when the last writer leaves: one that waits for a time, or for
 * room. The reader sees the end of the file only after them: a message without data follows
 * them, and sets STR_NOWRITER when it is freed. The reader's head frees it; so does a module
 * that drops it, and the end comes then.
 */
#include <linux/refcount.h>
#include <linux/slab.h>

#include "streams/head/state.h"
#include "last.h"

struct strpipe_last {
	frtn_t frtn;
	refcount_t users;		/* the pipe, and the message */
	spinlock_t lock;
	struct stream *to;		/* the reader's head, or NULL; under lock */
	unsigned char none;		/* stands for the data */
};

static void last_put(struct strpipe_last *last)
{
	if (refcount_dec_and_test(&last->users))
		kfree(last);
}

static void last_freed(char *arg)
{
	struct strpipe_last *last = (struct strpipe_last *)arg;

	spin_lock_bh(&last->lock);
	if (last->to)
		str_set_flag(last->to, STR_NOWRITER, 0);
	spin_unlock_bh(&last->lock);
	last_put(last);
}

static struct strpipe_last *last_alloc(struct stream *to)
{
	struct strpipe_last *last = kzalloc(sizeof(*last), GFP_KERNEL_ACCOUNT);

	if (!last)
		return NULL;
	last->frtn.free_func = last_freed;
	last->frtn.free_arg = (char *)last;
	refcount_set(&last->users, 2);
	spin_lock_init(&last->lock);
	last->to = to;
	return last;
}

/**
 * strpipe_last_send() - send the end of the data behind the data
 * @place: of an end, for the message that is on its way; the pipe's mutex is held
 * @from: the head of the end, whose last writer has left
 * @to: the head that reads from it
 *
 * Return: false if no module can hold data, or memory is short: the end of the data has
 * come already.
 */
bool strpipe_last_send(struct strpipe_last **place, struct stream *from, struct stream *to)
{
	struct strpipe_last *last;
	mblk_t *mp;

	/* A reader of a FIFO was closed, and the end is on its way. */
	if (*place && refcount_read(&(*place)->users) > 1)
		return true;
	if (!READ_ONCE(from->sd_nown) && !READ_ONCE(to->sd_nown))
		return false;
	last = last_alloc(to);
	if (!last)
		return false;
	mp = esballoc(&last->none, 0, BPRI_HI, &last->frtn);
	if (!mp) {
		kfree(last);
		return false;
	}
	DB_TYPE(mp) = M_CTL;
	strpipe_last_forget(place);
	*place = last;
	putnext(str_wq(from), mp);
	return true;
}

/**
 * strpipe_last_forget() - have no end of the data come any more
 * @place: of an end that has a writer again, or is about to be freed
 */
void strpipe_last_forget(struct strpipe_last **place)
{
	struct strpipe_last *last = *place;

	if (!last)
		return;
	*place = NULL;
	spin_lock_bh(&last->lock);
	last->to = NULL;
	spin_unlock_bh(&last->lock);
	last_put(last);
}
