// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multiplexors: streams linked below a driver
 *
 * While a stream is linked its head's queues are the driver's (mux_lower.c):
 * they have the procedures of st_muxrinit and st_muxwinit and run in the lower
 * stream's own perimeter, never in the upper one's. The link holds a file of
 * the lower stream, so that it stays open. While STR_PLEX is set, calls on that file
 * fail with EINVAL.
 *
 * A lower stream is given back when the driver has acknowledged that it
 * releases the stream, or when the driver's close procedure is over: not
 * before, as the driver knows the lower stream's queues, and not when the
 * driver does not answer. Messages that come up before the driver has accepted
 * the stream wait.
 *
 * Locks: sd_ioctl_mutex of the upper stream, then that of the list of links
 * (mux_links.c) or the lower stream's sd_ioctl_mutex, then its sd_read_mutex,
 * then its perimeter. The upper and the lower stream cannot change places, as a
 * link is in the list, where cycles are looked for, before the lower stream is
 * locked.
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "streams/head/files.h"
#include "streams/head/ioc.h"
#include "streams/head/plumb.h"
#include "streams/module/registry.h"
#include "streams/passfp/passfp.h"
#include "mux.h"
#include "mux_link.h"
#include "mux_links.h"
#include "mux_lower.h"

/*
 * The work queue that ends links without a waiting task. No work item on it
 * takes a lock that a user holds.
 */
static struct workqueue_struct *mux_wq;

static void link_free(struct mux_link *link)
{
	if (link->file)
		fput(link->file);
	if (link->persist)
		strdrv_put(link->drv);
	if (link->passer)
		str_passer_put(link->passer, PASS_LINK);
	freemsg(link->farewell);
	kfree(link);
}

/* Sent to the driver: the queues where it meets the lower stream. */
static mblk_t *link_message(const struct mux_link *link, struct stream *sd,
			    bool make)
{
	int cmd = make ? link->persist ? I_PLINK : I_LINK :
			 link->persist ? I_PUNLINK : I_UNLINK;
	struct linkblk lb = {
		.l_qbot = str_wq(link->lower),
		.l_index = link->muxid,
	};
	queue_t *q;

	/*
	 * l_qtop is the driver's write queue, or NULL, as persistent links
	 * belong to no stream.
	 */
	if (!link->persist)
		for (q = str_module_below(str_wq(sd)); q;
		     q = str_module_below(q))
			lb.l_qtop = q;
	return str_ioctl_alloc(cmd, &lb, sizeof(lb));
}

/* Informs the driver of a link, or asks it to release one; waits for it. */
static int link_tell(struct mux_link *link, struct stream *sd, bool make,
		     enum str_ioctl_fate *fate)
{
	mblk_t *mp = link_message(link, sd, make);

	*fate = STR_IOCTL_UNSENT;
	return mp ? str_ioctl_run(sd, mp, fate) : -ENOSR;
}

/*
 * Asks the driver to release a link. A driver that did not answer in time may
 * have released the link later; then it no longer knows the link, and returns
 * EINVAL.
 */
static int link_ask(struct mux_link *link, struct stream *sd)
{
	enum str_ioctl_fate fate;
	int err = link_tell(link, sd, false, &fate);

	if (fate == STR_IOCTL_SILENT)
		link->state = MUX_ASKED;
	else if (fate == STR_IOCTL_UNKNOWN && link->state == MUX_ASKED)
		err = 0;
	return min(err, 0);
}

/*
 * Informs the driver that a link ends, in whatever state the stream is, and
 * waits some jiffies for the driver to acknowledge the release. Returns whether
 * the driver did; *silent: the driver did not answer.
 */
static bool link_dismiss(struct mux_link *link, struct stream *sd,
			 unsigned long patience, bool *silent)
{
	enum str_ioctl_fate fate = STR_IOCTL_UNSENT;
	mblk_t *mp = link->farewell;
	int err = -ENOSR;

	link->farewell = NULL;
	if (mp)
		err = str_ioctl_force(sd, mp, patience, &fate);
	*silent = fate == STR_IOCTL_SILENT;
	if (fate == STR_IOCTL_UNKNOWN)
		link->state = MUX_UNKNOWN;
	return err >= 0;
}

/* Makes room for a link in its user's account, and in the streams on both sides. */
static int link_charge(struct mux_link *link)
{
	struct passer *passer = str_passer_get(PASS_LINK);

	if (IS_ERR(passer) || !str_more(link->upper, GFP_KERNEL_ACCOUNT) ||
	    !str_more(link->lower, GFP_KERNEL_ACCOUNT)) {
		if (!IS_ERR(passer))
			str_passer_put(passer, PASS_LINK);
		return -EAGAIN;
	}
	link->passer = passer;
	return 0;
}

