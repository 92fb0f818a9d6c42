// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctl() on a stream: those that the stream head answers
 *
 * Errors and rules are those of POSIX.1-2001 ioctl(), on a stream.
 */
#include <linux/compat.h>
#include <linux/indirect_call_wrapper.h>
#include <linux/uaccess.h>
#include <asm/ioctls.h>

#include "streams/head/convert.h"
#include "streams/head/errand.h"
#include "streams/head/flush.h"
#include "streams/head/hold.h"
#include "streams/head/option.h"
#include "streams/head/plumb.h"
#include "streams/head/rights.h"
#include "streams/head/room.h"
#include "streams/head/watch.h"
#include "streams/message/copy.h"
#include "streams/mux/mux.h"
#include "streams/passfp/passfp.h"
#include "copyio.h"
#include "fdinsert.h"
#include "forms.h"
#include "inspect.h"
#include "ioctl.h"
#include "msgio.h"
#include "record.h"
#include "strioctl.h"

/*
 * Copies a module's name from the user. A longer name is reported as unknown.
 */
static int get_name(char *name, const char __user *arg)
{
	long len = strncpy_from_user(name, arg, STRNAMESZ);

	if (len < 0)
		return -EFAULT;
	return len && len < STRNAMESZ ? 0 : -EINVAL;
}

