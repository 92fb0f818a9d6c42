// SPDX-License-Identifier: GPL-2.0-only
/*
 * strnodata: /dev/strnodata, whose first read fails with ENODATA, as that of a bad disk, and
 * whose later reads return zeros
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uio.h>

static ssize_t nodata_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;

	if (!file->private_data) {
		file->private_data = file;
		return -ENODATA;
	}
	return iov_iter_zero(iov_iter_count(to), to);
}

/*
 * splice() requires this function; nodata_read() reads the bytes for a STREAMS
 * pipe.
 */
static ssize_t nodata_splice_read(struct file *in, loff_t *ppos, struct pipe_inode_info *pipe,
				  size_t len, unsigned int flags)
{
	return -EOPNOTSUPP;
}

static int nodata_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return stream_open(inode, file);
}

static const struct file_operations nodata_fops = {
	.owner = THIS_MODULE,
	.open = nodata_open,
	.read_iter = nodata_read,
	.splice_read = nodata_splice_read,
	.llseek = noop_llseek,
};

static struct miscdevice nodata_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "strnodata",
	.fops = &nodata_fops,
	.mode = 0444,
};

module_misc_device(nodata_device);
MODULE_DESCRIPTION("a file whose first read fails with ENODATA");
MODULE_LICENSE("GPL");
