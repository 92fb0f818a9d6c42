// SPDX-License-Identifier: GPL-2.0-only
/*
 * Held writes: SNDHOLD, SO_STRHOLD
 *
 * A short write waits at the head for the next one, to go down in one message
 * with it; not longer than HOLD_TIME. It is sent before anything else is sent
 * down, before this process waits for an answer, and when the file is closed.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "streams/message/mblk.h"
#include "hold.h"
#include "room.h"

#define HOLD_SHORT	128	/* bytes, the longest write that is held */
#define HOLD_SIZE	512	/* bytes, what is held at most */
#define HOLD_TIME	msecs_to_jiffies(10)

struct str_hold {
	struct mutex mutex;		/* also taken to send: keeps the order */
	mblk_t *mp;			/* the held data, or NULL */
	struct stream *sd;
	struct delayed_work work;
};

/* Sends the held data, under the mutex. */
static void hold_release(struct str_hold *hold)
{
	mblk_t *mp = hold->mp;

	hold->mp = NULL;
	if (mp)
		putnext(str_wq(hold->sd), mp);
}

static void hold_over(struct work_struct *work)
{
	struct str_hold *hold = container_of(work, struct str_hold, work.work);

	/* A writer may hold the mutex while its memory cgroup is throttled. */
	if (!mutex_trylock(&hold->mutex)) {
		schedule_delayed_work(&hold->work, HOLD_TIME);
		return;
	}
	hold_release(hold);
	mutex_unlock(&hold->mutex);
}

static struct str_hold *hold_get(struct stream *sd)
{
	struct str_more *more = str_more(sd, GFP_KERNEL_ACCOUNT);
	struct str_hold *hold;

	if (!more)
		return NULL;
	hold = READ_ONCE(more->hold);
	if (hold)
		return hold;
	hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);
	if (!hold)
		return NULL;
	mutex_init(&hold->mutex);
	hold->sd = sd;
	INIT_DELAYED_WORK(&hold->work, hold_over);
	if (cmpxchg(&more->hold, NULL, hold))
		kfree(hold);
	return more->hold;
}

/* Returns whether a message may wait, and others be added to it. */
static bool hold_able(const mblk_t *mp, size_t len)
{
	return len && len <= HOLD_SHORT && !mp->b_cont &&
	       !(mp->b_flag & (MSGDELIM | MSGPACKET));
}

/*
 * Adds a message to the held one, if the queue below takes a message of that
 * length.
 */
static bool hold_append(struct str_hold *hold, mblk_t *mp, size_t len)
{
	mblk_t *held = hold->mp;
	size_t least, most, tail = READ_ONCE(hold->sd->sd_tail);
	size_t all = MBLKL(held) + len;

	str_packet_sizes(hold->sd, &least, &most);
	if (READ_ONCE(hold->sd->sd_maxblk))
		most = min_t(size_t, most, READ_ONCE(hold->sd->sd_maxblk));
	if (all > most || DB_LIM(held) - held->b_wptr < len + tail)
		return false;
	memcpy(held->b_wptr, mp->b_rptr, len);
	held->b_wptr += len;
	freemsg(mp);
	return true;
}

/* Holds a message, in a block with room for more; false: memory is short. */
static bool hold_begin(struct str_hold *hold, mblk_t *mp, size_t len)
{
	size_t wroff = mp->b_rptr - DB_BASE(mp);
	mblk_t *bp = allocb_gfp(wroff + HOLD_SIZE +
				READ_ONCE(hold->sd->sd_tail),
				GFP_KERNEL_ACCOUNT);

	if (!bp)
		return false;
	bp->b_rptr += wroff;
	bp->b_wptr = bp->b_rptr + len;
	memcpy(bp->b_rptr, mp->b_rptr, len);
	bp->b_flag = mp->b_flag;
	freemsg(mp);
	hold->mp = bp;
	schedule_delayed_work(&hold->work, HOLD_TIME);
	return true;
}

/**
 * str_hold_write() - hold a written message, or send it in its turn
 * @sd: the stream head, with SNDHOLD
 * @mp: the message, of data; consumed unless false is returned
 * @len: bytes in it
 *
 * Return: false when memory is short, and nothing is or was held.
 * Context: may sleep.
 */
bool str_hold_write(struct stream *sd, mblk_t *mp, size_t len)
{
	struct str_hold *hold = hold_get(sd);
	bool able;

	if (!hold)
		return false;
	mutex_lock(&hold->mutex);
	/*
	 * Data held when the stream is linked below a multiplexor has been
	 * sent.
	 */
	able = hold_able(mp, len) && !(READ_ONCE(sd->sd_flag) & STR_PLEX);
	if (!able || !hold->mp || !hold_append(hold, mp, len)) {
		hold_release(hold);
		if (!able || !hold_begin(hold, mp, len))
			putnext(str_wq(sd), mp);
	}
	mutex_unlock(&hold->mutex);
	return true;
}

/* Sends the held data. Context: may sleep. */
void str_hold_send(struct stream *sd)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	struct str_hold *hold = more ? READ_ONCE(more->hold) : NULL;

	if (!hold)
		return;
	mutex_lock(&hold->mutex);
	cancel_delayed_work(&hold->work);
	hold_release(hold);
	mutex_unlock(&hold->mutex);
}

/* Wakes a task that waits for the held data. Context: any. */
void str_hold_hurry(struct stream *sd)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	struct str_hold *hold = more ? READ_ONCE(more->hold) : NULL;

	if (hold && READ_ONCE(hold->mp))
		mod_delayed_work(system_percpu_wq, &hold->work, 0);
}

/* Ends the hold with its stream. Context: may sleep. */
void str_hold_free(struct str_more *more)
{
	struct str_hold *hold = more->hold;

	if (!hold)
		return;
	cancel_delayed_work_sync(&hold->work);
	freemsg(hold->mp);
	mutex_destroy(&hold->mutex);
	kfree(hold);
	more->hold = NULL;
}
