/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening a pipe by its name */
#ifndef _STRPIPE_OPEN_H
#define _STRPIPE_OPEN_H

#include <linux/fs.h>
#include "pipe.h"

int strpipe_fifo_open(struct strpipe_end *end, struct file *file);
int strpipe_duplex_open(struct strpipe_end *end, struct file *file);

#endif /* _STRPIPE_OPEN_H */
