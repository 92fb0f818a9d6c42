// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of drivers: opening a device node
 *
 * /dev/streams/NAME is a clone device: each open of it makes a stream. If the
 * driver has minor devices, the open takes one that is not open yet, and later
 * opens of that device's node join the stream.
 */
#include <linux/err.h>
#include <linux/kdev_t.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "streams/call/compat.h"
#include "streams/call/io.h"
#include "streams/call/ioctl.h"
#include "streams/call/poll.h"
#include "streams/call/splice.h"
#include "streams/head/files.h"
#include "streams/head/head.h"
#include "streams/head/plumb.h"
#include "streams/head/watch.h"
#include "streams/module/registry.h"
#include "streams/mux/mux.h"
#include "cdev.h"
#include "device.h"
#include "driver.h"
#include "minor.h"
#include "sad.h"

/*
 * Prints the link by which a stream stands below a multiplexing driver, if it does. The
 * memory of a driver's module is freed after a grace period.
 */
static void show_link(struct seq_file *m, const struct str_more *more)
{
	const struct strdrv *drv;

	rcu_read_lock();
	drv = more ? READ_ONCE(more->above) : NULL;
	if (drv)
		seq_printf(m, " below=%s muxid=%u control=%llu", drv->name,
			   READ_ONCE(more->muxid), READ_ONCE(more->control));
	rcu_read_unlock();
}

static void device_show(struct seq_file *m, struct str_entry *e)
{
	struct stream *sd = container_of(e, struct stream, sd_entry);

	seq_printf(m, " name=%s", sd->sd_drv->name);
	if (sd->sd_drv->minors)
		seq_printf(m, " minor=%u", MINOR(sd->sd_dev));
	str_show(m, sd);
	str_entry_moved(m, &sd->sd_entry);
	str_entry_held(m, &sd->sd_entry);
	show_link(m, READ_ONCE(sd->sd_more));
}

static void device_stream_free(struct stream *sd, int oflag)
{
	str_dismantle(sd, oflag);
	mux_closed(sd);
	str_destroy(sd);
	kfree_rcu(sd, sd_rcu);
}

static struct stream *device_stream_make(const struct strdrv *drv, dev_t dev,
					 int oflag, int sflag)
{
	struct stream *sd;
	int err;

	sd = kzalloc(sizeof(*sd) + sizeof(struct strperim), GFP_KERNEL_ACCOUNT);
	if (!sd)
		return ERR_PTR(-ENOMEM);
	str_perim_init((struct strperim *)(sd + 1));
	str_init(sd, (struct strperim *)(sd + 1));
	err = str_open_driver(sd, drv, dev, oflag, sflag);
	if (err) {
		device_stream_free(sd, oflag);
		return ERR_PTR(err);
	}
	/* Modules may ask for the owner when they are pushed. */
	str_entry_add(&sd->sd_entry, STR_KIND_DEVICE, device_show);
	err = sad_push(sd, drv->minor, oflag);
	if (err) {
		str_entry_del(&sd->sd_entry);
		device_stream_free(sd, oflag);
		return ERR_PTR(err);
	}
	return sd;
}

static void device_stream_end(struct stream *sd, int oflag)
{
	/*
	 * A kernel thread closes, one after another, all files dropped in
	 * flight: it does not wait for output.
	 */
	if (current->flags & PF_KTHREAD)
		oflag |= O_NONBLOCK;
	str_entry_del(&sd->sd_entry);
	mux_close(sd);
	device_stream_free(sd, oflag);
}

/* Drops one user of a stream. */
static void device_stream_put(struct stream *sd, int oflag)
{
	const struct strdrv *drv = sd->sd_drv;
	unsigned int nr = MINOR(sd->sd_dev);

	if (!drv->minors) {
		device_stream_end(sd, oflag);
	} else if (minor_put(drv, nr)) {
		device_stream_end(sd, oflag);
		minor_opened(drv, nr, NULL);
	}
}

/*
 * Opens a stream for this task alone, by an unused minor number if the driver
 * has minor numbers.
 */
static struct stream *clone_open(const struct strdrv *drv, dev_t dev, int oflag)
{
	struct stream *sd;
	unsigned int chosen;
	int nr, err;

