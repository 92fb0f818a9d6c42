// SPDX-License-Identifier: GPL-2.0-only
/* Dropping queued messages: I_FLUSH, I_FLUSHBAND, M_FLUSH at the head */
#include <linux/llist.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "streams/message/mblk.h"
#include "streams/perim/perim.h"
#include "streams/queue/band.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "convert.h"
#include "flush.h"
#include "rights.h"
#include "signal.h"
#include "wake.h"

#define ALL_BANDS	(-1)

/* Messages that are freed at once where no task can be preempted. */
#define FLUSH_NOW	64

/*
 * The most messages that wait for the work item. No queue counts such messages
 * any more, and their sender need not wait: beyond this number they are freed
 * at once, so that senders cannot be faster than the work item.
 */
#define FLUSH_LATE	4096

/* Messages taken off the read queue, linked by b_next. */
struct flushed {
	mblk_t *first;
	mblk_t *last;
	unsigned int n;
};

/*
 * Returns whether the messages to be dropped are all messages of the queue, see
 * take_flushed().
 */
static bool drops_all(struct stream *sd, int what, int band)
{
	return (band == ALL_BANDS || (!band && !str_rq(sd)->q_above)) &&
	       (what == FLUSHALL || !(sd->sd_flag & STR_SIGNALS));
}

/*
 * Takes the whole list at once: there may be very many messages. Returns
 * whether writers wait.
 */
static bool take_all(struct stream *sd, struct flushed *f)
{
	mblk_t *reading = sd->sd_reading;
	queue_t *q = str_rq(sd);
	bool want = false, more;

	if (reading) {
		sd->sd_flag |= STR_FLUSHED;
		want = __rmvq(q, reading);
	}
	f->last = q->q_last;
	f->first = __getq_all(q, &more);
	/* The queue has the band, so this takes no memory. */
	if (reading)
		__putbq(q, reading);
	return want || more;
}

/*
 * Takes the messages that are among others: those of a band, or beside signals,
 * which modules send.
 */
static bool take_some(struct stream *sd, int what, int band, struct flushed *f)
{
	queue_t *q = str_rq(sd);
	struct qband *qb = band > 0 ? band_find(q, band) : NULL;
	mblk_t *mp = q->q_first, *next;
	bool want = false;

	if (band > 0)
		mp = qb ? qb->qb_first : NULL;
	for (; mp; mp = next) {
		next = mp->b_next;
		if (band > 0 && mp->b_band != band)
			break;
		if (!band && mp->b_band)
			continue;
		if (mp == sd->sd_reading) {
			sd->sd_flag |= STR_FLUSHED;
			continue;
		}
		/* A passed file is to be received, as data is to be read. */
		if (what == FLUSHDATA && !datamsg(DB_TYPE(mp)) &&
		    DB_TYPE(mp) != M_PASSFP)
			continue;
		want |= __rmvq(q, mp);
		mp->b_next = f->first;
		f->first = mp;
		if (!f->last)
			f->last = mp;
	}
	return want;
}

/*
 * Takes the messages off the read queue: of what, FLUSHALL or FLUSHDATA; of one
 * band (0: with high priority), or -1: of all. A message that is being read is
 * dropped later.
 */
static void take_flushed(struct stream *sd, int what, int band, struct flushed *f)
{
	queue_t *q = str_rq(sd);
	unsigned long flags;
	bool want, signal;

	*f = (struct flushed){ };
	spin_lock_irqsave(&q->q_lock, flags);
	f->n = q->q_msgs;
	want = drops_all(sd, what, band) ? take_all(sd, f) :
					   take_some(sd, what, band, f);
	f->n -= q->q_msgs;
	if (!q->q_msgs)
		sd->sd_flag &= ~STR_SIGNALS;
	signal = str_signal_first(q);
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (want)
		backenable(q, 0);
	if (unlikely(signal))
		str_deliver_signal(sd);
	/* A message of high priority is always the first. */
	if (f->first && (msg_hipri(f->first) || msg_hipri(f->last)))
		str_wake_uncovered(sd);
}

/* Drops messages, as take_flushed(). Context: may sleep. */
void str_flush(struct stream *sd, int what, int band)
{
	struct flushed f;

	take_flushed(sd, what, band, &f);
	str_free_many(f.first);
}

/*
 * The messages that the work item frees, linked by struct strperim_item, as in
 * an inbox
 */
static LLIST_HEAD(late);
static atomic_t late_count;