static struct mux_link *link_alloc(struct stream *sd, int fd, bool persist)
{
	struct mux_link *link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	int err;

	if (!link)
		return ERR_PTR(-EAGAIN);
	link->drv = sd->sd_drv;
	link->upper = sd;
	link->busy = true;
	INIT_LIST_HEAD(&link->list);
	link->file = fget(fd);
	if (!link->file) {
		err = -EBADF;
		goto free;
	}
	link->lower = str_of_file(link->file);
	/* The head of a pipe is its only queue, and cannot be lent. */
	if (!link->lower || !link->lower->sd_drv) {
		err = -EINVAL;
		goto free;
	}
	err = link_charge(link);
	if (err)
		goto free;
	link->npush = READ_ONCE(link->lower->sd_npush);
	if (persist) {
		/*
		 * The control stream's own reference is dropped at its close.
		 */
		__module_get(link->drv->owner);
		link->upper = NULL;
		link->persist = true;
	}
	return link;

free:
	link_free(link);
	return ERR_PTR(err);
}

/*
 * The driver may have the link, or get it yet: the lower stream stays as it is
 * until the control stream is closed, which informs the driver once more.
 */
static void link_keep(struct mux_link *link, struct stream *sd)
{
	/*
	 * The driver was informed once; it is not informed again if memory is
	 * short.
	 */
	link->farewell = link_message(link, sd, false);
	mux_links_keep(link, sd);
}

/*
 * Makes a link and returns its muxid; the caller holds the control stream's sd_ioctl_mutex.
 * Takes ownership of the link.
 */
static int link_make(struct mux_link *link, struct stream *sd)
{
	enum str_ioctl_fate fate;
	bool silent;
	int err, muxid;

	err = mux_links_enter(link);
	if (err)
		goto free;
	link->farewell = link_message(link, sd, false);
	err = link->farewell ? mux_lower_take(link) : -ENOSR;
	if (err)
		goto leave;
	err = link_tell(link, sd, true, &fate);
	if (err < 0) {
		if (fate == STR_IOCTL_SILENT &&
		    !link_dismiss(link, sd, STRTIMOUT * HZ, &silent)) {
			link_keep(link, sd);
			return err;
		}
		synchronize_rcu();
		mux_lower_return(link);
		goto leave;
	}
	mux_lower_begin(link);
	muxid = link->muxid;
	/* An I_PUNLINK may free the link from here on. */
	mux_links_release(link);
	return muxid;

leave:
	mux_links_leave(link);
free:
	link_free(link);
	return err;
}

/**
 * mux_link() - link a stream below a multiplexing driver
 * @sd: the control stream, whose driver it is
 * @fd: a descriptor of the stream to link
 * @persist: the link outlives the control stream
 *
 * Context: may sleep.
 * Return: the link's muxid; -EBADF: @fd is not open; -EINVAL: @sd has no
 * multiplexing driver, @fd is not a stream of a driver, it is linked already,
 * or below itself then; -ELOOP: more than MUX_DEPTH modules and drivers would
 * stand below a driver; -ENXIO after a hangup of one of them; -EAGAIN: memory
 * is short, the caller has too many streams linked, or modules were pushed
 * meanwhile; -ENOSR; -ETIME: the driver did not answer; -EPERM: @persist
 * without CAP_NET_ADMIN; -EINTR; the driver's or M_ERROR's value. When the
 * driver did not answer and does not acknowledge the release either, the
 * stream stays linked until @sd is closed, persistently until mux_unlink().
 * POSIX.1-2001 ioctl(I_LINK), ioctl(I_PLINK).
 */
long mux_link(struct stream *sd, int fd, bool persist)
{
	struct mux_link *link;
	long ret;

	if (!strdrv_muxes(sd->sd_drv))
		return -EINVAL;
	if (persist && !capable(CAP_NET_ADMIN))
		return -EPERM;
	link = link_alloc(sd, fd, persist);
	if (IS_ERR(link))
		return PTR_ERR(link);
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex)) {
		link_free(link);
		return -EINTR;
	}
	ret = link_make(link, sd);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return ret;
}

/*
 * Runs after a grace period: the driver's procedures that knew the links have
 * ended.
 */
static void links_return(struct mux_link *link)
{
	struct mux_link *next;

	for (; link; link = next) {
		next = link->next;
		mux_lower_return(link);
		mux_links_leave(link);
		link_free(link);
	}
}

static void links_return_work(struct work_struct *work)
{
	struct mux_link *link = container_of(to_rcu_work(work),
					     struct mux_link, end);
	struct module *owner = link->drv->owner;

	links_return(link);
	module_put(owner);
}