	if (!drv->minors)
		return device_stream_make(drv, dev, oflag, CLONEOPEN);
	nr = minor_get_any(drv);
	if (nr < 0)
		return ERR_PTR(nr);
	sd = device_stream_make(drv, minors_dev(drv, nr), oflag, CLONEOPEN);
	if (IS_ERR(sd)) {
		minor_opened(drv, nr, NULL);
		return sd;
	}
	/*
	 * The driver may choose another; a number of another driver is out of
	 * range.
	 */
	chosen = sd->sd_dev - minors_dev(drv, 0);
	if (chosen != nr) {
		minor_opened(drv, nr, NULL);
		err = minor_get_unused(drv, chosen);
		if (err) {
			device_stream_end(sd, oflag);
			return ERR_PTR(err);
		}
	}
	minor_opened(drv, chosen, sd);
	return sd;
}

/* Returns the stream of a minor device, made if there is none. */
static struct stream *minor_open(const struct strdrv *drv, unsigned int nr,
				 int oflag)
{
	struct stream *sd;
	int err = minor_get(drv, nr, oflag, &sd);

	if (err)
		return ERR_PTR(err);
	if (!sd) {
		sd = device_stream_make(drv, minors_dev(drv, nr), oflag, 0);
		minor_opened(drv, nr, IS_ERR(sd) ? NULL : sd);
		return sd;
	}
	err = str_reopen(sd, oflag);
	if (!err)
		return sd;
	/* All other users may have closed the device meanwhile. */
	device_stream_put(sd, oflag);
	return ERR_PTR(err);
}

static int device_open(struct inode *inode, struct file *file)
{
	bool clone = imajor(inode) == cdev_major();
	const struct strdrv *drv = clone ? strdrv_get(iminor(inode)) :
					   strdrv_get_by_major(imajor(inode));
	struct stream *sd;

	if (!drv)
		return -ENXIO;
	if (clone)
		sd = clone_open(drv, inode->i_rdev, file->f_flags);
	else
		sd = minor_open(drv, iminor(inode), file->f_flags);
	if (IS_ERR(sd)) {
		strdrv_put(drv);
		return PTR_ERR(sd);
	}
	file->private_data = sd;
	return stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	struct stream *sd = file->private_data;
	const struct strdrv *drv = sd->sd_drv;

	str_file_closed(sd, file);
	device_stream_put(sd, file->f_flags);
	strdrv_put(drv);
	return 0;
}

static ssize_t device_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return str_read(iocb->ki_filp->private_data, to,
			iocb_fflags(iocb));
}

static ssize_t device_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return str_write(iocb->ki_filp->private_data, from,
			 iocb_fflags(iocb));
}

static __poll_t device_poll(struct file *file, poll_table *wait)
{
	return str_poll(file->private_data, file, wait);
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return str_ioctl(file->private_data, file, cmd, arg);
}

#ifdef CONFIG_COMPAT
static long device_compat_ioctl(struct file *file, unsigned int cmd,
				unsigned long arg)
{
	return str_compat_ioctl(file->private_data, file, cmd, arg);
}
#else
#define device_compat_ioctl	NULL
#endif

static int device_fasync(int fd, struct file *file, int on)
{
	return str_fasync(file->private_data, fd, file, on);
}

static int device_flush(struct file *file, fl_owner_t id)
{
	return str_file_flush(file->private_data, file);
}

/* The operations of all nodes that lead to a driver. */
static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read_iter = device_read_iter,
	.write_iter = device_write_iter,
	.splice_read = str_splice_read,
	.splice_write = str_splice_write,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = device_compat_ioctl,
	.fasync = device_fasync,
	.flush = device_flush,
	.show_fdinfo = str_file_fdinfo,
};

int __init devices_init(void)
{
	int err;

	str_device_fops = &device_fops;
	err = str_files_add(&device_fops);
	if (err)
		return err;
	err = cdev_init_nodes();
	if (err)
		str_files_del(&device_fops);
	return err;
}

void devices_exit(void)
{
	cdev_exit_nodes();
	str_files_del(&device_fops);
}
