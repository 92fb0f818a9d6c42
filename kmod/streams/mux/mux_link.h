/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream linked below a multiplexing driver, for the code that makes and
 * ends it
 */
#ifndef _STREAMS_MUX_LINK_H
#define _STREAMS_MUX_LINK_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <sys/stream.h>

struct file;
struct passer;
struct stream;

/* The state of a head that is not linked */
struct head_state {
	struct qinit *qinfo[2];
	ssize_t minpsz[2];
	ssize_t maxpsz[2];
	size_t hiwat[2];
	size_t lowat[2];
};

/*
 * The state of a link, by the driver's answers. A persistent link whose control
 * stream has closed is MUX_ASKED again.
 */
enum mux_state {
	MUX_LINKED,	/* it has the link, or is asked to take it */
	MUX_LATE,	/* it did not answer that: kept until the close */
	MUX_ASKED,	/* it did not answer an unlink: it may have none */
	MUX_UNKNOWN,	/* it answered, at the close, that it has none */
};

struct mux_link {
	struct list_head list;		/* of upper, under mux_mutex */
	struct mux_link *next;		/* of those that end together */
	struct stream *upper;		/* its close ends the link; or NULL */
	const struct strdrv *drv;	/* the multiplexing driver */
	struct stream *lower;
	struct file *file;		/* the lower stream's */
	struct passer *passer;		/* the user it is charged to */
	u32 muxid;
	unsigned int npush;		/* modules on the lower stream */
	bool persist;			/* by I_PLINK */
	bool busy;			/* being made or undone, by the task that sets state */
	enum mux_state state;
	mblk_t *farewell;		/* an unlink that must not fail */
	struct rcu_work end;		/* of the first of those that end together */
	struct head_state head;
};

static inline bool strdrv_muxes(const struct strdrv *drv)
{
	return drv && drv->tab->st_muxrinit;
}

#endif /* _STREAMS_MUX_LINK_H */
