// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multiplexors: streams linked below a driver
 *
 * While a stream is linked its head's queues are the driver's: they have the
 * procedures of st_muxrinit and st_muxwinit and run in the lower stream's own
 * perimeter, never in the upper one's. The link holds a file of the lower
 * stream, so that it stays open; that file's calls fail with EINVAL, which is
 * what STR_PLEX says to the head.
 *
 * A lower stream is given back when the driver has said that it lets go of it,
 * or when the driver's close procedure is over: not before, as it knows the
 * lower stream's queues, and not on a driver's silence. What comes up before
 * the driver has said that it takes the stream waits.
 *
 * Locks: sd_ioctl_mutex of the upper stream, then mux_mutex for the list or
 * the lower stream's sd_ioctl_mutex, then its sd_read_mutex, then its
 * perimeter. The upper and the lower stream cannot change places, as a link is
 * in the list, where cycles are looked for, before the lower stream is locked.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/idr.h>
#include <linux/resource.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "cdev.h"
#include "head.h"
#include "mux.h"
#include "queue.h"
#include "registry.h"

/*
 * Modules and drivers that may stand one below another beneath a driver. A
 * message may go through all of them, and those of the control stream, on one
 * kernel stack.
 */
#define MUX_DEPTH	24

/* What a head is when it is not linked. */
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
	struct stream *upper;		/* whose close ends it, or NULL */
	const struct strdrv *drv;	/* the multiplexing driver */
	struct stream *lower;
	struct file *file;		/* the lower stream's */
	kuid_t uid;			/* who made it */
	int muxid;
	unsigned int npush;		/* modules on the lower stream */
	unsigned int depth;		/* what stands below drv; 0: not known */
	bool persist;			/* by I_PLINK */
	bool busy;			/* being made or undone */
	bool late;			/* the driver did not say whether it has it */
	bool asked;			/* ... nor whether it still has it */
	bool unknown;			/* it said, at the end, that it has not */
	bool seen;			/* by the search for cycles */
	mblk_t *farewell;		/* an unlink that must not fail */
	struct head_state head;
};

static DEFINE_MUTEX(mux_mutex);
static LIST_HEAD(links);
static DEFINE_IDA(muxids);

static bool drv_muxes(const struct strdrv *drv)
{
	return drv && drv->tab->st_muxrinit;
}

