// SPDX-License-Identifier: GPL-2.0-only
/* 6.5: the commands of fcntl() for pipes take numbers of 32 bits */
#include <linux/fs.h>
#include <linux/pipe_fs_i.h>

long probe(struct file *file);
long probe(struct file *file)
{
	long (*fcntl)(struct file *file, unsigned int cmd, unsigned int arg) = pipe_fcntl;

	return fcntl(file, 0, 0);
}
