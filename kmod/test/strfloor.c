// SPDX-License-Identifier: GPL-2.0-only
/*
 * strfloor: /dev/strfloor, a file that only copies
 *
 * What write copied in, read copies out again. No lock, no queue, no waiting:
 * what its system calls cost, any channel's cost that copies as often. For one
 * process that writes and reads in turn.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uio.h>

#define FLOOR_MOST	65536

struct floor {
	size_t len;
	char data[FLOOR_MOST];
};

static int floor_open(struct inode *inode, struct file *file)
{
	/* Opening costs nothing but what opening costs. */
	file->private_data = NULL;
	return stream_open(inode, file);
}

/* The first write makes the room. */
static struct floor *floor_make(struct file *file)
{
	struct floor *f = kvzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT), *other;

	if (!f)
		return NULL;
	other = cmpxchg(&file->private_data, NULL, f);
	if (!other)
		return f;
	kvfree(f);
	return other;
}

static int floor_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static ssize_t floor_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct floor *f = READ_ONCE(iocb->ki_filp->private_data);
	size_t len = min_t(size_t, iov_iter_count(from), FLOOR_MOST);

	if (unlikely(!f))
		f = floor_make(iocb->ki_filp);
	if (unlikely(!f))
		return -ENOMEM;
	if (!copy_from_iter_full(f->data, len, from))
		return -EFAULT;
	WRITE_ONCE(f->len, len);
	return len;
}

static ssize_t floor_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct floor *f = READ_ONCE(iocb->ki_filp->private_data);
	size_t len = f ? min(iov_iter_count(to), READ_ONCE(f->len)) : 0;

	if (!len)
		return 0;
	return copy_to_iter(f->data, len, to) == len ? len : -EFAULT;
}

static const struct file_operations floor_fops = {
	.owner = THIS_MODULE,
	.open = floor_open,
	.release = floor_release,
	.write_iter = floor_write,
	.read_iter = floor_read,
	.llseek = noop_llseek,
};

static struct miscdevice floor_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "strfloor",
	.fops = &floor_fops,
	.mode = 0666,
};

module_misc_device(floor_device);
MODULE_DESCRIPTION("a file that only copies, to measure against");
MODULE_LICENSE("GPL");
