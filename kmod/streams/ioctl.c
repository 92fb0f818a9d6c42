// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctl() on a stream: those that the stream head answers
 *
 * Errors and rules are those of POSIX.1-2001 ioctl(), on a stream.
 */
#include <linux/uaccess.h>
#include <asm/ioctls.h>

#include "copy.h"
#include "flow.h"
#include "head.h"
#include "queue.h"
#include "ring.h"

static long ioctl_nread(struct stream *sd, int __user *arg)
{
	queue_t *q = str_rq(sd);
	size_t bytes = 0;
	long msgs = 0;
	mblk_t *mp;

	spin_lock_irq(&q->q_lock);
	if (q->q_first)
		bytes = msgdsize(q->q_first);
	for (mp = q->q_first; mp; mp = mp->b_next)
		msgs++;
	spin_unlock_irq(&q->q_lock);
	return put_user((int)min_t(size_t, bytes, INT_MAX), arg) ?:
	       min_t(long, msgs, INT_MAX);
}

/* All bytes of data that can be read, as FIONREAD on a Linux pipe. */
static long ioctl_fionread(struct stream *sd, int __user *arg)
{
	return put_user((int)min_t(size_t, str_bytes(sd), INT_MAX), arg);
}

/* A module's name from the user; too long a name is no module's. */
static int get_name(char *name, const char __user *arg)
{
	long len = strncpy_from_user(name, arg, STRNAMESZ);

	if (len < 0)
		return -EFAULT;
	return len && len < STRNAMESZ ? 0 : -EINVAL;
}

/* As much of a module's name as System V programs have room for, or all. */
static int put_name(char __user *arg, const char *name)
{
	return copy_to_user(arg, name, strlen(name) + 1) ? -EFAULT : 0;
}