/* Whether something below driver from is driver to's. */
static bool drv_reaches(const struct strdrv *from, const struct strdrv *to)
{
	struct mux_link *link;

	if (from == to)
		return true;
	if (!drv_muxes(from))
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

	if (!drv_muxes(drv))
		return 0;
	list_for_each_entry(link, &links, list) {
		if (link->drv != drv)
			continue;
		/* All links of a driver are told at once. */
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

/*
 * Enters a link in the list, so that the next search for cycles sees it. All
 * streams of a driver are taken for one: whatever it links may be meant for
 * any of them.
 */
static int link_enter(struct mux_link *link)
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

static void link_leave(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	list_del(&link->list);
	mutex_unlock(&mux_mutex);
	ida_free(&muxids, link->muxid);
}

static void link_free(struct mux_link *link)
{
	if (link->file)
		fput(link->file);
	if (link->persist)
		strdrv_put(link->drv);
	freemsg(link->farewell);
	kfree(link);
}

/*
 * The head's put procedure and write service procedure run in the perimeter
 * from here on: nobody is in one of them outside when this returns.
 */
static void head_enclose(struct stream *sd)
{
	int i;

	for (i = 0; i < 2; i++) {
		queue_t *q = &sd->sd_q[i];

		spin_lock_irq(&q->q_lock);
		q->q_flag &= ~(QHEAD | QMTSAFE);
		spin_unlock_irq(&q->q_lock);
	}
	synchronize_rcu();
}

/* ... and outside of it again; nothing of theirs waits in the perimeter. */
static void head_disclose(struct stream *sd)
{
	int i;

	for (i = 0; i < 2; i++) {
		queue_t *q = &sd->sd_q[i];

		queue_settle(q);
		spin_lock_irq(&q->q_lock);
		q->q_flag = (q->q_flag & ~(QPROCSOFF | QNOENB)) | QHEAD |
			    QMTSAFE;
		spin_unlock_irq(&q->q_lock);
	}
	/* Who could not be told meanwhile looks again. */
	str_wsrv(str_wq(sd));
}

/* Makes a queue of the head the driver's, and remembers what it was. */
static void head_lend(struct head_state *head, queue_t *q, struct qinit *qi,
		      const struct module_info *mi, int i)
{
	spin_lock_irq(&q->q_lock);
	head->qinfo[i] = q->q_qinfo;
	head->minpsz[i] = q->q_minpsz;
	head->maxpsz[i] = q->q_maxpsz;
	head->hiwat[i] = q->q_hiwat;
	head->lowat[i] = q->q_lowat;
	q->q_qinfo = qi;
	q->q_ptr = NULL;
	q->q_minpsz = mi->mi_minpsz;
	q->q_maxpsz = mi->mi_maxpsz;
	q->q_hiwat = mi->mi_hiwat;
	q->q_lowat = mi->mi_lowat;
	q->q_flag |= QWANTR;
	spin_unlock_irq(&q->q_lock);
}

static void head_return(const struct head_state *head, queue_t *q, int i)
{
	spin_lock_irq(&q->q_lock);
	q->q_qinfo = head->qinfo[i];
	q->q_ptr = NULL;
	q->q_minpsz = head->minpsz[i];
	q->q_maxpsz = head->maxpsz[i];
	q->q_hiwat = head->hiwat[i];
	q->q_lowat = head->lowat[i];
	spin_unlock_irq(&q->q_lock);
}

/* Takes all messages off a queue, in order. */
static mblk_t *queue_empty(queue_t *q)
{
	mblk_t *first = NULL, **tail = &first, *mp;

	while ((mp = getq(q))) {
		*tail = mp;
		tail = &mp->b_next;
	}
	return first;
}

/*
 * Gives messages to a queue's put procedure, as they would have arrived. By
 * put(), not by hand: a driver's procedures are RCU readers wherever they run,
 * which is what it waits for when one of its streams closes.
 */
static void queue_feed(queue_t *q, mblk_t *mp)
{
	while (mp) {
		mblk_t *next = mp->b_next;

		mp->b_next = NULL;
		put(q, mp);
		mp = next;
	}
}

/* The driver knows nothing of the stream yet, and has not refused it either. */
static int linking_rput(queue_t *q, mblk_t *mp)
{
	if (!putq(q, mp))
		freemsg(mp);
	return 0;
}

static struct module_info linking_info = {
	.mi_idname = "linking",
};

static struct qinit linking_rinit = {
	.qi_putp = linking_rput,
	.qi_minfo = &linking_info,
};

/* What has come to the head, and would not come to the driver. */
static int lower_error(struct stream *sd)
{
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	return str_take_error(sd, false) ?: str_take_error(sd, true);
}

/* Makes the lower stream's head the driver's, which knows nothing of it yet. */
static int lower_take(struct mux_link *link)
{
	const struct streamtab *tab = link->drv->tab;
	struct stream *sd = link->lower;
	int err = 0;

	if (mutex_lock_interruptible_nested(&sd->sd_ioctl_mutex,
					    SINGLE_DEPTH_NESTING))
		return -EINTR;
	err = lower_error(sd);
	if (err)
		goto unlock;
	/* More were pushed since the depth was looked at. */
	if (sd->sd_npush > link->npush) {
		err = -EAGAIN;
		goto unlock;
	}
	/* A reader may be copying from a message just now. */
	if (mutex_lock_interruptible(&sd->sd_read_mutex)) {
		err = -EINTR;
		goto unlock;
	}
	head_enclose(sd);
	perim_lock(sd->sd_perim);
	/* What comes from here on is kept for the driver; what came is not. */
	err = lower_error(sd);
	if (err) {
		perim_unlock(sd->sd_perim);
		head_disclose(sd);
		mutex_unlock(&sd->sd_read_mutex);
		goto unlock;
	}
	head_lend(&link->head, str_rq(sd), &linking_rinit,
		  tab->st_muxrinit->qi_minfo, 0);
	head_lend(&link->head, str_wq(sd), tab->st_muxwinit,
		  tab->st_muxwinit->qi_minfo, 1);
	str_set_flag(sd, STR_PLEX, 0);
	perim_unlock(sd->sd_perim);
	mutex_unlock(&sd->sd_read_mutex);
	/* Nobody holds any more: what was written comes before the driver's. */
	str_hold_send(sd);
unlock:
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/*
 * Moves hangups to the end of a chain of messages: a queue has them first, as
 * of high priority, but they came when nothing else could any more.
 */
static mblk_t *hangups_last(mblk_t *first)
{
	mblk_t *hangups = NULL, **end = &hangups, **at = &first, *mp;

	while ((mp = *at)) {
		if (DB_TYPE(mp) != M_HANGUP && DB_TYPE(mp) != M_UNHANGUP) {
			at = &mp->b_next;
			continue;
		}
		*at = mp->b_next;
		mp->b_next = NULL;
		*end = mp;
		end = &mp->b_next;
	}
	*at = hangups;
	return first;
}

/* The driver knows the stream: it gets what arrived there before. */
static void lower_begin(struct mux_link *link)
{
	struct stream *sd = link->lower;
	queue_t *q = str_rq(sd);
	mblk_t *mp;

	perim_lock(sd->sd_perim);
	mp = queue_empty(q);
	spin_lock_irq(&q->q_lock);
	q->q_qinfo = link->drv->tab->st_muxrinit;
	spin_unlock_irq(&q->q_lock);
	queue_feed(q, hangups_last(mp));
	perim_unlock(sd->sd_perim);
}

/*
 * Makes the lower stream's head a head again, after a grace period in which
 * the driver's procedures that still knew it have ended. What its queues hold
 * goes on: down to the stream's driver, or up to the head.
 */
static void lower_give_back(struct mux_link *link)
{
	struct stream *sd = link->lower;
	queue_t *rq = str_rq(sd), *wq = str_wq(sd);
	mblk_t *mp;

	queue_off(rq);
	queue_off(wq);
	perim_lock(sd->sd_perim);
	queue_forward(wq);
	mp = queue_empty(rq);
	head_return(&link->head, rq, 0);
	head_return(&link->head, wq, 1);
	/* Who reads meanwhile sees none of it, or a hangup before the data. */
	queue_feed(rq, mp);
	str_set_flag(sd, 0, STR_PLEX);
	perim_unlock(sd->sd_perim);
	if (READ_ONCE(rq->q_first))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM | EPOLLPRI);
	head_disclose(sd);
}

/* What the driver is told: where it meets the lower stream. */
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

	/* The driver's write queue; persistent links belong to no stream. */
	if (!link->persist)
		for (q = str_module_below(str_wq(sd)); q;
		     q = str_module_below(q))
			lb.l_qtop = q;
	return str_ioctl_alloc(cmd, &lb, sizeof(lb));
}

/* Tells the driver of a link, or asks it to let go of one; waits for it. */
static int link_tell(struct mux_link *link, struct stream *sd, bool make,
		     enum str_ioctl_fate *fate)
{
	mblk_t *mp = link_message(link, sd, make);

	*fate = STR_IOCTL_UNSENT;
	return mp ? str_ioctl_run(sd, mp, fate) : -ENOSR;
}

/*
 * Asks the driver to let go of a link. One that did not answer in time may have
 * done so later; then it knows nothing of the link any more, and says EINVAL.
 */
static int link_ask(struct mux_link *link, struct stream *sd)
{
	enum str_ioctl_fate fate;
	int err = link_tell(link, sd, false, &fate);

	if (fate == STR_IOCTL_SILENT)
		link->asked = true;
	else if (fate == STR_IOCTL_ANSWERED && err == -EINVAL && link->asked)
		err = 0;
	return min(err, 0);
}

/*
 * Tells the driver that a link ends, in whatever state the stream is, and waits
 * some seconds for it to say that it lets go of it. Returns whether it does;
 * *silent: it did not answer.
 */
static bool link_dismiss(struct mux_link *link, struct stream *sd,
			 unsigned int seconds, bool *silent)
{
	enum str_ioctl_fate fate = STR_IOCTL_UNSENT;
	mblk_t *mp = link->farewell;
	int err = -ENOSR;

	link->farewell = NULL;
	if (mp)
		err = str_ioctl_force(sd, mp, seconds * HZ, &fate);
	*silent = fate == STR_IOCTL_SILENT;
	link->unknown = fate == STR_IOCTL_ANSWERED && err == -EINVAL;
	return err >= 0;
}

static struct mux_link *link_alloc(struct stream *sd, int fd, bool persist)
{
	struct mux_link *link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);

	if (!link)
		return ERR_PTR(-EAGAIN);
	link->drv = sd->sd_drv;
	link->upper = sd;
	link->uid = current_uid();
	link->busy = true;
	link->file = fget(fd);
	if (!link->file) {
		link_free(link);
		return ERR_PTR(-EBADF);
	}
	link->lower = str_of_file(link->file);
	/* The head of a pipe is its only queue, and not to be lent. */
	if (!link->lower || !link->lower->sd_drv) {
		link_free(link);
		return ERR_PTR(-EINVAL);
	}
	link->npush = READ_ONCE(link->lower->sd_npush);
	if (persist) {
		/* The control stream's own reference goes when it is closed. */
		__module_get(link->drv->owner);
		link->upper = NULL;
		link->persist = true;
	}
	return link;
}

