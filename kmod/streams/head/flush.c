// SPDX-License-Identifier: GPL-2.0-only
/* Dropping queued messages: I_FLUSH, I_FLUSHBAND, M_FLUSH at the head */
#include <linux/uaccess.h>

#include "streams/message/mblk.h"
#include "streams/perim/perim.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "files.h"
#include "flush.h"
#include "ring.h"
#include "signal.h"
#include "wake.h"

#define ALL_BANDS	(-1)

/*
 * Drops the messages on the read queue, FLUSHALL or FLUSHDATA, of one band (0:
 * with high priority) or of all, -1; a message being read is dropped later.
 */
void str_flush(struct stream *sd, int what, int band)
{
	queue_t *q = str_rq(sd);
	mblk_t *mp, *next, *gone = NULL;
	bool want = false, bared = false, signal;
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	for (mp = q->q_first; mp; mp = next) {
		next = mp->b_next;
		if (band >= 0 && mp->b_band != band)
			continue;
		if (mp == sd->sd_reading) {
			sd->sd_flag |= STR_FLUSHED;
			continue;
		}
		/* A passed file is there to be received, as data to be read. */
		if (what == FLUSHDATA && !datamsg(DB_TYPE(mp)) &&
		    DB_TYPE(mp) != M_PASSFP)
			continue;
		bared |= msg_hipri(mp);
		want |= __rmvq(q, mp);
		mp->b_next = gone;
		gone = mp;
	}
	signal = str_signal_first(q);
	spin_unlock_irqrestore(&q->q_lock, flags);
	str_free_list(gone);
	if (want)
		backenable(q, 0);
	if (unlikely(signal))
		str_front(sd);
	if (bared)
		str_bared(sd);
}

/*
 * Flushes the data to read of a band, or of all: 0, or -ERESTARTSYS. Context: may
 * sleep.
 */
static int drop(struct stream *sd, int band)
{
	if (band <= 0 && str_ring_flush(sd))
		return -ERESTARTSYS;
	str_flush(sd, FLUSHALL, band);
	return 0;
}

/* Drops all there is to read, after the last close. Context: may sleep. */
void str_drop(struct stream *sd)
{
	str_ring_drop(sd);
	str_flush(sd, FLUSHALL, ALL_BANDS);
}
EXPORT_SYMBOL_GPL(str_drop);

/* M_FLUSH: the read side here, then the write side on the message's way back. */
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
		str_flush(q->q_stream, FLUSHDATA, band);
	if ((*mp->b_rptr & FLUSHW) && !(mp->b_flag & MSGNOLOOP)) {
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

/* Whether nothing is between the ends of a pipe that could hold messages. */
static bool bare_pipe(const struct stream *sd)
{
	return sd->sd_mate && !READ_ONCE(sd->sd_npush) &&
	       !READ_ONCE(sd->sd_mate->sd_npush);
}

static long head_flush(struct stream *sd, const struct file *file,
		       unsigned long what, int band)
{
	bool changes = str_file_changes(file);
	mblk_t *mp;
	int err = 0;

	if (what != FLUSHR && what != FLUSHW && what != FLUSHRW)
		return -EINVAL;
	if (what & FLUSHW && !changes)
		return -EACCES;
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	/*
	 * Without pipemod a message would flush the data the other end reads.
	 */
	if (!changes)
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
	return 0;
}

long str_ioctl_flush(struct stream *sd, const struct file *file,
		     unsigned long what)
{
	return head_flush(sd, file, what, ALL_BANDS);
}

/* I_FLUSHBAND: bi_flag is the side, bi_pri the band. */
long str_ioctl_flushband(struct stream *sd, const struct file *file,
			 struct bandinfo __user *arg)
{
	struct bandinfo info;

	if (copy_from_user(&info, arg, sizeof(info)))
		return -EFAULT;
	return head_flush(sd, file, info.bi_flag, info.bi_pri);
}
