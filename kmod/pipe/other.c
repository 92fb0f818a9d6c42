// SPDX-License-Identifier: GPL-2.0-only
/* STRIO_PIPE: the other end of a pipe whose first end open() of the device has made */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "other.h"
#include "pipe.h"
#include "pipefs.h"

#define PIPE_FLAGS	(O_NONBLOCK | O_CLOEXEC | O_DIRECT)

/* Opens a file of the end that has none yet. */
static struct file *other_file(struct file *file, unsigned int flags)
{
	struct strpipe_end *end = file->private_data;
	struct strpipe *pipe = end->pipe;
	struct file *other;

	if (pipe->ends == 1) {
		other = dentry_open(&file->f_path, O_WRONLY | (flags & O_NONBLOCK),
				    current_cred());
	} else {
		kref_get(&pipe->ref);
		other = strpipe_file(&pipe->end[1], O_RDWR | (flags & O_NONBLOCK), file->f_op);
	}
	if (IS_ERR(other))
		return other;
	/* O_DIRECT is a mode of pipes that open() does not know. */
	other->f_flags |= flags & O_DIRECT;
	file_set_pipe_modes(other);
	return other;
}

/* Opens the other end of a pipe, and gives it a descriptor. */
static int open_other(struct file *file, const struct strio_pipe *arg)
{
	struct strpipe_end *end = file->private_data;
	int fds[2] = { arg->first };
	struct file *other;
	int err;

	fds[1] = get_unused_fd_flags(arg->flags & O_CLOEXEC);
	if (fds[1] < 0)
		return fds[1];
	err = -EFAULT;
	if (copy_to_user(u64_to_user_ptr(arg->fds), fds, sizeof(fds)))
		goto put_fd;
	/* A descriptor that was passed on opens no end of a pipe that has both. */
	err = -EBUSY;
	if (!xchg(&end->pipe->half, false))
		goto put_fd;
	other = other_file(file, arg->flags);
	if (IS_ERR(other)) {
		WRITE_ONCE(end->pipe->half, true);
		err = PTR_ERR(other);
		goto put_fd;
	}
	fd_install(fds[1], other);
	return 0;

put_fd:
	put_unused_fd(fds[1]);
	return err;
}

/**
 * strpipe_open_other() - open the other end of a pipe, once
 * @file: a file of the end that the device gave
 * @user: the request; its descriptors are stored where it says
 *
 * Return: 0; -EBUSY: the other end was opened before; -EINVAL, -EFAULT, -EMFILE,
 * -ENFILE, -ENOMEM, with nothing opened.
 */
int strpipe_open_other(struct file *file, const struct strio_pipe __user *user)
{
	struct strpipe_end *end = file->private_data;
	struct strio_pipe arg;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (arg.flags & ~PIPE_FLAGS ||
	    (arg.flags & O_DIRECT && end->pipe->ends == 2))
		return -EINVAL;
	return open_other(file, &arg);
}
