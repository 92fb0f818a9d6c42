/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that pipes may take */
#ifndef _STRPIPE_LIMITS_H
#define _STRPIPE_LIMITS_H

#include <linux/init.h>

#define STRPIPE_LIMIT_SOFT	0x1
#define STRPIPE_LIMIT_HARD	0x2

int strpipe_limit(unsigned long pages);
unsigned long strpipe_size_limit(unsigned long size);
void strpipe_limits_read(void);
void strpipe_limits_refresh(void);
void __init strpipe_limits_init(void);
void strpipe_limits_exit(void);

#endif /* _STRPIPE_LIMITS_H */