/* Stores as much of a module's name as System V programs have room for, or all. */
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
	/*
	 * Only a privileged caller may pop anchored modules, which ends the
	 * anchor.
	 */
	if (sd->sd_npush == sd->sd_floor)
		err = -EINVAL;
	else if (sd->sd_npush == sd->sd_anchor && !capable(CAP_SYS_ADMIN))
		err = -EPERM;
	else
		err = str_pop(sd, file->f_flags);
	sd->sd_anchor = min(sd->sd_anchor, sd->sd_npush);
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/* I_ANCHOR: makes the modules pushed until now stay. */
static long ioctl_anchor(struct stream *sd)
{
	if (sd->sd_flag & STR_PIPE)
		return -EINVAL;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	sd->sd_anchor = sd->sd_npush;
	mutex_unlock(&sd->sd_ioctl_mutex);
	return 0;
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

/*
 * Stores the names from the top down, the driver's last, under sd_ioctl_mutex.
 */
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

/*
 * I_LIST: lists the names into to, with room for *count names, and sets *count;
 * or counts them.
 */
long str_list(struct stream *sd, struct str_mlist __user *to, int room,
	      int __user *count)
{
	long ret;

	if (count && room < 1)
		return -EINVAL;
	if (mutex_lock_interruptible(&sd->sd_ioctl_mutex))
		return -EINTR;
	ret = list_names(sd, to, room);
	mutex_unlock(&sd->sd_ioctl_mutex);
	if (!count || ret < 0)
		return ret;
	return put_user((int)min_t(long, ret, room), count);
}

static long ioctl_list(struct stream *sd, struct str_list __user *arg)
{
	struct str_list list = { };

	if (arg && copy_from_user(&list, arg, sizeof(list)))
		return -EFAULT;
	return str_list(sd, (void __user __force *)list.sl_modlist,
			list.sl_nmods, arg ? &arg->sl_nmods : NULL);
}

static long ioctl_canput(struct stream *sd, unsigned long band)
{
	if (band > 255)
		return -EINVAL;
	return str_writable(sd, band);
}

static long ioctl_getmsg(struct stream *sd, struct file *file,
			 struct strio_msg __user *arg)
{
	struct strio_msg msg;
	int ret;

	ret = str_may(file, STRIO_GETMSG);
	if (ret)
		return ret;
	if (!str_strio_from_user(&msg, arg))
		return -EFAULT;
	return INDIRECT_CALL_1(str_store(str_form_read(sd))->getmsg, str_record_getmsg,
			       sd, &msg, arg, file->f_flags);
}

static long ioctl_putmsg(struct stream *sd, struct file *file,
			 struct strio_msg __user *arg)
{
	struct strio_msg msg;
	int ret;

	ret = str_may(file, STRIO_PUTMSG);
	if (ret)
		return ret;
	if (!str_strio_from_user(&msg, arg))
		return -EFAULT;
	str_unhold(sd);
	return INDIRECT_CALL_1(str_store(str_form_written(sd))->putmsg, str_record_putmsg,
			       sd, &msg, NULL, file->f_flags);
}

/* Returns the write options as an int, the form that the caller may have. */
static long get_opt(unsigned int opt, int __user *arg)
{
	return put_user((int)opt, arg);
}

/*
 * Returns the errors that apply to every command of the stream head: the stream
 * is linked below a multiplexor, or has an error.
 */
static int stream_error(struct stream *sd, unsigned int cmd)
{
	if (likely(!(READ_ONCE(sd->sd_flag) & (STR_RERR | STR_WERR |
					       STR_PLEX))) ||
	    cmd == STRIO_ISASTREAM)
		return 0;
	return str_take_error(sd, false) ?: str_take_error(sd, true);
}

/* Returns whether a command concerns messages, or sends a message. */
static bool needs_messages(unsigned int cmd)
{
	switch (cmd) {
	case I_NREAD:
	case I_PUSH:
	case I_STR:
	case I_SRDOPT:
	case I_SWROPT:
	case I_PEEK:
	case I_FDINSERT:
	case I_SENDFD:
	case I_RECVFD:
		return true;
	default:
		return false;
	}
}

/*
 * Takes the steps before any command: checks that the stream accepts it at all,
 * and from this file; ends the ring, and sends the data held for a later write.
 */
int str_ioctl_enter(struct stream *sd, const struct file *file, unsigned int cmd)
{
	int err = stream_error(sd, cmd) ?: str_may(file, cmd);

	if (!err && needs_messages(cmd))
		err = str_ring_end(sd);
	if (err)
		return err;
	str_unhold(sd);
	/* Nearly all commands look at the messages to be read. */
	str_errand_fetch(sd, true);
	return 0;
}

/**
 * str_ioctl() - an ioctl on a stream
 * @sd: the stream head
 * @file: the file it came by
 * @cmd: the command
 * @arg: its argument
 *
 * A command that the stream head does not know is for its modules and driver.
 *
 * Return: the command's value, or an error; -ENOTTY for an unknown command.
 */
long str_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
	       unsigned long arg)
{
	void __user *ptr = (void __user *)arg;
	int err;

	/* The most frequent commands, which carry all data, come first. */
	if (cmd == STRIO_GETMSG)
		return ioctl_getmsg(sd, file, ptr);
	if (cmd == STRIO_PUTMSG)
		return ioctl_putmsg(sd, file, ptr);
	err = str_ioctl_enter(sd, file, cmd);
	if (err)
		return err;
	switch (cmd) {
	case I_NREAD:
		return str_ioctl_nread(sd, ptr);
	case FIONREAD:
		return str_ioctl_fionread(sd, ptr);
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
		return str_ioctl_srdopt(sd, arg);
	case I_GRDOPT:
		return get_opt(READ_ONCE(sd->sd_ropt), ptr);
	case I_SWROPT:
		return str_ioctl_swropt(sd, arg);
	case I_GWROPT:
		return get_opt(READ_ONCE(sd->sd_wopt), ptr);
	case I_SERROPT:
		return str_ioctl_serropt(sd, arg);
	case I_GERROPT:
		return get_opt(READ_ONCE(sd->sd_eropt), ptr);
	case I_SETCLTIME:
		return str_ioctl_setcltime(sd, ptr);
	case I_GETCLTIME:
		return str_ioctl_getcltime(sd, ptr);
	case I_SETSIG:
		return str_ioctl_setsig(sd, file, arg);
	case I_GETSIG:
		return str_ioctl_getsig(sd, file, ptr);
	case I_ESETSIG:
		return str_ioctl_esetsig(sd, file, ptr);
	case I_EGETSIG:
		return str_ioctl_egetsig(sd, file, ptr);
	case I_FLUSH:
		return str_ioctl_flush(sd, file, arg);
	case I_FLUSHBAND:
		return str_ioctl_flushband(sd, file, ptr);
	case I_CKBAND:
		return str_ioctl_ckband(sd, arg);
	case I_GETBAND:
		return str_ioctl_getband(sd, ptr);
	case I_ATMARK:
		return str_ioctl_atmark(sd, arg);
	case I_ANCHOR:
		return ioctl_anchor(sd);
	case I_FDINSERT:
		return str_ioctl_fdinsert(sd, file, ptr);
	case I_CANPUT:
		return ioctl_canput(sd, arg);
	case I_PEEK:
		return str_ioctl_peek(sd, ptr);
	case I_LINK:
	case I_PLINK:
		return mux_link(sd, arg, cmd == I_PLINK);
	case I_UNLINK:
	case I_PUNLINK:
		return mux_unlink(sd, arg, cmd == I_PUNLINK);
	case I_SENDFD:
		return str_ioctl_sendfd(sd, file, arg);
	case I_RECVFD:
		return str_ioctl_recvfd(sd, file, ptr);
	case STRIO_ISASTREAM:
		return 1;
	default:
		return str_ioctl_transparent(sd, file, cmd, arg,
					     in_compat_syscall() ?
					     IOC_ILP32 : IOC_NATIVE);
	}
}
EXPORT_SYMBOL_GPL(str_ioctl);