static void link_release(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/*
 * The driver may have the link, or get it yet: the lower stream stays as it is
 * until the control stream is closed, which tells the driver once more.
 */
static void link_keep(struct mux_link *link, struct stream *sd)
{
	/* Without memory for that it has been told once. */
	link->farewell = link_message(link, sd, false);
	mutex_lock(&mux_mutex);
	link->upper = sd;
	link->late = true;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/*
 * A persistent one belongs to no stream, so that no close procedure has let go
 * of one that the driver has: it stays. I_PUNLINK asks, whether it has or not.
 */
static void link_persist(struct mux_link *link)
{
	mutex_lock(&mux_mutex);
	link->asked = true;
	link->late = false;
	link->busy = false;
	mutex_unlock(&mux_mutex);
}

/* With the control stream's sd_ioctl_mutex; the muxid. Takes the link over. */
static int link_make(struct mux_link *link, struct stream *sd)
{
	enum str_ioctl_fate fate;
	bool silent;
	int err;

	err = link_enter(link);
	if (err)
		goto free;
	link->farewell = link_message(link, sd, false);
	err = link->farewell ? lower_take(link) : -ENOSR;
	if (err)
		goto leave;
	err = link_tell(link, sd, true, &fate);
	if (err < 0) {
		if (fate == STR_IOCTL_SILENT &&
		    !link_dismiss(link, sd, STRTIMOUT, &silent)) {
			link_keep(link, sd);
			return err;
		}
		synchronize_rcu();
		lower_give_back(link);
		goto leave;
	}
	lower_begin(link);
	link_release(link);
	return link->muxid;

leave:
	link_leave(link);
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
 * multiplexing driver, @fd is no stream of a driver's, it is linked already,
 * or below itself then; -ELOOP: more than MUX_DEPTH modules and drivers would
 * stand below a driver; -ENXIO after a hangup of one of them; -EAGAIN: memory
 * is short, the caller has too many streams linked, or modules were pushed
 * meanwhile; -ENOSR; -ETIME: the driver did not answer; -EPERM: @persist
 * without CAP_NET_ADMIN; -EINTR; the driver's or M_ERROR's value. When the
 * driver did not answer and does not say either that it lets go of it, the
 * stream stays linked until @sd is closed.
 * POSIX.1-2001 ioctl(I_LINK), ioctl(I_PLINK).
 */
long mux_link(struct stream *sd, int fd, bool persist)
{
	struct mux_link *link;
	long ret;

	if (!drv_muxes(sd->sd_drv))
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

/* Finds a link that nobody else is undoing; it is the caller's to undo. */
static struct mux_link *link_grab(struct stream *sd, int muxid, bool persist)
{
	struct mux_link *link, *found = NULL;

	mutex_lock(&mux_mutex);
	list_for_each_entry(link, &links, list) {
		if (link->busy || link->late || link->drv != sd->sd_drv ||
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
static struct mux_link *link_grab_closing(struct stream *sd, bool told)
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

/* Ends links that the driver has let go of, a chain by next. */
static void links_end(struct mux_link *link)
{
	struct mux_link *next;

	if (!link)
		return;
	/* The driver's procedures that still knew them have ended after this. */
	synchronize_rcu();
	for (; link; link = next) {
		next = link->next;
		lower_give_back(link);
		link_leave(link);
		link_free(link);
	}
}

/* A chain of links that end. */
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
 * -EINTR; the driver's or M_ERROR's value. What is not unlinked then stays.
 * POSIX.1-2001 ioctl(I_UNLINK), ioctl(I_PUNLINK).
 */
long mux_unlink(struct stream *sd, int muxid, bool persist)
{
	struct mux_link *link, *gone = NULL;
	long err = 0;

	if (!drv_muxes(sd->sd_drv))
		return -EINVAL;
	if (persist && !capable(CAP_NET_ADMIN))
		return -EPERM;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	do {
		link = link_grab(sd, muxid, persist);
		if (!link) {
			err = muxid == MUXID_ALL ? 0 : -EINVAL;
			break;
		}
		err = link_ask(link, sd);
		if (err) {
			link_release(link);
			break;
		}
		link_chain(&gone, link);
	} while (muxid == MUXID_ALL);
	links_end(gone);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/**
 * mux_close() - tell the driver of a control stream that its links end
 * @sd: the control stream, which closes
 *
 * Those that the driver lets go of end here, the others in mux_closed(). What
 * it is told may wait behind data, in a module: that comes to the driver when
 * the module is popped, if not before. So one answer is waited for in vain and no
 * more, and none by a kernel worker, which closes the files of everybody.
 *
 * Context: may sleep, STRTIMOUT seconds at most if the driver does not answer.
 * POSIX.1-2001 close(), on a stream.
 */
void mux_close(struct stream *sd)
{
	bool silent = current->flags & PF_KTHREAD;
	struct mux_link *link, *gone = NULL;

	if (!drv_muxes(sd->sd_drv))
		return;
	mutex_lock(&sd->sd_ioctl_mutex);
	while ((link = link_grab_closing(sd, false))) {
		bool mute;

		/* Else it stays in the list, busy. */
		if (link_dismiss(link, sd, silent ? 0 : STRTIMOUT, &mute))
			link_chain(&gone, link);
		silent |= mute;
	}
	links_end(gone);
	mutex_unlock(&sd->sd_ioctl_mutex);
}

/**
 * mux_closed() - end what links a control stream has left
 * @sd: the control stream, whose driver's close procedure is over
 *
 * The driver did not let go of them; but nothing of its is there any more that
 * could use them for this stream.
 * Context: may sleep. POSIX.1-2001 close(), on a stream.
 */
void mux_closed(struct stream *sd)
{
	struct mux_link *link, *gone = NULL;

	if (!drv_muxes(sd->sd_drv))
		return;
	while ((link = link_grab_closing(sd, true))) {
		if (link->persist && !link->unknown)
			link_persist(link);
		else
			link_chain(&gone, link);
	}
	links_end(gone);
}