static void free_late(struct work_struct *work)
{
	struct llist_node *node = llist_del_all(&late);
	struct llist_node *each;
	int n = 0;

	llist_for_each(each, node)
		n++;
	if (node)
		str_free_many((mblk_t *)llist_entry(node, struct strperim_item, node));
	/* Release: a task that sees it need not wait for this work item. */
	atomic_sub_return_release(n, &late_count);
}

static DECLARE_WORK(late_work, free_late);

/* Does what str_flush() does, in a perimeter, whose owner is not preempted. */
static void flush_inside(struct stream *sd, int what, int band)
{
	struct flushed f;

	take_flushed(sd, what, band, &f);
	if (f.n <= FLUSH_NOW || atomic_read(&late_count) > FLUSH_LATE) {
		str_free_list(f.first);
		return;
	}
	atomic_add(f.n, &late_count);
	llist_add_batch(&((struct strperim_item *)f.first)->node,
			&((struct strperim_item *)f.last)->node, &late);
	queue_work(system_dfl_wq, &late_work);
}

/*
 * Waits until the messages flushed from any stream are freed. Context: may
 * sleep.
 */
void str_flush_settle(void)
{
	if (unlikely(atomic_read_acquire(&late_count)))
		flush_work(&late_work);
}

/*
 * Flushes the data to read of a band, or of all. Returns 0, or -ERESTARTSYS.
 * Context: may sleep.
 */
static int drop(struct stream *sd, int band)
{
	if (band <= 0 && str_ring_flush(sd))
		return -ERESTARTSYS;
	str_flush(sd, FLUSHALL, band);
	return 0;
}

/* Drops everything to be read, after the last close. Context: may sleep. */
void str_drop(struct stream *sd)
{
	str_ring_drop(sd);
	str_flush(sd, FLUSHALL, ALL_BANDS);
}
EXPORT_SYMBOL_GPL(str_drop);

/*
 * Handles M_FLUSH: flushes the read side here, then the write side on the
 * message's way back.
 */
void str_rput_flush(queue_t *q, mblk_t *mp)
{
	int band = ALL_BANDS;

	if (MBLKL(mp) < 1 || (*mp->b_rptr & FLUSHBAND && MBLKL(mp) < 2)) {
		freemsg(mp);
		return;
	}
	if (*mp->b_rptr & FLUSHBAND)
		band = mp->b_rptr[1];
	if (*mp->b_rptr & FLUSHR)
		flush_inside(q->q_stream, FLUSHDATA, band);
	if ((*mp->b_rptr & FLUSHW) && !(mp->b_flag & MSGNOLOOP)) {
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

/* Returns whether no module between the ends of a pipe could hold messages. */
static bool bare_pipe(const struct stream *sd)
{
	return sd->sd_mate && !READ_ONCE(sd->sd_npush) &&
	       !READ_ONCE(sd->sd_mate->sd_npush);
}

static long head_flush(struct stream *sd, const struct file *file,
		       unsigned long what, int band)
{
	mblk_t *mp;
	int err;

	if (what != FLUSHR && what != FLUSHW && what != FLUSHRW)
		return -EINVAL;
	err = str_may_flush(file, what);
	if (err)
		return err;
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	/* A message would flush the data that the other end reads, without pipemod. */
	if (!str_file_changes(file))
		return drop(sd, band);
	if (bare_pipe(sd)) {
		if (what & FLUSHR)
			err = drop(sd, band);
		if (!err && what & FLUSHW)
			err = drop(sd->sd_mate, band);
		return err;
	}
	mp = allocb_gfp(2, GFP_KERNEL_ACCOUNT);
	if (!mp)
		return -ENOSR;
	DB_TYPE(mp) = M_FLUSH;
	*mp->b_wptr++ = band < 0 ? what : what | FLUSHBAND;
	if (band >= 0)
		*mp->b_wptr++ = band;
	putnext(str_wq(sd), mp);
	perim_throttle(str_wq(sd));
	/* The memory is free for other callers when the call returns. */
	str_flush_settle();
	return 0;
}

long str_ioctl_flush(struct stream *sd, const struct file *file,
		     unsigned long what)
{
	return head_flush(sd, file, what, ALL_BANDS);
}

/* I_FLUSHBAND: flushes the band bi_pri on the side bi_flag. */
long str_ioctl_flushband(struct stream *sd, const struct file *file,
			 struct bandinfo __user *arg)
{
	struct bandinfo info;

	if (copy_from_user(&info, arg, sizeof(info)))
		return -EFAULT;
	return head_flush(sd, file, info.bi_flag, info.bi_pri);
}
