/* SPDX-License-Identifier: GPL-2.0-only */
/* The file system of pipes without a name */
#ifndef _STRPIPE_PIPEFS_H
#define _STRPIPE_PIPEFS_H

#include <linux/mount.h>
#include "pipe.h"

extern struct vfsmount *strpipe_mnt;
int strpipe_become(struct strpipe_end *end, struct file *file,
		   const struct file_operations *fops);
struct file *strpipe_file(struct strpipe_end *end, unsigned int flags,
			  const struct file_operations *fops);
int __init strpipe_fs_init(void);
void strpipe_fs_exit(void);

#endif /* _STRPIPE_PIPEFS_H */
