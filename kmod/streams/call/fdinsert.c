// SPDX-License-Identifier: GPL-2.0-only
/*
 * I_FDINSERT: a message that names another stream
 *
 * The value stored in it is a number, as POSIX has it, not the address of a
 * queue: the message may come back to its sender. Drivers compare it with the
 * numbers of their own streams, strid().
 */
#include <linux/file.h>
#include <linux/uaccess.h>

#include "streams/head/files.h"
#include "streams/head/id.h"
#include "fdinsert.h"
#include "msgio.h"

/*
 * Returns the reason the other stream cannot be named: its error, or its
 * hangup.
 */
static int other_error(struct stream *other)
{
	if (READ_ONCE(other->sd_flag) & STR_PLEX)
		return -EINVAL;
	return str_take_error(other, false) ?: str_take_error(other, true) ?:
	       (READ_ONCE(other->sd_flag) & STR_HUP ? -ENXIO : 0);
}

static int other_id(int fd, unsigned int *id)
{
	struct file *file = fget(fd);
	struct stream *other;
	int err = -EINVAL;

	if (!file)
		return err;
	other = str_of_file(file);
	if (other)
		err = other_error(other);
	if (!err) {
		*id = str_id(other, GFP_KERNEL_ACCOUNT);
		if (!*id)
			err = -ENOSR;
	}
	fput(file);
	return err;
}

int str_fdinsert(struct stream *sd, struct file *file,
		 const struct strfdinsert *fdi)
{
	struct str_insert insert = { };
	struct strio_msg msg = { };
	int err;

	if (fdi->flags & ~RS_HIPRI || fdi->offset < 0 ||
	    !IS_ALIGNED(fdi->offset, sizeof(insert.id)) ||
	    fdi->ctlbuf.len < 0 ||
	    (size_t)fdi->ctlbuf.len < fdi->offset + sizeof(insert.id))
		return -EINVAL;
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	err = other_id(fdi->fildes, &insert.id);
	if (err)
		return err;
	insert.offset = fdi->offset;
	msg.ctl.len = fdi->ctlbuf.len;
	msg.ctl.buf = (unsigned long)fdi->ctlbuf.buf;
	msg.data.len = fdi->databuf.len;
	msg.data.buf = (unsigned long)fdi->databuf.buf;
	msg.flags = fdi->flags & RS_HIPRI ? MSG_HIPRI : 0;
	return str_putmsg(sd, &msg, &insert, file->f_flags);
}

long str_ioctl_fdinsert(struct stream *sd, struct file *file,
			struct strfdinsert __user *arg)
{
	struct strfdinsert fdi;

	if (copy_from_user(&fdi, arg, sizeof(fdi)))
		return -EFAULT;
	return str_fdinsert(sd, file, &fdi);
}
