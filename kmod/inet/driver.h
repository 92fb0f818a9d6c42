/* SPDX-License-Identifier: GPL-2.0-only */
/* The drivers of the kernel's transports */
#ifndef _STRINET_DRIVER_H
#define _STRINET_DRIVER_H

#include <linux/init.h>

int __init strinet_driver_init(void);
void strinet_driver_exit(void);

#endif /* _STRINET_DRIVER_H */
