/* SPDX-License-Identifier: GPL-2.0-only */
/* The device that makes pipes */
#ifndef _STRPIPE_CONTROL_H
#define _STRPIPE_CONTROL_H

#include <linux/init.h>

int __init strpipe_control_init(void);
void strpipe_control_exit(void);

#endif /* _STRPIPE_CONTROL_H */
