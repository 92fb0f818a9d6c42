/* SPDX-License-Identifier: GPL-2.0-only */
/* The mounts of names */
#ifndef _STRPIPE_MOUNT_H
#define _STRPIPE_MOUNT_H

#include <linux/init.h>
#include <sys/strio.h>

int strpipe_name_arm(const struct strio_named __user *arg);
int strpipe_name_bare(int fd);
int __init strpipe_mounts_init(void);

#endif /* _STRPIPE_MOUNT_H */
