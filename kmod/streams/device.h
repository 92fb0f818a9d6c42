/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams of drivers: opening a device node */
#ifndef _STREAMS_DEVICE_H
#define _STREAMS_DEVICE_H

#include <linux/fs.h>
#include <linux/init.h>

/* Of all nodes that lead to a driver. */
extern const struct file_operations device_fops;

int __init devices_init(void);
void devices_exit(void);

#endif /* _STREAMS_DEVICE_H */
