// SPDX-License-Identifier: GPL-2.0-only
/*
 * An ioctl under way to a module or the driver
 *
 * One at a time per stream, under sd_ioctl_mutex. The answer is matched by a
 * number, so that one that comes too late is dropped.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "streams/message/mblk.h"
#include "ioc.h"

/*
 * Turns an M_COPYIN or M_COPYOUT, in place, into the M_IOCDATA that answers it;
 * error 0: all was copied. Returns false if the block has no room, or is
 * shared.
 */
bool str_copy_respond(mblk_t *mp, int error)
{
	struct copyreq req = *(struct copyreq *)mp->b_rptr;
	struct copyresp *resp = (struct copyresp *)mp->b_rptr;

	if (DB_REF(mp) > 1 ||
	    DB_LIM(mp) - mp->b_rptr < (ptrdiff_t)sizeof(*resp))
		return false;
	*resp = (struct copyresp){
		.cp_cmd = req.cq_cmd,
		/*
		 * The credentials in a block made elsewhere are not kept
		 * alive.
		 */
		.cp_cr = str_iocblk_cred(mp),
		.cp_id = req.cq_id,
		.cp_rval = (char *)(long)error,
		.cp_flag = req.cq_flag,
		.cp_private = req.cq_private,
	};
	mp->b_wptr = mp->b_rptr + sizeof(*resp);
	DB_TYPE(mp) = M_IOCDATA;
	return true;
}

/* Answers an M_COPYIN or M_COPYOUT whose caller no longer waits. */
void str_copy_late(queue_t *q, mblk_t *mp)
{
	mblk_t *data = mp->b_cont;

	mp->b_cont = NULL;
	freemsg(data);
	if (str_copy_respond(mp, EINTR))
		qreply(q, mp);
	else
		freemsg(mp);
}

/* Handles an M_IOCACK, M_IOCNAK, M_COPYIN or M_COPYOUT that arrived. */
void str_ioctl_reply(struct stream *sd, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	queue_t *q = str_rq(sd);
	unsigned long flags;

	if (MBLKL(mp) < (str_is_copy(mp) ? sizeof(struct copyreq) : sizeof(*ioc))) {
		freemsg(mp);
		return;
	}
	spin_lock_irqsave(&q->q_lock, flags);
	if (sd->sd_ioc && !sd->sd_ioc->answer &&
	    sd->sd_ioc->id == ioc->ioc_id) {
		sd->sd_ioc->answer = mp;
		complete(&sd->sd_ioc->done);
		mp = NULL;
	}
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (!mp)
		return;
	if (str_is_copy(mp))
		str_copy_late(q, mp);
	else
		freemsg(mp);
}

/*
 * The block of an M_IOCTL, and of the M_IOCDATA that it becomes. It keeps the
 * caller's credentials for as long as a module keeps the message, which may be
 * longer than the caller waits.
 */
struct ioctl_block {
	union {
		struct iocblk ioc;
		struct copyreq req;
		struct copyresp resp;
	};
	const struct cred *cred;	/* the rest is the modules' to change */
	frtn_t frtn;
};

static void ioctl_block_free(char *arg)
{
	struct ioctl_block *block = (struct ioctl_block *)arg;

	put_cred(block->cred);
	kfree(block);
}

mblk_t *str_iocblk_alloc(int cmd, size_t count, unsigned int id, int model)
{
	struct ioctl_block *block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	mblk_t *mp;

	if (!block)
		return NULL;
	block->ioc.ioc_cmd = cmd;
	block->ioc.ioc_cr = get_current_cred();
	block->ioc.ioc_id = id;
	block->ioc.ioc_count = count;
	block->ioc.ioc_flag = model;
	block->cred = block->ioc.ioc_cr;
	block->frtn.free_func = ioctl_block_free;
	block->frtn.free_arg = (char *)block;
	mp = esballoc((unsigned char *)block, offsetof(struct ioctl_block, cred),
		      BPRI_HI, &block->frtn);
	if (!mp) {
		ioctl_block_free((char *)block);
		return NULL;
	}
	mp->b_wptr += sizeof(block->ioc);
	DB_TYPE(mp) = M_IOCTL;
	return mp;
}

cred_t *str_iocblk_cred(const mblk_t *mp)
{
	const dblk_t *d = mp->b_datap;

	if (d->db_form != DB_EXTERNAL ||
	    d->db_frtnp->free_func != ioctl_block_free)
		return NULL;
	return container_of(d->db_frtnp, struct ioctl_block, frtn)->cred;
}

int str_ioctl_value(const mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_error > 0 && ioc->ioc_error <= MAX_ERRNO)
		return -ioc->ioc_error;
	/* An M_IOCNAK without an error is an error all the same. */
	if (ioc->ioc_error > 0 || DB_TYPE(mp) != M_IOCACK)
		return -EINVAL;
	return max(ioc->ioc_rval, 0);
}

/* Makes the ioctl the current one; the caller holds sd_ioctl_mutex. */
static void ioctl_start(struct stream *sd, struct stream_ioctl *wait)
{
	queue_t *q = str_rq(sd);

	lockdep_assert_held(&sd->sd_ioctl_mutex);
	wait->id = ++sd->sd_ioc_id;
	wait->answer = NULL;
	init_completion(&wait->done);

	/*
	 * The caller looks at the stream's state after this, or a change might
	 * be missed.
	 */
	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = wait;
	spin_unlock_irq(&q->q_lock);
}

static mblk_t *take_answer(struct stream *sd, struct stream_ioctl *wait)
{
	queue_t *q = str_rq(sd);
	mblk_t *mp;

	spin_lock_irq(&q->q_lock);
	mp = wait->answer;
	wait->answer = NULL;
	spin_unlock_irq(&q->q_lock);
	return mp;
}

