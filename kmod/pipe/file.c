// SPDX-License-Identifier: GPL-2.0-only
/* The file operations of pipes, and of pipes and devices opened by a name */
#include <linux/compat.h>
#include <linux/pipe_fs_i.h>

#include "streams/call/splice.h"
#include "file.h"
#include "name.h"
#include "other.h"
#include "pipe.h"
#include "splice.h"
#include "tee.h"

/* An end of a pipe begins with its stream. */
static struct stream *file_stream(const struct file *file)
{
	BUILD_BUG_ON(offsetof(struct strpipe_end, sd));
	return file->private_data;
}

/* Opens another file on the same end, by /proc/self/fd. */
static int strpipe_open(struct inode *inode, struct file *file)
{
	struct strpipe_end *end = inode->i_private;

	if (!(file->f_mode & (FMODE_READ | FMODE_WRITE)))
		return -EINVAL;
	file->private_data = end;
	strpipe_opened(end, file->f_mode);
	strpipe_tell_openers(end->pipe);
	return stream_open(inode, file);
}

static int strpipe_release(struct inode *inode, struct file *file)
{
	str_file_closed(file_stream(file), file);
	strpipe_closed(file->private_data, file->f_mode);
	return 0;
}

static ssize_t strpipe_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return str_read(file_stream(iocb->ki_filp), to, iocb_fflags(iocb));
}

static ssize_t strpipe_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return str_write(file_stream(iocb->ki_filp), from, iocb_fflags(iocb));
}

static __poll_t strpipe_poll(struct file *file, poll_table *wait)
{
	return str_poll(file_stream(file), file, wait);
}

/*
 * Handles the ioctls that pipes alone have. Returns -ENOIOCTLCMD for another
 * one, or if the file is not a stream.
 */
static noinline long strpipe_own_ioctl(struct file *file, unsigned int cmd,
				       unsigned long arg)
{
	struct strpipe_end *end = strpipe_end_of(file_stream(file));

	if (!end)
		return -ENOIOCTLCMD;
	switch (cmd) {
	case STRIO_PIPE:
		/* A file that was opened by a name has another inode. */
		if (file->f_op != &strpipe_fops)
			return -EINVAL;
		return strpipe_open_other(file, (struct strio_pipe __user *)arg);
	case STRIO_GETPIPE_SZ:
		return strpipe_size(end);
	case STRIO_SETPIPE_SZ:
		return strpipe_resize(end, pipe_size_arg(arg));
	case STRIO_SPLICE:
		return strpipe_splice((struct strio_splice __user *)arg);
	case STRIO_TEE:
		return strpipe_tee((struct strio_splice __user *)arg);
	case STRIO_VMSPLICE:
		return strpipe_vmsplice(file, (struct strio_vmsplice __user *)arg);
	default:
		return -ENOIOCTLCMD;
	}
}

/*
 * Returns whether a command is one of these, by type and number, without the
 * size. The numbers are consecutive.
 */
static bool is_own_ioctl(unsigned int cmd)
{
	return (u16)(cmd - STRIO_PIPE) <=
	       _IOC_NR(STRIO_VMSPLICE) - _IOC_NR(STRIO_PIPE);
}

static long strpipe_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (unlikely(is_own_ioctl(cmd)))
		return strpipe_own_ioctl(file, cmd, arg);
	return str_ioctl(file_stream(file), file, cmd, arg);
}

#ifdef CONFIG_COMPAT
/* compat_ptr() does not change a size of 32 bits. */
static long strpipe_compat_ioctl(struct file *file, unsigned int cmd,
				 unsigned long arg)
{
	if (unlikely(is_own_ioctl(cmd)))
		return strpipe_own_ioctl(file, cmd, (unsigned long)compat_ptr(arg));
	return str_compat_ioctl(file_stream(file), file, cmd, arg);
}
#else
#define strpipe_compat_ioctl	NULL
#endif

static int strpipe_fasync(int fd, struct file *file, int on)
{
	return str_fasync(file_stream(file), fd, file, on);
}

static int strpipe_flush(struct file *file, fl_owner_t id)
{
	return str_file_flush(file_stream(file), file);
}

/*
 * A reader that opened a FIFO without waiting sees no hangup before a writer
 * has opened it, as with a native one; see strpipe_fifo_open().
 */
static __poll_t strpipe_poll_named(struct file *file, poll_table *wait)
{
	struct strpipe_end *end = file->private_data;
	__poll_t mask = str_poll(&end->sd, file, wait);

	if (mask & EPOLLHUP &&
	    *file_version(file) == READ_ONCE(end->pipe->opens[1]) + 1ULL)
		mask &= ~EPOLLHUP;
	return mask;
}

static int strpipe_release_named(struct inode *inode, struct file *file)
{
	struct strpipe_end *end = file->private_data;

	str_file_closed(&end->sd, file);
	strpipe_closed(end, file->f_mode);
	strpipe_put(end->pipe);
	strpipe_name_closed(inode);
	return 0;
}

static int strpipe_release_device(struct inode *inode, struct file *file)
{
	str_file_closed(file_stream(file), file);
	strpipe_name_closed(inode);
	return 0;
}

const struct file_operations strpipe_fops = {
	.owner = THIS_MODULE,
	.open = strpipe_open,
	.release = strpipe_release,
	.read_iter = strpipe_read_iter,
	.write_iter = strpipe_write_iter,
	.splice_read = str_splice_read,
	.splice_write = str_splice_write,
	.poll = strpipe_poll,
	.unlocked_ioctl = strpipe_ioctl,
	.compat_ioctl = strpipe_compat_ioctl,
	.fasync = strpipe_fasync,
	.flush = strpipe_flush,
	.show_fdinfo = str_file_fdinfo,
};

/*
 * Files opened by a name use the name's inode and hold a reference to the pipe.
 */
const struct file_operations strpipe_named_fops = {
	.owner = THIS_MODULE,
	.release = strpipe_release_named,
	.read_iter = strpipe_read_iter,
	.write_iter = strpipe_write_iter,
	.splice_read = str_splice_read,
	.splice_write = str_splice_write,
	.poll = strpipe_poll_named,
	.unlocked_ioctl = strpipe_ioctl,
	.compat_ioctl = strpipe_compat_ioctl,
	.fasync = strpipe_fasync,
	.flush = strpipe_flush,
	.show_fdinfo = str_file_fdinfo,
};

/* The stream of a device stays open as long as the name's file system is. */
const struct file_operations strpipe_device_fops = {
	.owner = THIS_MODULE,
	.release = strpipe_release_device,
	.read_iter = strpipe_read_iter,
	.write_iter = strpipe_write_iter,
	.splice_read = str_splice_read,
	.splice_write = str_splice_write,
	.poll = strpipe_poll,
	.unlocked_ioctl = strpipe_ioctl,
	.compat_ioctl = strpipe_compat_ioctl,
	.fasync = strpipe_fasync,
	.flush = strpipe_flush,
	.show_fdinfo = str_file_fdinfo,
};

static const struct file_operations *const kinds[] = {
	&strpipe_fops, &strpipe_named_fops, &strpipe_device_fops,
};

int strpipe_files_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		err = str_files_add(kinds[i]);
		if (err)
			goto undo;
	}
	return 0;

undo:
	while (i--)
		str_files_del(kinds[i]);
	return err;
}

void strpipe_files_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		str_files_del(kinds[i]);
}
