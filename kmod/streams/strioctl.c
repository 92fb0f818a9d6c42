// SPDX-License-Identifier: GPL-2.0-only
/*
 * I_STR: an ioctl for a module or the driver
 *
 * One at a time per stream, under sd_ioctl_mutex. The answer is matched by a
 * number, so that one that comes too late is thrown away.
 */
#include <linux/completion.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "flow.h"
#include "head.h"
#include "queue.h"

/* The one under way; sd_ioc points here under the read queue's lock. */
struct stream_ioctl {
	unsigned int id;
	mblk_t *answer;
	struct completion done;
};

/* An M_IOCACK or M_IOCNAK arrived. */
void str_ioctl_reply(struct stream *sd, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	queue_t *q = str_rq(sd);
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	if (MBLKL(mp) >= sizeof(*ioc) && sd->sd_ioc && !sd->sd_ioc->answer &&
	    sd->sd_ioc->id == ioc->ioc_id) {
		sd->sd_ioc->answer = mp;
		complete(&sd->sd_ioc->done);
		mp = NULL;
	}
	spin_unlock_irqrestore(&q->q_lock, flags);
	freemsg(mp);
}

/* A hangup, an error or the close ends the wait. */
void str_ioctl_wake(struct stream *sd)
{
	queue_t *q = str_rq(sd);
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	if (sd->sd_ioc)
		complete(&sd->sd_ioc->done);
	spin_unlock_irqrestore(&q->q_lock, flags);
}

/*
 * The block of an M_IOCTL. It keeps the caller's credentials for as long as a
 * module keeps the message, which may be longer than the caller waits.
 */
struct ioctl_block {
	struct iocblk ioc;
	const struct cred *cred;	/* ioc is the modules' to change */
	frtn_t frtn;
};

static void ioctl_block_free(char *arg)
{
	struct ioctl_block *block = (struct ioctl_block *)arg;

	put_cred(block->cred);
	kfree(block);
}

static mblk_t *ioctl_block_alloc(const struct strioctl *ic, unsigned int id)
{
	struct ioctl_block *block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	mblk_t *mp;

	if (!block)
		return NULL;
	block->ioc.ioc_cmd = ic->ic_cmd;
	block->ioc.ioc_cr = get_current_cred();
	block->ioc.ioc_id = id;
	block->ioc.ioc_count = ic->ic_len;
	block->cred = block->ioc.ioc_cr;
	block->frtn.free_func = ioctl_block_free;
	block->frtn.free_arg = (char *)block;
	mp = esballoc((unsigned char *)&block->ioc, sizeof(block->ioc), BPRI_HI,
		      &block->frtn);
	if (!mp) {
		ioctl_block_free((char *)block);
		return NULL;
	}
	mp->b_wptr += sizeof(block->ioc);
	DB_TYPE(mp) = M_IOCTL;
	return mp;
}

static mblk_t *ioctl_build(const struct strioctl *ic, unsigned int id)
{
	mblk_t *mp, *data;

	mp = ioctl_block_alloc(ic, id);
	if (!mp)
		return ERR_PTR(-ENOSR);
	if (!ic->ic_len)
		return mp;

	data = allocb_gfp(ic->ic_len, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!data) {
		freemsg(mp);
		return ERR_PTR(-ENOSR);
	}
	linkb(mp, data);
	if (copy_from_user(data->b_rptr, (void __user __force *)ic->ic_dp,
			   ic->ic_len)) {
		freemsg(mp);
		return ERR_PTR(-EFAULT);
	}
	data->b_wptr += ic->ic_len;
	return mp;
}

/* What the answer says: its value, its error, its data for the user. */
static int ioctl_answer(mblk_t *mp, struct strioctl *ic)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	char __user *to = (void __user __force *)ic->ic_dp;
	size_t left = ioc->ioc_count, sent = 0;
	const mblk_t *bp;

	if (DB_TYPE(mp) == M_IOCNAK)
		return ioc->ioc_error > 0 && ioc->ioc_error <= MAX_ERRNO ?
		       -ioc->ioc_error : -EINVAL;
	if (ioc->ioc_error > 0)
		return ioc->ioc_error <= MAX_ERRNO ? -ioc->ioc_error : -EINVAL;
	for (bp = mp->b_cont; bp && left; bp = bp->b_cont) {
		size_t n = min_t(size_t, MBLKL(bp), left);

		if (copy_to_user(to + sent, bp->b_rptr, n))
			return -EFAULT;
		sent += n;
		left -= n;
	}
	ic->ic_len = sent;
	return max(ioc->ioc_rval, 0);
}

