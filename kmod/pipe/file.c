// SPDX-License-Identifier: GPL-2.0-only
/* A pipe's file operations */

#include "pipe.h"

static struct stream *file_stream(const struct file *file)
{
	struct strpipe_end *end = file->private_data;

	return &end->sd;
}

/* By /proc/self/fd: another file on the same end. */
static int pipe_open(struct inode *inode, struct file *file)
{
	struct strpipe_end *end = inode->i_private;

	if (!(file->f_mode & (FMODE_READ | FMODE_WRITE)))
		return -EINVAL;
	file->private_data = end;
	strpipe_opened(end, file->f_mode);
	return stream_open(inode, file);
}

static int pipe_release(struct inode *inode, struct file *file)
{
	str_file_closed(file_stream(file), file);
	strpipe_closed(file->private_data, file->f_mode);
	return 0;
}

static ssize_t pipe_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return str_read(file_stream(iocb->ki_filp), to, iocb_fflags(iocb));
}

static ssize_t pipe_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return str_write(file_stream(iocb->ki_filp), from, iocb_fflags(iocb));
}

static __poll_t pipe_poll(struct file *file, poll_table *wait)
{
	return str_poll(file_stream(file), file, wait);
}

static long pipe_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return str_ioctl(file_stream(file), file, cmd, arg);
}

#ifdef CONFIG_COMPAT
static long pipe_compat_ioctl(struct file *file, unsigned int cmd,
			      unsigned long arg)
{
	return str_compat_ioctl(file_stream(file), file, cmd, arg);
}
#else
#define pipe_compat_ioctl	NULL
#endif

static int pipe_fasync(int fd, struct file *file, int on)
{
	return str_fasync(file_stream(file), fd, file, on);
}

static int pipe_flush(struct file *file, fl_owner_t id)
{
	return str_file_flush(file_stream(file), file);
}

const struct file_operations strpipe_fops = {
	.owner = THIS_MODULE,
	.open = pipe_open,
	.release = pipe_release,
	.llseek = no_llseek,
	.read_iter = pipe_read_iter,
	.write_iter = pipe_write_iter,
	.splice_read = copy_splice_read,
	.splice_write = iter_file_splice_write,
	.poll = pipe_poll,
	.unlocked_ioctl = pipe_ioctl,
	.compat_ioctl = pipe_compat_ioctl,
	.fasync = pipe_fasync,
	.flush = pipe_flush,
};
