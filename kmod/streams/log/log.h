/* SPDX-License-Identifier: GPL-2.0-only */
/* The log driver */
#ifndef _STREAMS_LOG_H
#define _STREAMS_LOG_H

#include <linux/init.h>

int __init log_init(void);
void log_exit(void);

#endif /* _STREAMS_LOG_H */
