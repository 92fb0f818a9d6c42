/* SPDX-License-Identifier: GPL-2.0-only */
/* The file system of a stream's name */
#ifndef _STRPIPE_NAMEFS_H
#define _STRPIPE_NAMEFS_H

#include <linux/fs.h>

bool strpipe_namefs_is(const struct super_block *sb);
int __init strpipe_namefs_init(void);
void strpipe_namefs_exit(void);

#endif /* _STRPIPE_NAMEFS_H */
