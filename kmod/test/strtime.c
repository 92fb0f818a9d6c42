// SPDX-License-Identifier: GPL-2.0-only
/*
 * strtime: /dev/strtime, which measures messages without system calls
 *
 * An ioctl writes messages of a user's memory to a file and reads them from another one, by
 * the files' own operations, and returns the time of all. So the figure has the
 * instructions, the caches and the locked operations of the channel, and nothing else. On
 * User Mode Linux a system call costs far more than natively, but the code of the kernel
 * runs at the processor's own speed.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "strtime.h"

#define COUNT_MOST	1000000

static bool would_block(ssize_t n)
{
	return n == -EAGAIN;
}

static ssize_t transfer(struct file *file, int direction, void __user *buf, size_t size)
{
	struct iov_iter iter;
	struct kiocb kiocb;

	init_sync_kiocb(&kiocb, file);
	iov_iter_ubuf(&iter, direction, buf, size);
	return direction == ITER_SOURCE ? file->f_op->write_iter(&kiocb, &iter) :
					  file->f_op->read_iter(&kiocb, &iter);
}

/* A message may exceed the room, so parts of it are written and read in turn. */
static int pass_message(struct file *tx, struct file *rx, void __user *buf, size_t size)
{
	size_t written = 0, was_read = 0;
	ssize_t n;

	while (was_read < size) {
		size_t before = written + was_read;

		if (written < size) {
			n = transfer(tx, ITER_SOURCE, buf, size - written);
			if (n < 0 && !would_block(n))
				return n;
			written += max_t(ssize_t, n, 0);
		}
		n = transfer(rx, ITER_DEST, buf, size - was_read);
		if (n < 0 && !would_block(n))
			return n;
		if (!n)
			return -EPIPE;
		was_read += max_t(ssize_t, n, 0);
		if (written + was_read != before)
			continue;
		/* The task can be killed until the bytes arrive. */
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int pass_messages(struct strtime *t, struct file *tx, struct file *rx)
{
	void __user *buf = u64_to_user_ptr(t->buf);
	u64 begin = ktime_get_ns();
	u32 i;

	for (i = 0; i < t->count; i++) {
		int err = pass_message(tx, rx, buf, t->size);

		if (err)
			return err;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	t->ns = ktime_get_ns() - begin;
	return 0;
}

static int time_files(struct strtime *t)
{
	struct file *tx = fget(t->tx), *rx = fget(t->rx);
	int err = -EBADF;

	/* A call that waits would wait for this task itself. */
	if (tx && rx && tx->f_flags & rx->f_flags & O_NONBLOCK &&
	    tx->f_mode & FMODE_WRITE && tx->f_op->write_iter &&
	    rx->f_mode & FMODE_READ && rx->f_op->read_iter)
		err = pass_messages(t, tx, rx);
	if (tx)
		fput(tx);
	if (rx)
		fput(rx);
	return err;
}

static long time_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct strtime __user *user = (void __user *)arg;
	struct strtime t;
	int err;

	if (cmd != STRTIME_RUN)
		return -ENOTTY;
	if (copy_from_user(&t, user, sizeof(t)))
		return -EFAULT;
	if (!t.size || t.size > STRTIME_MOST || !t.count || t.count > COUNT_MOST)
		return -EINVAL;
	if (!access_ok(u64_to_user_ptr(t.buf), t.size))
		return -EFAULT;
	err = time_files(&t);
	if (!err && copy_to_user(user, &t, sizeof(t)))
		err = -EFAULT;
	return err;
}

static const struct file_operations time_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = time_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice time_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "strtime",
	.fops = &time_fops,
	.mode = 0600,
};

module_misc_device(time_device);
MODULE_DESCRIPTION("messages through files, timed in the kernel");
MODULE_LICENSE("GPL");