/* Waits for the answer; seconds -1: for ever. */
static int ioctl_wait(struct stream_ioctl *wait, int seconds)
{
	long timeout = MAX_SCHEDULE_TIMEOUT, left;

	if (seconds >= 0 && seconds < MAX_SCHEDULE_TIMEOUT / HZ)
		timeout = (long)seconds * HZ;
	left = wait_for_completion_interruptible_timeout(&wait->done, timeout);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -ETIME;
}

/* Sends it down and waits; a hangup or an error meanwhile ends that. */
static int ioctl_send(struct stream *sd, const struct strioctl *ic,
		      struct stream_ioctl *wait)
{
	mblk_t *mp;
	int err;

	err = str_take_error(sd, true);
	if (err)
		return err;
	if (READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOREADER))
		return -ENXIO;
	mp = ioctl_build(ic, wait->id);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	putnext(str_wq(sd), mp);
	return ioctl_wait(wait, ic->ic_timout ?: STRTIMOUT);
}

/**
 * str_ioctl_down() - I_STR
 * @sd: the stream head
 * @arg: the user's struct strioctl
 *
 * Return: the value in M_IOCACK; -ETIME after ic_timout, -ENOSR, -EFAULT,
 * -EINVAL, -ENXIO after a hangup, -EINTR, M_IOCNAK's or M_ERROR's value.
 * POSIX.1-2001 ioctl(I_STR).
 */
int str_ioctl_down(struct stream *sd, struct strioctl __user *arg)
{
	struct stream_ioctl wait = { };
	queue_t *q = str_rq(sd);
	struct strioctl ic;
	int err;

	if (copy_from_user(&ic, arg, sizeof(ic)))
		return -EFAULT;
	if (ic.ic_len < 0 || ic.ic_len > STRMSGSZ || ic.ic_timout < -1)
		return -EINVAL;

	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	wait.id = ++sd->sd_ioc_id;
	init_completion(&wait.done);

	/* Before the look at the stream's state, or its change might be missed. */
	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = &wait;
	spin_unlock_irq(&q->q_lock);
	err = ioctl_send(sd, &ic, &wait);
	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = NULL;
	spin_unlock_irq(&q->q_lock);

	if (wait.answer) {
		err = ioctl_answer(wait.answer, &ic);
		freemsg(wait.answer);
		if (err >= 0 && copy_to_user(arg, &ic, sizeof(ic)))
			err = -EFAULT;
	} else if (!err) {
		err = str_take_error(sd, true) ?: -ENXIO;
	}
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/**
 * str_ioctl_alloc() - make an ioctl that the executive sends by itself
 * @cmd: the command
 * @data: what comes with it
 * @len: bytes of that
 *
 * Return: the M_IOCTL, with the caller's credentials; NULL: memory is short.
 */
mblk_t *str_ioctl_alloc(int cmd, const void *data, size_t len)
{
	const struct strioctl ic = { .ic_cmd = cmd, .ic_len = len };
	mblk_t *mp = ioctl_block_alloc(&ic, 0), *bp;

	if (!mp)
		return NULL;
	bp = allocb_gfp(len, GFP_KERNEL_ACCOUNT);
	if (!bp) {
		freemsg(mp);
		return NULL;
	}
	memcpy(bp->b_wptr, data, len);
	bp->b_wptr += len;
	linkb(mp, bp);
	return mp;
}

/**
 * str_ioctl_send() - send such an ioctl down and wait for the answer
 * @sd: the stream head; its sd_ioctl_mutex is the caller's
 * @mp: the M_IOCTL; the caller has it no more
 * @force: whatever state the stream is in, and signals do not end the wait
 *
 * Context: may sleep, STRTIMOUT seconds at most.
 * Return: as str_ioctl_down().
 */
int str_ioctl_send(struct stream *sd, mblk_t *mp, bool force)
{
	struct stream_ioctl wait = { .id = ++sd->sd_ioc_id };
	struct strioctl ic = { };
	queue_t *q = str_rq(sd);
	int err = 0;

	init_completion(&wait.done);
	((struct iocblk *)mp->b_rptr)->ioc_id = wait.id;
	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = &wait;
	spin_unlock_irq(&q->q_lock);

	if (!force)
		err = str_take_error(sd, true);
	if (!force && !err && READ_ONCE(sd->sd_flag) & STR_HUP)
		err = -ENXIO;
	if (err) {
		freemsg(mp);
	} else {
		putnext(str_wq(sd), mp);
		if (force)
			wait_for_completion_timeout(&wait.done, STRTIMOUT * HZ);
		else
			err = ioctl_wait(&wait, STRTIMOUT);
	}
	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = NULL;
	spin_unlock_irq(&q->q_lock);

	if (wait.answer) {
		((struct iocblk *)wait.answer->b_rptr)->ioc_count = 0;
		err = ioctl_answer(wait.answer, &ic);
		freemsg(wait.answer);
	} else if (!err) {
		err = str_take_error(sd, true) ?: -ENXIO;
	}
	return err;
}
