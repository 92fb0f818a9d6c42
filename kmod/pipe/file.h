/* SPDX-License-Identifier: GPL-2.0-only */
/* The file operations of pipes, and of pipes and devices opened by a name */
#ifndef _STRPIPE_FILE_H
#define _STRPIPE_FILE_H

#include <linux/fs.h>

/* Opened by /proc/self/fd, by a name, and a device by a name. */
extern const struct file_operations strpipe_fops;
extern const struct file_operations strpipe_named_fops;
extern const struct file_operations strpipe_device_fops;
int strpipe_files_init(void);
void strpipe_files_exit(void);

#endif /* _STRPIPE_FILE_H */
