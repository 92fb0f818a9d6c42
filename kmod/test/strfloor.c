// SPDX-License-Identifier: GPL-2.0-only
/*
 * strfloor: /dev/strfloor, a file that only copies
 *
 * A read copies out the bytes that a write copied in, and waits when there are
 * none; getmsg and putmsg of data alone likewise. No lock and no queue: any channel
 * that copies and wakes as often costs at least as much as its system calls. For
 * writes and reads in turn, by one process or by two that answer each other. The
 * lengths are limited here: the kernel need not look for the object that a buffer is
 * in (hardened usercopy).
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/wait.h>
#include <sys/strio.h>

#define FLOOR_MOST	65536

struct floor {
	wait_queue_head_t wait;
	size_t len;		/* 0: taken */
	char data[FLOOR_MOST];
};

static int floor_open(struct inode *inode, struct file *file)
{
	/* Opening does no work of its own. */
	file->private_data = NULL;
	return stream_open(inode, file);
}

/* Allocates the memory at the first use. */
static struct floor *floor_make(struct file *file)
{
	struct floor *f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT), *other;

	if (!f)
		return NULL;
	init_waitqueue_head(&f->wait);
	other = cmpxchg(&file->private_data, NULL, f);
	if (!other)
		return f;
	kfree(f);
	return other;
}

static int floor_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static struct floor *floor_of(struct file *file)
{
	struct floor *f = READ_ONCE(file->private_data);

	return likely(f) ? f : floor_make(file);
}

/*
 * Returns the number of bytes available; the data up to that count are visible
 * to the caller.
 */
static size_t floor_len(const struct floor *f)
{
	/* Acquire: the load pairs with floor_filled(). */
	return smp_load_acquire(&f->len);
}

/* Waits for bytes. Returns their number, or an error. */
static ssize_t floor_await(struct floor *f)
{
	size_t len = floor_len(f);

	if (len)
		return len;
	if (wait_event_interruptible_exclusive(f->wait, floor_len(f)))
		return -ERESTARTSYS;
	return floor_len(f);
}

static void floor_filled(struct floor *f, size_t len)
{
	/* The length is stored after the data; pairs with floor_len(). */
	smp_store_release(&f->len, len);
	if (wq_has_sleeper(&f->wait))
		wake_up_interruptible_sync(&f->wait);
}

static ssize_t floor_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct floor *f = floor_of(iocb->ki_filp);
	size_t len = min_t(size_t, iov_iter_count(from), FLOOR_MOST);

	if (unlikely(!f))
		return -ENOMEM;
	if (_copy_from_iter(f->data, len, from) != len)
		return -EFAULT;
	floor_filled(f, len);
	return len;
}

static ssize_t floor_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct floor *f = floor_of(iocb->ki_filp);
	ssize_t len;

	if (unlikely(!f))
		return -ENOMEM;
	len = floor_await(f);
	if (len < 0)
		return len;
	len = min_t(size_t, len, iov_iter_count(to));
	if (_copy_to_iter(f->data, len, to) != len)
		return -EFAULT;
	WRITE_ONCE(f->len, 0);
	return len;
}

static long floor_put(struct floor *f, const struct strio_msg *msg)
{
	if (msg->data.len <= 0 || msg->data.len > FLOOR_MOST)
		return -EINVAL;
	if (_copy_from_user(f->data, u64_to_user_ptr(msg->data.buf), msg->data.len))
		return -EFAULT;
	floor_filled(f, msg->data.len);
	return 0;
}

static long floor_get(struct floor *f, struct strio_msg *msg,
		      struct strio_msg __user *result)
{
	ssize_t len = floor_await(f);

	if (len < 0)
		return len;
	if (msg->data.maxlen < len)
		return -EINVAL;
	if (_copy_to_user(u64_to_user_ptr(msg->data.buf), f->data, len))
		return -EFAULT;
	msg->ctl.len = -1;
	msg->data.len = len;
	if (copy_to_user(result, msg, sizeof(*msg)))
		return -EFAULT;
	WRITE_ONCE(f->len, 0);
	return 0;
}

static long floor_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct strio_msg __user *user = (void __user *)arg;
	struct floor *f = floor_of(file);
	struct strio_msg msg;

	if (unlikely(!f))
		return -ENOMEM;
	if (cmd != STRIO_GETMSG && cmd != STRIO_PUTMSG)
		return -ENOTTY;
	if (copy_from_user(&msg, user, sizeof(msg)))
		return -EFAULT;
	return cmd == STRIO_PUTMSG ? floor_put(f, &msg) : floor_get(f, &msg, user);
}

static const struct file_operations floor_fops = {
	.owner = THIS_MODULE,
	.open = floor_open,
	.release = floor_release,
	.write_iter = floor_write,
	.read_iter = floor_read,
	.unlocked_ioctl = floor_ioctl,
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
