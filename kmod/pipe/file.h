/* SPDX-License-Identifier: GPL-2.0-only */
/* The file operations of pipes, and of pipes and devices opened by a name */
#ifndef _STRPIPE_FILE_H
#define _STRPIPE_FILE_H

#include <linux/fs.h>

/*
 * The operations of a pipe opened by /proc/self/fd, of a pipe opened by a name,
 * and of a device opened by a name
 */
extern const struct file_operations strpipe_fops;
extern const struct file_operations strpipe_named_fops;
extern const struct file_operations strpipe_device_fops;
int strpipe_files_init(void);
void strpipe_files_exit(void);

#endif /* _STRPIPE_FILE_H */
