/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream linked below a multiplexing driver, for the code that makes and
 * ends it
 */
#ifndef _STREAMS_MUX_LINK_H
#define _STREAMS_MUX_LINK_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

#include <sys/stream.h>

#include "registry.h"

struct file;
struct stream;

/* The state of a head that is not linked. */
struct head_state {
	struct qinit *qinfo[2];
	ssize_t minpsz[2];
	ssize_t maxpsz[2];
	size_t hiwat[2];
	size_t lowat[2];
};

struct mux_link {
	struct list_head list;		/* links, under mux_mutex */
	struct mux_link *next;		/* of those that end together */
	struct stream *upper;		/* its close ends the link; or NULL */
	const struct strdrv *drv;	/* the multiplexing driver */
	struct stream *lower;
	struct file *file;		/* the lower stream's */
	kuid_t uid;			/* of the task that made it */
	int muxid;
	unsigned int npush;		/* modules on the lower stream */
	unsigned int depth;		/* what stands below drv; 0: not known */
	bool persist;			/* by I_PLINK */
	bool busy;			/* being made or undone */
	bool late;			/* the driver did not answer the link */
	bool asked;			/* ... nor an unlink */
	bool unknown;			/* it answered, at the end, that it has no such link */
	bool seen;			/* by the search for cycles */
	mblk_t *farewell;		/* an unlink that must not fail */
	struct rcu_work end;		/* of the first of those that end together */
	struct head_state head;
};

static inline bool strdrv_muxes(const struct strdrv *drv)
{
	return drv && drv->tab->st_muxrinit;
}

/*
 * The list of links, in mux_links.c. The caller that has made or grabbed a
 * link has exclusive use of it until it is released, kept, made persistent or
 * taken out.
 */

/*
 * Gives the link a muxid and enters it, so that the next search for cycles sees
 * it: 0; -EINVAL: it is linked already, or would be below itself; -ELOOP: too
 * much would stand below a driver; -EAGAIN: the user has too many.
 */
int mux_links_enter(struct mux_link *link);
void mux_links_leave(struct mux_link *link);
void mux_links_release(struct mux_link *link);
/* It stays as it is until sd, the control stream, is closed. */
void mux_links_keep(struct mux_link *link, struct stream *sd);
/* It belongs to no stream. */
void mux_links_persist(struct mux_link *link);
/* Those of a chain, which the caller is undoing, outlive their control stream. */
void mux_links_orphan(struct mux_link *link);
/* Finds one that no other task is undoing, or NULL. */
struct mux_link *mux_links_grab(struct stream *sd, int muxid, bool persist);
/* One of a control stream that closes; told: its driver knows that it closes. */
struct mux_link *mux_links_grab_closing(struct stream *sd, bool told);

/* The lower stream's head, in mux_lower.c */

/* Lends it to the driver, which does not know it yet: messages wait. */
int mux_lower_take(struct mux_link *link);
/* The driver knows the stream: it gets what arrived there before. */
void mux_lower_begin(struct mux_link *link);
/* Makes it a head again, after a grace period without the driver. */
void mux_lower_return(struct mux_link *link);

#endif /* _STREAMS_MUX_LINK_H */
