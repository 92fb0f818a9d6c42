// SPDX-License-Identifier: GPL-2.0-only
/* I_STR: an ioctl for a module or the driver */
#include <linux/uaccess.h>

#include "streams/head/ioc.h"
#include "streams/message/mblk.h"
#include "strioctl.h"

static mblk_t *ioctl_build(const struct strioctl *ic, unsigned int id,
			   int model)
{
	mblk_t *mp, *data;

	mp = str_iocblk_alloc(ic->ic_cmd, ic->ic_len, id, model);
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

/* Takes the answer's value, error and data for the user. */
static int ioctl_answer(mblk_t *mp, struct strioctl *ic)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	char __user *to = (void __user __force *)ic->ic_dp;
	size_t left = ioc->ioc_count, sent = 0;
	int value = str_ioctl_value(mp);
	const mblk_t *bp;

	if (value < 0)
		return value;
	for (bp = mp->b_cont; bp && left; bp = bp->b_cont) {
		size_t n = min_t(size_t, mblk_len(bp), left);

		if (copy_to_user(to + sent, bp->b_rptr, n))
			return -EFAULT;
		sent += n;
		left -= n;
	}
	ic->ic_len = sent;
	return value;
}

static int ioctl_str(struct stream *sd, struct strioctl *ic,
		     struct stream_ioctl *wait, int model)
{
	mblk_t *mp = ioctl_build(ic, wait->id, model);
	int ret;

	if (IS_ERR(mp))
		return PTR_ERR(mp);
	ret = str_ioctl_send(sd, mp);
	if (ret)
		return ret;
	mp = str_ioctl_wait(sd, wait, ic->ic_timout ?: STRTIMOUT);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	if (str_is_copy(mp)) {
		/* The data is in the message, and need not be copied. */
		str_copy_late(str_rq(sd), mp);
		return -EINVAL;
	}
	ret = ioctl_answer(mp, ic);
	freemsg(mp);
	return ret;
}

/*
 * Returns whether only the executive may send a command: one that names queues
 * by address.
 */
static bool is_link(int cmd)
{
	return cmd == I_LINK || cmd == I_UNLINK || cmd == I_PLINK ||
	       cmd == I_PUNLINK;
}

/*
 * Performs I_STR with the structure in the kernel; its ic_len becomes that of the answer;
 * model: IOC_NATIVE or IOC_ILP32, the caller's.
 */
int str_ioctl_str(struct stream *sd, struct strioctl *ic, int model)
{
	struct stream_ioctl wait;
	int err;

	if (ic->ic_len < 0 || ic->ic_len > STRMSGSZ || ic->ic_timout < -1 ||
	    is_link(ic->ic_cmd))
		return -EINVAL;
	err = str_ioctl_begin(sd, &wait);
	if (err)
		return err;
	err = ioctl_str(sd, ic, &wait, model);
	str_ioctl_end(sd, &wait);
	return err;
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
	struct strioctl ic;
	int ret;

	if (copy_from_user(&ic, arg, sizeof(ic)))
		return -EFAULT;
	ret = str_ioctl_str(sd, &ic, IOC_NATIVE);
	if (ret >= 0 && put_user(ic.ic_len, &arg->ic_len))
		return -EFAULT;
	return ret;
}