static void ioctl_finish(struct stream *sd, struct stream_ioctl *wait)
{
	queue_t *q = str_rq(sd);
	mblk_t *late;

	spin_lock_irq(&q->q_lock);
	sd->sd_ioc = NULL;
	late = wait->answer;
	spin_unlock_irq(&q->q_lock);
	if (late && str_is_copy(late))
		str_copy_late(q, late);
	else
		freemsg(late);
}

int str_ioctl_begin(struct stream *sd, struct stream_ioctl *wait)
{
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	ioctl_start(sd, wait);
	return 0;
}

void str_ioctl_end(struct stream *sd, struct stream_ioctl *wait)
{
	ioctl_finish(sd, wait);
	mutex_unlock(&sd->sd_ioctl_mutex);
}

/* Sends mp down if the stream is not broken; else frees it. */
int str_ioctl_send(struct stream *sd, mblk_t *mp)
{
	int err = str_take_error(sd, true);

	if (!err && READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOREADER))
		err = -ENXIO;
	if (err) {
		freemsg(mp);
		return err;
	}
	putnext(str_wq(sd), mp);
	/*
	 * The caller may give up this ioctl and send another at once,
	 * repeatedly.
	 */
	perim_throttle(str_wq(sd));
	if (sd->sd_drv && sd->sd_drv->sent)
		sd->sd_drv->sent(sd);
	return 0;
}

mblk_t *str_ioctl_wait(struct stream *sd, struct stream_ioctl *wait,
		       int seconds)
{
	long timeout = MAX_SCHEDULE_TIMEOUT, left;
	mblk_t *mp;

	if (seconds >= 0 && seconds < MAX_SCHEDULE_TIMEOUT / HZ)
		timeout = (long)seconds * HZ;
	left = wait_for_completion_interruptible_timeout(&wait->done, timeout);
	/* An answer that came in time counts, whatever else came with it. */
	mp = take_answer(sd, wait);
	if (mp)
		return mp;
	if (left < 0)
		return ERR_PTR(-EINTR);
	if (!left)
		return ERR_PTR(-ETIME);
	return ERR_PTR(str_take_error(sd, true) ?:
		       str_take_error(sd, false) ?: -ENXIO);
}

/**
 * str_ioctl_alloc() - make an ioctl that the executive sends by itself
 * @cmd: the command
 * @data: the data that comes with it
 * @len: bytes of that
 *
 * Return: the M_IOCTL, with the caller's credentials; NULL: memory is short.
 */
mblk_t *str_ioctl_alloc(int cmd, const void *data, size_t len)
{
	mblk_t *mp = str_iocblk_alloc(cmd, len, 0, IOC_NONE), *bp;

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

static enum str_ioctl_fate answer_fate(const mblk_t *mp)
{
	if (!mp)
		return STR_IOCTL_SILENT;
	if (DB_TYPE(mp) == M_IOCNAK &&
	    ((const struct iocblk *)mp->b_rptr)->ioc_error == EINVAL)
		return STR_IOCTL_UNKNOWN;
	return STR_IOCTL_ANSWERED;
}

/*
 * Returns the result in the answer to an ioctl of the executive, which is over.
 */
static int run_over(struct stream *sd, struct stream_ioctl *wait, mblk_t *mp)
{
	int ret;

	if (IS_ERR(mp)) {
		ret = PTR_ERR(mp);
	} else if (str_is_copy(mp)) {
		str_copy_late(str_rq(sd), mp);
		ret = -EINVAL;
	} else {
		ret = str_ioctl_value(mp);
		freemsg(mp);
	}
	ioctl_finish(sd, wait);
	return ret;
}

/**
 * str_ioctl_run() - send such an ioctl down and wait for the answer
 * @sd: the stream head; its sd_ioctl_mutex is the caller's
 * @mp: the M_IOCTL; consumed
 * @fate: set to its result
 *
 * Context: may sleep, STRTIMOUT seconds at most.
 * Return: as str_ioctl_down().
 */
int str_ioctl_run(struct stream *sd, mblk_t *mp, enum str_ioctl_fate *fate)
{
	struct stream_ioctl wait;
	int err;

	ioctl_start(sd, &wait);
	((struct iocblk *)mp->b_rptr)->ioc_id = wait.id;
	err = str_ioctl_send(sd, mp);
	mp = err ? ERR_PTR(err) : str_ioctl_wait(sd, &wait, STRTIMOUT);
	*fate = err ? STR_IOCTL_UNSENT : answer_fate(IS_ERR(mp) ? NULL : mp);
	return run_over(sd, &wait, mp);
}

/**
 * str_ioctl_force() - send one down in whatever state the stream is
 * @sd: the stream head; its sd_ioctl_mutex is the caller's
 * @mp: the M_IOCTL; consumed
 * @patience: jiffies to wait for the answer; 0: it comes at once or never
 * @fate: set to its result
 *
 * Context: may sleep, @patience at most; only a signal that kills ends it before.
 * Return: the value in M_IOCACK; -ETIME, or M_IOCNAK's value.
 */
int str_ioctl_force(struct stream *sd, mblk_t *mp, unsigned long patience,
		    enum str_ioctl_fate *fate)
{
	struct stream_ioctl wait;
	long left = patience;

	ioctl_start(sd, &wait);
	((struct iocblk *)mp->b_rptr)->ioc_id = wait.id;
	putnext(str_wq(sd), mp);
	/* A hangup wakes as well. */
	while (!(mp = take_answer(sd, &wait)) && left > 0)
		left = wait_for_completion_killable_timeout(&wait.done, left);
	*fate = answer_fate(mp);
	return run_over(sd, &wait, mp ?: ERR_PTR(-ETIME));
}
