// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transparent ioctls: commands that the stream head does not know
 *
 * Such a command is sent down as an M_IOCTL with its argument. The module or
 * driver that knows it asks for the data that the argument points to by
 * M_COPYIN, returns data by M_COPYOUT, and gets an M_IOCDATA for each. The
 * caller, which waits here, does the copying. An M_COPYIN that arrives when no
 * caller waits any more is answered by an M_IOCDATA that reports failure,
 * since the module's state for the ioctl is in cq_private.
 */
#include <linux/uaccess.h>

#include "streams/head/ioc.h"
#include "streams/head/rights.h"
#include "streams/message/mblk.h"
#include "copyio.h"

/* Returns whether there is a module or a driver that may know the command. */
static bool can_be_answered(const struct stream *sd)
{
	return sd->sd_drv || READ_ONCE(sd->sd_npush) ||
	       (sd->sd_mate && READ_ONCE(sd->sd_mate->sd_npush));
}

/* Handles M_COPYIN: returns the user's bytes at an address, as a message. */
static mblk_t *copy_in(const struct copyreq *req)
{
	mblk_t *data;

	if (req->cq_size > STRMSGSZ)
		return ERR_PTR(-EINVAL);
	data = allocb_gfp(req->cq_size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!data)
		return ERR_PTR(-ENOSR);
	if (copy_from_user(data->b_wptr, (void __user __force *)req->cq_addr,
			   req->cq_size)) {
		freeb(data);
		return ERR_PTR(-EFAULT);
	}
	data->b_wptr += req->cq_size;
	return data;
}

/* Handles M_COPYOUT: copies a message's bytes to an address of the user's. */
static int copy_out(const struct copyreq *req, const mblk_t *bp)
{
	char __user *to = (char __user __force *)req->cq_addr;
	size_t left = req->cq_size;

	/*
	 * The size is limited to the block: the user would else get memory
	 * beyond it.
	 */
	if (left > STRMSGSZ || left > (bp ? msgsize(bp) : 0))
		return -EINVAL;
	for (; left; bp = bp->b_cont) {
		size_t n = min(mblk_len(bp), left);

		if (copy_to_user(to, bp->b_rptr, n))
			return -EFAULT;
		to += n;
		left -= n;
	}
	return 0;
}

/*
 * Returns an M_COPYIN's block, or a copy that M_IOCDATA can be made of; or
 * NULL.
 */
static mblk_t *copy_block(mblk_t *mp)
{
	const struct copyreq *req = (struct copyreq *)mp->b_rptr;
	mblk_t *nmp;

	if (str_iocblk_cred(mp) && DB_REF(mp) == 1)
		return mp;
	/*
	 * A module may have made a new block, without the caller's
	 * credentials.
	 */
	nmp = str_iocblk_alloc(req->cq_cmd, 0, req->cq_id, req->cq_flag);
	if (nmp) {
		*(struct copyreq *)nmp->b_rptr = *req;
		nmp->b_wptr = nmp->b_rptr + sizeof(*req);
		freeb(mp);
	}
	return nmp;
}

/*
 * Does what an M_COPYIN or M_COPYOUT asks for, and answers it. An error ends
 * the ioctl; the answer informs the module, which sends no other.
 */
static int copy_do(struct stream *sd, mblk_t *mp, int model)
{
	const struct copyreq *req = (struct copyreq *)mp->b_rptr;
	mblk_t *data = mp->b_cont, *in = NULL, *answer;
	int err;

	mp->b_cont = NULL;
	if (DB_TYPE(mp) == M_COPYOUT) {
		err = copy_out(req, data);
	} else {
		in = copy_in(req);
		err = PTR_ERR_OR_ZERO(in);
	}
	freemsg(data);
	answer = copy_block(mp);
	if (!answer) {
		err = -ENOSR;
		answer = mp;
	}
	if (!str_copy_respond(answer, -err)) {
		freemsg(answer);
		answer = NULL;
	}
	if (err || !answer) {
		if (!IS_ERR(in))
			freemsg(in);
	} else {
		answer->b_cont = in;
	}
	if (answer) {
		/*
		 * A module's changes of the flags are not passed on to the
		 * caller.
		 */
		((struct copyresp *)answer->b_rptr)->cp_flag = model;
		/*
		 * The answer is sent down in any case: after a hangup the
		 * driver has to clean up as well.
		 */
		putnext(str_wq(sd), answer);
	}
	return err;
}

static long copyio_transparent(struct stream *sd, unsigned int cmd, unsigned long arg,
			       int model, struct stream_ioctl *wait)
{
	mblk_t *mp, *data;
	int ret;

	mp = str_iocblk_alloc(cmd, TRANSPARENT, wait->id, model);
	if (!mp)
		return -ENOSR;
	data = allocb_gfp(sizeof(arg), GFP_KERNEL_ACCOUNT);
	if (!data) {
		freemsg(mp);
		return -ENOSR;
	}
	*(unsigned long *)data->b_wptr = arg;
	data->b_wptr += sizeof(arg);
	linkb(mp, data);
	ret = str_ioctl_send(sd, mp);
	while (!ret) {
		mp = str_ioctl_wait(sd, wait, -1);
		if (IS_ERR(mp))
			return PTR_ERR(mp);
		if (DB_TYPE(mp) == M_IOCACK || DB_TYPE(mp) == M_IOCNAK) {
			ret = str_ioctl_value(mp);
			freemsg(mp);
			return ret;
		}
		ret = copy_do(sd, mp, model);
	}
	return ret;
}

/**
 * str_ioctl_transparent() - an ioctl for a module or the driver
 * @sd: the stream head
 * @file: the file that the ioctl is called on
 * @cmd: a command that the stream head does not know
 * @arg: its argument
 * @model: IOC_NATIVE or IOC_ILP32, the caller's
 *
 * On a pipe without modules no code can know it, and nothing is sent. The
 * caller waits as long as it takes, or until a signal.
 *
 * Return: the value in M_IOCACK; -ENOTTY without a module or driver; -EACCES
 * when the file may not change the stream; -EINVAL when no module or driver knew the
 * command, or a copy was of more than 65,536 bytes; -EFAULT, -ENOSR, -ENXIO after a
 * hangup, -EINTR, M_IOCNAK's or M_ERROR's value.
 * SVR4.2 STREAMS Programmer's Guide, transparent ioctls.
 */
long str_ioctl_transparent(struct stream *sd, const struct file *file,
			   unsigned int cmd, unsigned long arg, int model)
{
	struct stream_ioctl wait;
	long ret;

	if (!can_be_answered(sd))
		return -ENOTTY;
	/* On a pipe with one end left no module answers, whatever is pushed. */
	if (!sd->sd_drv && READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOREADER))
		return -ENOTTY;
	ret = str_may_change(file) ?: str_ioctl_begin(sd, &wait);
	if (ret)
		return ret;
	ret = copyio_transparent(sd, cmd, arg, model, &wait);
	str_ioctl_end(sd, &wait);
	return ret;
}
