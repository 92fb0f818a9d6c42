// SPDX-License-Identifier: GPL-2.0-only
/* Device nodes under /dev/streams */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/seq_file.h>

#include "cdev.h"
#include "head.h"
#include "mux.h"
#include "registry.h"
#include "sad.h"

#define CDEV_MINORS	256

/* What is behind a minor number. */
struct node {
	const struct file_operations *fops;
	struct device *dev;
};

static dev_t cdev_first;
static struct cdev cdev;
static struct class *cdev_class;
static DEFINE_IDR(nodes);
static DEFINE_MUTEX(nodes_mutex);

/* One stream for each open, as a clone device of SVR4. */
static void dev_show(struct seq_file *m, struct str_entry *e)
{
	struct stream *sd = container_of(e, struct stream, sd_entry);

	seq_printf(m, " name=%s", sd->sd_drv->name);
	str_show(m, sd);
}

static int dev_open(struct inode *inode, struct file *file)
{
	const struct strdrv *drv = strdrv_get(iminor(inode));
	struct stream *sd;
	int err;

	if (!drv)
		return -ENXIO;
	sd = kzalloc(sizeof(*sd) + sizeof(struct strperim), GFP_KERNEL_ACCOUNT);
	if (!sd) {
		strdrv_put(drv);
		return -ENOMEM;
	}
	perim_init((struct strperim *)(sd + 1));
	str_init(sd, (struct strperim *)(sd + 1));
	err = str_open_driver(sd, drv, inode->i_rdev, file->f_flags);
	if (!err)
		err = sad_push(sd, drv->minor, file->f_flags);
	if (err) {
		str_dismantle(sd, file->f_flags);
		str_destroy(sd);
		strdrv_put(drv);
		kfree_rcu(sd, sd_rcu);
		return err;
	}
	file->private_data = sd;
	str_entry_add(&sd->sd_entry, STR_KIND_DEVICE, dev_show);
	return stream_open(inode, file);
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct stream *sd = file->private_data;
	const struct strdrv *drv = sd->sd_drv;
	int oflag = file->f_flags;

	/*
	 * A kernel thread closes what was thrown away while in flight, one file
	 * after the other, for all there are: output is not waited for there.
	 */
	if (current->flags & PF_KTHREAD)
		oflag |= O_NONBLOCK;
	str_entry_del(&sd->sd_entry);
	str_file_closed(sd, file);
	mux_close(sd);
	str_dismantle(sd, oflag);
	mux_closed(sd);
	str_destroy(sd);
	strdrv_put(drv);
	kfree_rcu(sd, sd_rcu);
	return 0;
}

static ssize_t dev_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return str_read(iocb->ki_filp->private_data, to,
			iocb_fflags(iocb));
}

static ssize_t dev_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return str_write(iocb->ki_filp->private_data, from,
			 iocb_fflags(iocb));
}

static __poll_t dev_poll(struct file *file, poll_table *wait)
{
	return str_poll(file->private_data, file, wait);
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return str_ioctl(file->private_data, file, cmd, arg);
}

#ifdef CONFIG_COMPAT
static long dev_compat_ioctl(struct file *file, unsigned int cmd,
			     unsigned long arg)
{
	return str_compat_ioctl(file->private_data, file, cmd, arg);
}
#else
#define dev_compat_ioctl	NULL
#endif

static int dev_fasync(int fd, struct file *file, int on)
{
	return str_fasync(file->private_data, fd, file, on);
}

static int dev_flush(struct file *file, fl_owner_t id)
{
	return str_file_flush(file->private_data, file);
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.open = dev_open,
	.release = dev_release,
	.read_iter = dev_read_iter,
	.write_iter = dev_write_iter,
	.splice_read = copy_splice_read,
	.splice_write = iter_file_splice_write,
	.poll = dev_poll,
	.unlocked_ioctl = dev_ioctl,
	.compat_ioctl = dev_compat_ioctl,
	.fasync = dev_fasync,
	.flush = dev_flush,
};

unsigned int cdev_major(void)
{
	return MAJOR(cdev_first);
}

/* Sends an open on to what is behind the minor number. */
static int cdev_open(struct inode *inode, struct file *file)
{
	const struct file_operations *fops = NULL;
	struct node *node;

	mutex_lock(&nodes_mutex);
	node = idr_find(&nodes, iminor(inode));
	if (node)
		fops = fops_get(node->fops);
	mutex_unlock(&nodes_mutex);
	if (!fops)
		return -ENXIO;
	replace_fops(file, fops);
	return file->f_op->open ? file->f_op->open(inode, file) : 0;
}

static const struct file_operations cdev_fops = {
	.owner = THIS_MODULE,
	.open = cdev_open,
};

/**
 * cdev_node_add_fops() - make /dev/streams/NAME
 * @name: its last component
 * @fops: what an open of it gets
 * @minor: where its minor number is stored
 *
 * Return: 0, -ENOSPC, -ENOMEM or device_create()'s error.
 * Context: may sleep.
 */
int cdev_node_add_fops(const char *name, const struct file_operations *fops,
		       int *minor)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);
	int nr;

	if (!node)
		return -ENOMEM;
	node->fops = fops;
	mutex_lock(&nodes_mutex);
	nr = idr_alloc(&nodes, node, 0, CDEV_MINORS, GFP_KERNEL);
	mutex_unlock(&nodes_mutex);
	if (nr < 0) {
		kfree(node);
		return nr;
	}
	*minor = nr;
	node->dev = device_create(cdev_class, NULL, cdev_first + nr, NULL,
				  "streams!%s", name);
	if (IS_ERR(node->dev)) {
		int err = PTR_ERR(node->dev);

		node->dev = NULL;
		cdev_node_del(nr);
		return err;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(cdev_node_add_fops);

int cdev_node_add(const char *name, int *minor)
{
	return cdev_node_add_fops(name, &dev_fops, minor);
}

/**
 * cdev_node_del() - remove a node of /dev/streams
 * @minor: its minor number
 *
 * Context: may sleep.
 */
void cdev_node_del(int minor)
{
	struct node *node;

	mutex_lock(&nodes_mutex);
	node = idr_remove(&nodes, minor);
	mutex_unlock(&nodes_mutex);
	if (node && node->dev)
		device_destroy(cdev_class, cdev_first + minor);
	kfree(node);
}
EXPORT_SYMBOL_GPL(cdev_node_del);

/* Streams are for everybody, as sockets and pipes are. */
static char *devices_devnode(CLASS_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode)
		*mode = 0666;
	return NULL;
}

int __init devices_init(void)
{
	int err;

	err = str_files_add(&dev_fops);
	if (err)
		return err;
	err = alloc_chrdev_region(&cdev_first, 0, CDEV_MINORS, "streams");
	if (err)
		goto del_files;
	cdev_class = class_create("streams");
	if (IS_ERR(cdev_class)) {
		err = PTR_ERR(cdev_class);
		goto free_region;
	}
	cdev_class->devnode = devices_devnode;
	cdev_init(&cdev, &cdev_fops);
	cdev.owner = THIS_MODULE;
	err = cdev_add(&cdev, cdev_first, CDEV_MINORS);
	if (err)
		goto free_class;
	return 0;

free_class:
	class_destroy(cdev_class);
free_region:
	unregister_chrdev_region(cdev_first, CDEV_MINORS);
del_files:
	str_files_del(&dev_fops);
	return err;
}

void devices_exit(void)
{
	cdev_del(&cdev);
	class_destroy(cdev_class);
	unregister_chrdev_region(cdev_first, CDEV_MINORS);
	str_files_del(&dev_fops);
	idr_destroy(&nodes);
}
