// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream head's options: set by ioctls, and by M_SETOPTS from below
 *
 * Accepted without effect are SO_ISTTY, SO_ISNTTY, SO_TOSTOP and SO_TONSTOP,
 * as no stream is a controlling terminal here; SO_NDELON and SO_NDELOFF, as
 * Linux has one flag for O_NDELAY and O_NONBLOCK, and a read() that finds no
 * data has to differ from the end of the file; and SO_COPYOPT, a hint.
 */
#include <linux/uaccess.h>

#include "option.h"

#define READ_MODES	(RMSGD | RMSGN)
#define READ_PROTS	(RPROTDAT | RPROTDIS | RPROTNORM)
#define READ_OPTIONS	(READ_MODES | READ_PROTS | RFLUSHPCPROT | RFILL)
#define WRITE_OPTIONS	(SNDZERO | SNDPIPE | SNDHOLD | SNDMREAD)
#define RERR_OPTIONS	(RERRNORM | RERRNONPERSIST)
#define WERR_OPTIONS	(WERRNORM | WERRNONPERSIST)

/*
 * Returns whether there is at most one read mode, and one mode for control
 * parts; without one the default applies.
 */
static bool read_options_ok(unsigned long opt)
{
	return !(opt & ~READ_OPTIONS) && (opt & READ_MODES) != READ_MODES &&
	       hweight_long(opt & READ_PROTS) <= 1;
}

/* Sets options under q_lock; those not mentioned keep their current value. */
static void set_read_options(struct stream *sd, unsigned int opt)
{
	lockdep_assert_held(&str_rq(sd)->q_lock);
	if (!(opt & READ_PROTS))
		opt |= sd->sd_ropt & READ_PROTS;
	WRITE_ONCE(sd->sd_ropt, opt);
}

static bool error_options_ok(unsigned long opt)
{
	return !(opt & ~(RERR_OPTIONS | WERR_OPTIONS)) &&
	       (opt & RERR_OPTIONS) != RERR_OPTIONS &&
	       (opt & WERR_OPTIONS) != WERR_OPTIONS;
}

static void set_error_options(struct stream *sd, unsigned int opt)
{
	lockdep_assert_held(&str_rq(sd)->q_lock);
	if (!(opt & RERR_OPTIONS))
		opt |= sd->sd_eropt & RERR_OPTIONS;
	if (!(opt & WERR_OPTIONS))
		opt |= sd->sd_eropt & WERR_OPTIONS;
	WRITE_ONCE(sd->sd_eropt, opt);
}

long str_ioctl_srdopt(struct stream *sd, unsigned long opt)
{
	queue_t *q = str_rq(sd);

	if (!read_options_ok(opt))
		return -EINVAL;
	spin_lock_irq(&q->q_lock);
	set_read_options(sd, opt);
	spin_unlock_irq(&q->q_lock);
	return 0;
}

long str_ioctl_swropt(struct stream *sd, unsigned long opt)
{
	queue_t *q = str_rq(sd);

	if (opt & ~WRITE_OPTIONS)
		return -EINVAL;
	spin_lock_irq(&q->q_lock);
	WRITE_ONCE(sd->sd_wopt, opt);
	spin_unlock_irq(&q->q_lock);
	return 0;
}

long str_ioctl_serropt(struct stream *sd, unsigned long opt)
{
	queue_t *q = str_rq(sd);

	if (!error_options_ok(opt))
		return -EINVAL;
	spin_lock_irq(&q->q_lock);
	set_error_options(sd, opt);
	spin_unlock_irq(&q->q_lock);
	return 0;
}

/*
 * I_SETCLTIME: sets how long close() waits for the output that is not sent yet,
 * for each queue.
 */
long str_ioctl_setcltime(struct stream *sd, const int __user *arg)
{
	struct str_more *more;
	int ms;

	if (get_user(ms, arg))
		return -EFAULT;
	if (ms < 0)
		return -EINVAL;
	more = str_more(sd, GFP_KERNEL_ACCOUNT);
	if (!more)
		return -ENOSR;
	WRITE_ONCE(more->cltime, min(ms, STRCLTIME_MOST));
	return 0;
}

long str_ioctl_getcltime(struct stream *sd, int __user *arg)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	return put_user(more ? READ_ONCE(more->cltime) : STRCLTIME, arg);
}

/* Sets the options kept in one byte or bit of the head, under q_lock. */
static void setopts_head(struct stream *sd, const struct stroptions *so)
{
	unsigned int wopt = sd->sd_wopt;

	lockdep_assert_held(&str_rq(sd)->q_lock);
	if (so->so_flags & SO_READOPT &&
	    read_options_ok((unsigned short)so->so_readopt))
		set_read_options(sd, so->so_readopt);
	if (so->so_flags & SO_ERROPT && error_options_ok(so->so_erropt))
		set_error_options(sd, so->so_erropt);
	if (so->so_flags & SO_STRHOLD)
		wopt |= SNDHOLD;
	if (so->so_flags & SO_MREADON)
		wopt |= SNDMREAD;
	if (so->so_flags & SO_MREADOFF)
		wopt &= ~SNDMREAD;
	WRITE_ONCE(sd->sd_wopt, wopt);
	if (so->so_flags & SO_DELIM)
		sd->sd_flag |= STR_DELIM;
	if (so->so_flags & SO_NODELIM)
		sd->sd_flag &= ~STR_DELIM;
}

/* Sets options for the allocation of written messages. */
static void setopts_blocks(struct stream *sd, const struct stroptions *so)
{
	if (so->so_flags & SO_WROFF)
		WRITE_ONCE(sd->sd_wroff,
			   min_t(unsigned int, so->so_wroff, PAGE_SIZE));
	if (so->so_flags & SO_TAIL)
		WRITE_ONCE(sd->sd_tail,
			   min_t(unsigned int, so->so_tail, PAGE_SIZE));
	/* INFPSZ and invalid sizes mean only the system's limit. */
	if (so->so_flags & SO_MAXBLK)
		WRITE_ONCE(sd->sd_maxblk,
			   so->so_maxblk > 0 && so->so_maxblk < STRMSGSZ ?
			   so->so_maxblk : 0);
}

/* Sets options of the read queue, of a band or of band 0. */
static void setopts_queue(queue_t *q, const struct stroptions *so)
{
	unsigned char band = so->so_flags & SO_BAND ? so->so_band : 0;

	if (so->so_flags & SO_MINPSZ)
		strqset(q, QMINPSZ, 0, so->so_minpsz);
	if (so->so_flags & SO_MAXPSZ)
		strqset(q, QMAXPSZ, 0, so->so_maxpsz);
	if (so->so_flags & SO_HIWAT)
		strqset(q, QHIWAT, band, so->so_hiwat);
	if (so->so_flags & SO_LOWAT)
		strqset(q, QLOWAT, band, so->so_lowat);
}

/* Handles M_SETOPTS; a message that is too short is dropped. */
void str_rput_setopts(struct stream *sd, mblk_t *mp)
{
	const struct stroptions *so = (struct stroptions *)mp->b_rptr;
	queue_t *q = str_rq(sd);
	unsigned long flags;

	if (MBLKL(mp) >= sizeof(*so)) {
		spin_lock_irqsave(&q->q_lock, flags);
		setopts_head(sd, so);
		spin_unlock_irqrestore(&q->q_lock, flags);
		setopts_blocks(sd, so);
		setopts_queue(q, so);
	}
	freemsg(mp);
}
