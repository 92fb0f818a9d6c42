/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams of drivers: opening a device node */
#ifndef _STREAMS_DEVICE_H
#define _STREAMS_DEVICE_H

#include <linux/init.h>

int __init devices_init(void);
void devices_exit(void);

#endif /* _STREAMS_DEVICE_H */