/*
 * Returns whether a task that closes the control stream waits for a grace period. A task
 * that exits may have a thousand such streams, and another user may have passed as many
 * to the task, so neither waits.
 */
static bool close_waits(const struct stream *sd)
{
	return !(current->flags & PF_EXITING) && str_close_patience(sd, STRTIMOUT * 1000);
}

/* Ends a chain of links, joined by next, that the driver has released. */
static void links_end(struct mux_link *link, bool wait)
{
	if (!link)
		return;
	if (!wait) {
		mux_links_orphan(link);
		/* The links name the driver until they have left the list. */
		__module_get(link->drv->owner);
		INIT_RCU_WORK(&link->end, links_return_work);
		queue_rcu_work(mux_wq, &link->end);
		return;
	}
	synchronize_rcu();
	links_return(link);
}

/* Adds an ending link to a chain. */
static void link_chain(struct mux_link **gone, struct mux_link *link)
{
	link->next = *gone;
	*gone = link;
}

/**
 * mux_unlink() - end links of a control stream or of its driver
 * @sd: the control stream
 * @muxid: which link; MUXID_ALL: all there are, which may be none
 * @persist: persistent ones of the driver, whichever stream made them
 *
 * Context: may sleep.
 * Return: 0; -EINVAL: there is no such link; -ENOSR; -ENXIO after a hangup;
 * -ETIME: the driver did not answer; -EPERM: @persist without CAP_NET_ADMIN;
 * -EINTR; the driver's or M_ERROR's value. Links not ended then stay.
 * POSIX.1-2001 ioctl(I_UNLINK), ioctl(I_PUNLINK).
 */
long mux_unlink(struct stream *sd, int muxid, bool persist)
{
	struct mux_link *link, *gone = NULL;
	long err = 0;

	if (!strdrv_muxes(sd->sd_drv))
		return -EINVAL;
	if (persist && !capable(CAP_NET_ADMIN))
		return -EPERM;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	do {
		link = mux_links_grab(sd, muxid, persist);
		if (!link) {
			err = muxid == MUXID_ALL ? 0 : -EINVAL;
			break;
		}
		err = link_ask(link, sd);
		if (err) {
			mux_links_release(link);
			break;
		}
		link_chain(&gone, link);
	} while (muxid == MUXID_ALL);
	links_end(gone, true);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/**
 * mux_close() - inform the driver of a control stream that its links end
 * @sd: the control stream, which closes
 *
 * Links that the driver releases end here, the others in mux_closed(). The
 * message to the driver may wait behind data in a module: it reaches the
 * driver when the module is popped, if not before. So at most one answer is
 * waited for in vain, and none if str_close_patience() forbids it.
 *
 * Context: may sleep, STRTIMOUT seconds at most if the driver does not answer.
 * POSIX.1-2001 close(), on a stream.
 */
void mux_close(struct stream *sd)
{
	struct mux_link *link, *gone = NULL;
	bool silent = false;

	if (!strdrv_muxes(sd->sd_drv))
		return;
	mutex_lock(&sd->sd_ioctl_mutex);
	while ((link = mux_links_grab_closing(sd, false))) {
		unsigned long patience = 0;
		bool mute;

		if (!silent)
			patience = str_close_patience(sd, STRTIMOUT * 1000);
		/* A link that is not released stays in the list, busy. */
		if (link_dismiss(link, sd, patience, &mute))
			link_chain(&gone, link);
		silent |= mute;
	}
	links_end(gone, close_waits(sd));
	mutex_unlock(&sd->sd_ioctl_mutex);
}

/**
 * mux_closed() - end the links that a control stream has left
 * @sd: the control stream, whose driver's close procedure is over
 *
 * The driver did not release them, but none of its code that could use them
 * for this stream can run any more.
 * Context: may sleep. POSIX.1-2001 close(), on a stream.
 */
void mux_closed(struct stream *sd)
{
	struct mux_link *link, *gone = NULL;

	if (!strdrv_muxes(sd->sd_drv))
		return;
	while ((link = mux_links_grab_closing(sd, true))) {
		if (link->persist && link->state != MUX_UNKNOWN)
			mux_links_persist(link);
		else
			link_chain(&gone, link);
	}
	links_end(gone, close_waits(sd));
}

int __init mux_init(void)
{
	mux_wq = alloc_workqueue("streams_mux", WQ_UNBOUND, 0);
	return mux_wq ? 0 : -ENOMEM;
}

void mux_exit(void)
{
	/*
	 * All work items that wait for a grace period are queued before the
	 * workqueue is destroyed.
	 */
	rcu_barrier();
	destroy_workqueue(mux_wq);
}
