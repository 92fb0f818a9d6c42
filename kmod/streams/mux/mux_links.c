// SPDX-License-Identifier: GPL-2.0-only
/*
 * The links below multiplexing drivers; links that would form a cycle are refused
 *
 * All streams of a driver count as one in the search for cycles, because a driver may
 * use a lower stream for any of its upper streams. A user may have very many links: the
 * time of a function here does not depend on their number, except that I_PUNLINK of all,
 * for privileged callers, passes over the links of others, and I_UNLINK of all over those
 * of its stream that the driver has not acknowledged. The searches for cycles and for the
 * depth walk all paths among drivers, which are few.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "streams/head/stream.h"
#include "mux_link.h"
#include "mux_links.h"

/*
 * The most modules and drivers that may stand one below another beneath a
 * driver. A message may pass through all of them, and those of the control
 * stream, on one kernel stack.
 */
#define MUX_DEPTH	24

/* An edge is all links of streams of one driver below another driver. */
struct mux_edge {
	struct list_head list;
	const struct strdrv *upper;
	const struct strdrv *lower;
	unsigned int links[NSTRPUSH + 1];	/* by their npush */
	bool seen;				/* by the search for cycles */
};

static DEFINE_MUTEX(mux_mutex);
static LIST_HEAD(edges);			/* few: drivers, not streams */
static DEFINE_XARRAY_ALLOC1(muxids);		/* the links */

/* Returns the most modules on any lower stream of an edge; -1: the edge has no link. */
static int edge_npush(const struct mux_edge *edge)
{
	int n = NSTRPUSH;

	while (n >= 0 && !edge->links[n])
		n--;
	return n;
}

static struct mux_edge *edge_find(const struct mux_link *link)
{
	struct mux_edge *edge;

	lockdep_assert_held(&mux_mutex);
	list_for_each_entry(edge, &edges, list)
		if (edge->upper == link->drv && edge->lower == link->lower->sd_drv)
			return edge;
	return NULL;
}

/* Counts a link in its edge. Returns 0, or -EAGAIN when memory is short. */
static int edge_enter(const struct mux_link *link)
{
	struct mux_edge *edge = edge_find(link);

	if (!edge) {
		edge = kzalloc(sizeof(*edge), GFP_KERNEL_ACCOUNT);
		if (!edge)
			return -EAGAIN;
		edge->upper = link->drv;
		edge->lower = link->lower->sd_drv;
		list_add(&edge->list, &edges);
	}
	edge->links[link->npush]++;
	return 0;
}

static void edge_leave(const struct mux_link *link)
{
	struct mux_edge *edge = edge_find(link);

	edge->links[link->npush]--;
	if (edge_npush(edge) >= 0)
		return;
	list_del(&edge->list);
	kfree(edge);
}

/* Returns whether a stream of driver to is linked somewhere below driver from. */
static bool drv_reaches(const struct strdrv *from, const struct strdrv *to)
{
	struct mux_edge *edge;

	if (from == to)
		return true;
	list_for_each_entry(edge, &edges, list) {
		if (edge->upper != from || edge->seen)
			continue;
		edge->seen = true;
		if (drv_reaches(edge->lower, to))
			return true;
	}
	return false;
}

/* Returns the number of modules and drivers one below another beneath a driver. */
static unsigned int drv_depth(const struct strdrv *drv)
{
	struct mux_edge *edge;
	unsigned int most = 0;

	list_for_each_entry(edge, &edges, list)
		if (edge->upper == drv)
			most = max(most, edge_npush(edge) + 1 + drv_depth(edge->lower));
	return most;
}

/* Returns whether too many modules and drivers stand below any driver. */
static bool too_deep(void)
{
	struct mux_edge *edge;

	list_for_each_entry(edge, &edges, list)
		if (drv_depth(edge->upper) > MUX_DEPTH)
			return true;
	return false;
}

/* Returns whether the link would put a driver below itself. */
static bool makes_cycle(const struct mux_link *link)
{
	struct mux_edge *edge;

	list_for_each_entry(edge, &edges, list)
		edge->seen = false;
	return drv_reaches(link->lower->sd_drv, link->drv);
}

/* Makes a link a part of what /proc/streams/open shows of the lower stream. */
static void link_show(const struct mux_link *link)
{
	struct str_more *more = link->lower->sd_more;

	WRITE_ONCE(more->muxid, link->muxid);
	WRITE_ONCE(more->control, link->upper ? link->upper->sd_entry.number : 0);
	WRITE_ONCE(more->above, link->drv);
}