static long ioctl_push(struct stream *sd, struct file *file,
		       const char __user *arg)
{
	char name[STRNAMESZ];
	long err;

	err = get_name(name, arg);
	if (err)
		return err;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	err = str_push(sd, name, file->f_flags);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

static long ioctl_pop(struct stream *sd, struct file *file)
{
	long err;

	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	err = str_pop(sd, file->f_flags);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

static long ioctl_look(struct stream *sd, char __user *arg)
{
	char name[STRNAMESZ] = "";

	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	if (sd->sd_npush)
		strscpy(name, str_queue_name(str_module_below(str_wq(sd))),
			sizeof(name));
	mutex_unlock(&sd->sd_ioctl_mutex);
	return *name ? put_name(arg, name) : -EINVAL;
}

static long ioctl_find(struct stream *sd, const char __user *arg)
{
	char name[STRNAMESZ];
	queue_t *q;
	long ret;
	int n;

	ret = get_name(name, arg);
	if (ret)
		return ret;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	q = str_wq(sd);
	for (n = sd->sd_npush; n && !ret; n--) {
		q = str_module_below(q);
		ret = !strcmp(name, str_queue_name(q));
	}
	mutex_unlock(&sd->sd_ioctl_mutex);
	return ret;
}

/* The names from the top down, the driver's last. */
static long list_names(struct stream *sd, struct str_mlist __user *to, int room)
{
	queue_t *q = str_wq(sd);
	int n = 0;

	while ((q = str_module_below(q))) {
		struct str_mlist name = { };

		if (n < room) {
			strscpy(name.l_name, str_queue_name(q),
				sizeof(name.l_name));
			if (copy_to_user(to + n, &name, sizeof(name)))
				return -EFAULT;
		}
		n++;
	}
	return n;
}

static long ioctl_list(struct stream *sd, struct str_list __user *arg)
{
	struct str_list list = { };
	long ret;

	if (arg && copy_from_user(&list, arg, sizeof(list)))
		return -EFAULT;
	if (arg && list.sl_nmods < 1)
		return -EINVAL;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	ret = list_names(sd, (struct str_mlist __user __force *)list.sl_modlist,
			 list.sl_nmods);
	mutex_unlock(&sd->sd_ioctl_mutex);
	if (!arg || ret < 0)
		return ret;
	return put_user((int)min_t(long, ret, list.sl_nmods), &arg->sl_nmods);
}

static long ioctl_srdopt(struct stream *sd, unsigned long opt)
{
	queue_t *q = str_rq(sd);

	/* One read mode, one way with control parts; none: as it is by default. */
	if (opt & ~(RMSGD | RMSGN | RPROTDAT | RPROTDIS | RPROTNORM |
		    RFLUSHPCPROT) ||
	    (opt & (RMSGD | RMSGN)) == (RMSGD | RMSGN) ||
	    hweight_long(opt & (RPROTDAT | RPROTDIS | RPROTNORM)) > 1)
		return -EINVAL;
	spin_lock_irq(&q->q_lock);
	if (!(opt & (RPROTDAT | RPROTDIS | RPROTNORM)))
		opt |= sd->sd_ropt & (RPROTDAT | RPROTDIS | RPROTNORM);
	sd->sd_ropt = opt;
	spin_unlock_irq(&q->q_lock);
	return 0;
}

static long ioctl_swropt(struct stream *sd, unsigned long opt)
{
	if (opt & ~(SNDZERO | SNDPIPE))
		return -EINVAL;
	WRITE_ONCE(sd->sd_wopt, opt);
	return 0;
}

static long ioctl_flush(struct stream *sd, unsigned long what)
{
	mblk_t *mp;

	if (what != FLUSHR && what != FLUSHW && what != FLUSHRW)
		return -EINVAL;
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	if (sd->sd_mate && !READ_ONCE(sd->sd_npush) &&
	    !READ_ONCE(sd->sd_mate->sd_npush)) {
		if (what & FLUSHR)
			str_drop(sd);
		if (what & FLUSHW)
			str_drop(sd->sd_mate);
		return 0;
	}
	mp = allocb_gfp(1, GFP_KERNEL_ACCOUNT);
	if (!mp)
		return -ENOSR;
	DB_TYPE(mp) = M_FLUSH;
	*mp->b_wptr++ = what;
	putnext(str_wq(sd), mp);
	return 0;
}

static long ioctl_canput(struct stream *sd, unsigned long band)
{
	if (band > 255)
		return -EINVAL;
	return str_writable(sd, band);
}

/* struct strbuf of the user's, as the head has it. */
static struct strio_buf from_strbuf(const struct strbuf *buf)
{
	return (struct strio_buf){
		.maxlen = buf->maxlen,
		.len = buf->len,
		.buf = (unsigned long)buf->buf,
	};
}

static long ioctl_peek(struct stream *sd, struct strpeek __user *arg)
{
	struct strio_msg msg = { };
	struct strpeek peek;
	long ret;

	if (copy_from_user(&peek, arg, sizeof(peek)))
		return -EFAULT;
	if (peek.flags & ~RS_HIPRI)
		return -EINVAL;
	msg.ctl = from_strbuf(&peek.ctlbuf);
	msg.data = from_strbuf(&peek.databuf);
	msg.flags = peek.flags & RS_HIPRI ? MSG_HIPRI : MSG_ANY;
	ret = str_peek(sd, &msg);
	if (ret <= 0)
		return ret;
	peek.ctlbuf.len = msg.ctl.len;
	peek.databuf.len = msg.data.len;
	peek.flags = msg.flags == MSG_HIPRI ? RS_HIPRI : 0;
	return copy_to_user(arg, &peek, sizeof(peek)) ? -EFAULT : ret;
}

static long ioctl_getmsg(struct stream *sd, struct file *file,
			 struct strio_msg __user *arg)
{
	struct strio_msg msg;
	int err, more;

	if (!(file->f_mode & FMODE_READ))
		return -EBADF;
	if (!str_copy_from_user(&msg, arg, sizeof(msg)))
		return -EFAULT;
	err = str_getmsg(sd, &msg, file->f_flags, &more);
	if (err)
		return err;
	return str_copy_to_user(arg, &msg, sizeof(msg)) ? more : -EFAULT;
}

static long ioctl_putmsg(struct stream *sd, struct file *file,
			 struct strio_msg __user *arg)
{
	struct strio_msg msg;

	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!str_copy_from_user(&msg, arg, sizeof(msg)))
		return -EFAULT;
	return str_putmsg(sd, &msg, file->f_flags);
}

/* The write options as the caller may have them: an int. */
static long get_opt(unsigned int opt, int __user *arg)
{
	return put_user((int)opt, arg);
}

/* Whether a command is about messages, or brings some. */
static bool needs_messages(unsigned int cmd)
{
	switch (cmd) {
	case I_NREAD:
	case I_PUSH:
	case I_STR:
	case I_SRDOPT:
	case I_SWROPT:
	case I_PEEK:
	case STRIO_GETMSG:
	case STRIO_PUTMSG:
		return true;
	default:
		return false;
	}
}

/**
 * str_ioctl() - an ioctl on a stream
 * @sd: the stream head
 * @file: the file it came by
 * @cmd: the command
 * @arg: its argument
 *
 * Return: what the command says, or an error; -ENOIOCTLCMD when the stream
 * head does not know it.
 */
long str_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
	       unsigned long arg)
{
	void __user *ptr = (void __user *)arg;
	int err;

	if (needs_messages(cmd)) {
		err = str_ring_end(sd);
		if (err)
			return err;
	}
	/* Those that carry all data first. */
	if (cmd == STRIO_GETMSG)
		return ioctl_getmsg(sd, file, ptr);
	if (cmd == STRIO_PUTMSG)
		return ioctl_putmsg(sd, file, ptr);
	switch (cmd) {
	case I_NREAD:
		return ioctl_nread(sd, ptr);
	case FIONREAD:
		return ioctl_fionread(sd, ptr);
	case I_PUSH:
		return ioctl_push(sd, file, ptr);
	case I_POP:
		return ioctl_pop(sd, file);
	case I_LOOK:
		return ioctl_look(sd, ptr);
	case I_FIND:
		return ioctl_find(sd, ptr);
	case I_LIST:
		return ioctl_list(sd, ptr);
	case I_STR:
		return str_ioctl_down(sd, ptr);
	case I_SRDOPT:
		return ioctl_srdopt(sd, arg);
	case I_GRDOPT:
		return get_opt(READ_ONCE(sd->sd_ropt), ptr);
	case I_SWROPT:
		return ioctl_swropt(sd, arg);
	case I_GWROPT:
		return get_opt(READ_ONCE(sd->sd_wopt), ptr);
	case I_FLUSH:
		return ioctl_flush(sd, arg);
	case I_CANPUT:
		return ioctl_canput(sd, arg);
	case I_PEEK:
		return ioctl_peek(sd, ptr);
	case STRIO_ISASTREAM:
		return 1;
	default:
		return -ENOIOCTLCMD;
	}
}
EXPORT_SYMBOL_GPL(str_ioctl);

/**
 * str_compat_ioctl() - an ioctl of a 32-bit program
 * @sd: the stream head
 * @file: the file it came by
 * @cmd: the command
 * @arg: its argument
 *
 * Structures that hold pointers have another layout there.
 *
 * Return: as str_ioctl().
 */
long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg)
{
	switch (cmd) {
	case I_STR:
	case I_PEEK:
	case I_LIST:
		return -EINVAL;
	default:
		return str_ioctl(sd, file, cmd, arg);
	}
}
EXPORT_SYMBOL_GPL(str_compat_ioctl);
