// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/streams/pipe, which makes pipes
 *
 * A file that is opened for reading becomes the reading end of a new FIFO, and one that
 * is opened for reading and writing an end of a new full-duplex pipe. STRIO_PIPE then
 * opens the other end. A file with access mode 3 stays a file of the device, for the
 * ioctls of names.
 */
#include <linux/uaccess.h>

#include "streams/device/cdev.h"
#include "device.h"
#include "file.h"
#include "mount.h"
#include "pipe.h"
#include "pipefs.h"

static int pipedev_minor;

static int pipedev_open(struct inode *inode, struct file *file)
{
	fmode_t mode = file->f_mode & (FMODE_READ | FMODE_WRITE);
	struct strpipe *pipe;

	if (!mode)
		return 0;
	if (mode == FMODE_WRITE)
		return -EINVAL;
	pipe = strpipe_alloc(mode & FMODE_WRITE ? 2 : 1);
	if (IS_ERR(pipe))
		return PTR_ERR(pipe);
	pipe->half = true;
	/* No file of the other end is open. */
	pipe->end[0].sd.sd_flag |= STR_NOREADER | STR_NOWRITER;
	return strpipe_become(&pipe->end[0], file, &strpipe_fops);
}

static long pipedev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case STRIO_NAMED:
		return strpipe_name_arm((struct strio_named __user *)arg);
	case STRIO_BARE:
		return strpipe_name_bare(arg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations pipedev_fops = {
	.owner = THIS_MODULE,
	.open = pipedev_open,
	.unlocked_ioctl = pipedev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

int __init strpipe_device_init(void)
{
	return str_cdev_node_add_fops("pipe", &pipedev_fops, &pipedev_minor);
}

void strpipe_device_exit(void)
{
	str_cdev_node_del(pipedev_minor);
}
