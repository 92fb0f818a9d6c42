/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/streams/pipe, which makes pipes */
#ifndef _STRPIPE_DEVICE_H
#define _STRPIPE_DEVICE_H

#include <linux/init.h>

int __init strpipe_device_init(void);
void strpipe_device_exit(void);

#endif /* _STRPIPE_DEVICE_H */
