// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of the links below multiplexing drivers; links that would form a cycle are
 * refused
 *
 * All streams of a driver count as one here, because a driver may use a lower stream for
 * any of its upper streams.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/idr.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

#include "streams/head/stream.h"
#include "mux.h"
#include "mux_link.h"
#include "mux_links.h"

/*
 * Modules and drivers that may stand one below another beneath a driver. A
 * message may go through all of them, and those of the control stream, on one
 * kernel stack.
 */
#define MUX_DEPTH	24

static DEFINE_MUTEX(mux_mutex);
static LIST_HEAD(links);
static DEFINE_IDA(muxids);

/* Whether a stream of driver to is linked somewhere below driver from. */
static bool drv_reaches(const struct strdrv *from, const struct strdrv *to)
{
	struct mux_link *link;

	if (from == to)
		return true;
	if (!strdrv_muxes(from))
		return false;
	list_for_each_entry(link, &links, list) {
		if (link->drv != from || link->seen)
			continue;
		link->seen = true;
		if (drv_reaches(link->lower->sd_drv, to))
			return true;
	}
	return false;
}

/* Whether the user has as many streams linked as may be open in a process. */
static bool too_many_links(kuid_t uid)
{
	unsigned long n = 0;
	struct mux_link *link;

	if (capable(CAP_SYS_RESOURCE) || capable(CAP_SYS_ADMIN))
		return false;
	list_for_each_entry(link, &links, list)
		n += uid_eq(link->uid, uid);
	return n >= rlimit(RLIMIT_NOFILE);
}

/* Modules and drivers one below another beneath a driver. */
static unsigned int drv_depth(const struct strdrv *drv)
{
	struct mux_link *link;
	unsigned int most = 0;

	if (!strdrv_muxes(drv))
		return 0;
	list_for_each_entry(link, &links, list) {
		if (link->drv != drv)
			continue;
		/* The depth is set in all links of a driver at once. */
		if (link->depth)
			return link->depth;
		most = max(most, link->npush + 1 +
			   drv_depth(link->lower->sd_drv));
	}
	list_for_each_entry(link, &links, list)
		if (link->drv == drv)
			link->depth = most;
	return most;
}

/* Whether too much stands below any driver, with the links in the list. */
static bool too_deep(void)
{
	struct mux_link *link;

	list_for_each_entry(link, &links, list)
		link->depth = 0;
	list_for_each_entry(link, &links, list)
		if ((link->depth ?: drv_depth(link->drv)) > MUX_DEPTH)
			return true;
	return false;
}

int mux_links_enter(struct mux_link *link)
{
	struct mux_link *other;
	int err = 0;

	mutex_lock(&mux_mutex);
	list_for_each_entry(other, &links, list) {
		other->seen = false;
		if (other->lower == link->lower)
			err = -EINVAL;
	}
	if (!err && drv_reaches(link->lower->sd_drv, link->drv))
		err = -EINVAL;
	if (!err && too_many_links(link->uid))
		err = -EAGAIN;
	if (err)
		goto unlock;
	link->muxid = ida_alloc_min(&muxids, 1, GFP_KERNEL_ACCOUNT);
	if (link->muxid < 0) {
		err = -EAGAIN;
		goto unlock;
	}
	list_add_tail(&link->list, &links);
	if (too_deep()) {
		list_del(&link->list);
		ida_free(&muxids, link->muxid);
		err = -ELOOP;
	}
unlock:
	mutex_unlock(&mux_mutex);
	return err;
}

void mux_links_leave(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	list_del(&link->list);
	mutex_unlock(&mux_mutex);
	ida_free(&muxids, link->muxid);
}

void mux_links_release(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

void mux_links_keep(struct mux_link *link, struct stream *sd)
{
	mutex_lock(&mux_mutex);
	link->upper = sd;
	link->state = MUX_LATE;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/* The control stream is freed before the links that the caller is undoing. */
void mux_links_orphan(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	for (; link; link = link->next)
		link->upper = NULL;
	mutex_unlock(&mux_mutex);
}

/*
 * A persistent one belongs to no stream, so no close procedure has released
 * one that the driver has: it stays. I_PUNLINK asks the driver in either case.
 */
void mux_links_persist(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	link->state = MUX_ASKED;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/* Finds a link that no other task is undoing; it is the caller's to undo. */
struct mux_link *mux_links_grab(struct stream *sd, int muxid, bool persist)
{
	struct mux_link *link, *found = NULL;

	mutex_lock(&mux_mutex);
	list_for_each_entry(link, &links, list) {
		if (link->busy || link->state == MUX_LATE ||
		    link->drv != sd->sd_drv ||
		    link->upper != (persist ? NULL : sd) ||
		    (muxid != MUXID_ALL && link->muxid != muxid))
			continue;
		link->busy = true;
		found = link;
		break;
	}
	mutex_unlock(&mux_mutex);
	return found;
}

/* Takes one of a control stream that closes; none is being made any more. */
struct mux_link *mux_links_grab_closing(struct stream *sd, bool told)
{
	struct mux_link *link, *found = NULL;

	mutex_lock(&mux_mutex);
	list_for_each_entry(link, &links, list) {
		if (link->upper != sd || link->busy != told)
			continue;
		link->busy = true;
		if (told)
			link->upper = NULL;
		found = link;
		break;
	}
	mutex_unlock(&mux_mutex);
	return found;
}