/* Enters a link that makes no cycle; the caller holds mux_mutex. */
static int links_add(struct mux_link *link)
{
	int err;

	lockdep_assert_held(&mux_mutex);
	if (link->lower->sd_linked || makes_cycle(link))
		return -EINVAL;
	err = edge_enter(link);
	if (err)
		return err;
	if (too_deep())
		err = -ELOOP;
	else if (xa_alloc(&muxids, &link->muxid, link, xa_limit_31b, GFP_KERNEL_ACCOUNT))
		err = -EAGAIN;
	if (err) {
		edge_leave(link);
		return err;
	}
	link->lower->sd_linked = true;
	if (link->upper)
		list_add_tail(&link->list, &link->upper->sd_more->links);
	link_show(link);
	return 0;
}

int mux_links_enter(struct mux_link *link)
{
	int err;

	mutex_lock(&mux_mutex);
	err = links_add(link);
	mutex_unlock(&mux_mutex);
	return err;
}

void mux_links_leave(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	list_del(&link->list);
	xa_erase(&muxids, link->muxid);
	edge_leave(link);
	link->lower->sd_linked = false;
	WRITE_ONCE(link->lower->sd_more->above, NULL);
	mutex_unlock(&mux_mutex);
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
	list_move_tail(&link->list, &sd->sd_more->links);
	link->state = MUX_LATE;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/* The control stream is freed before the links that the caller is undoing. */
void mux_links_orphan(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	for (; link; link = link->next) {
		link->upper = NULL;
		list_del_init(&link->list);
	}
	mutex_unlock(&mux_mutex);
}

/*
 * Makes a link persistent: it belongs to no stream. No close procedure has
 * released a persistent link that the driver has, so the link stays. I_PUNLINK
 * asks the driver in either case.
 */
void mux_links_persist(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	link->state = MUX_ASKED;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/* Returns whether an I_UNLINK or I_PUNLINK of a control stream may end the link. */
static bool link_ends_by(const struct mux_link *link, const struct stream *sd,
			 bool persist)
{
	return !link->busy && link->state != MUX_LATE && link->drv == sd->sd_drv &&
	       link->upper == (persist ? NULL : sd);
}

/* Returns any link of that kind, or NULL; the caller holds mux_mutex. */
static struct mux_link *links_any(struct stream *sd, bool persist)
{
	struct mux_link *link;
	unsigned long id;

	lockdep_assert_held(&mux_mutex);
	if (persist) {
		xa_for_each(&muxids, id, link)
			if (link_ends_by(link, sd, persist))
				return link;
	} else if (sd->sd_more) {
		list_for_each_entry(link, &sd->sd_more->links, list)
			if (link_ends_by(link, sd, persist))
				return link;
	}
	return NULL;
}

/* Finds a link that no other task is undoing; the caller then undoes it. */
struct mux_link *mux_links_grab(struct stream *sd, int muxid, bool persist)
{
	struct mux_link *link;

	mutex_lock(&mux_mutex);
	if (muxid == MUXID_ALL) {
		link = links_any(sd, persist);
	} else {
		link = xa_load(&muxids, muxid);
		if (link && !link_ends_by(link, sd, persist))
			link = NULL;
	}
	if (link) {
		link->busy = true;
		/* Busy links are moved to the tail, so the next search begins with others. */
		if (!persist)
			list_move_tail(&link->list, &sd->sd_more->links);
	}
	mutex_unlock(&mux_mutex);
	return link;
}

/*
 * Takes a link of a control stream that closes, to which no link is added any
 * more. asked: takes a link that the driver was asked to release before; such
 * links are busy, and stand behind all others.
 */
struct mux_link *mux_links_grab_closing(struct stream *sd, bool asked)
{
	struct mux_link *link;

	if (!sd->sd_more)
		return NULL;
	mutex_lock(&mux_mutex);
	link = list_first_entry_or_null(&sd->sd_more->links, struct mux_link, list);
	if (link && link->busy != asked)
		link = NULL;
	if (link && asked) {
		link->upper = NULL;
		list_del_init(&link->list);
	} else if (link) {
		link->busy = true;
		list_move_tail(&link->list, &sd->sd_more->links);
	}
	mutex_unlock(&mux_mutex);
	return link;
}
