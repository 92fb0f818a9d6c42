/* SPDX-License-Identifier: GPL-2.0-only */
/* STRIO_PIPE: the other end of a pipe */
#ifndef _STRPIPE_OTHER_H
#define _STRPIPE_OTHER_H

#include <linux/fs.h>
#include <sys/strio.h>

int strpipe_open_other(struct file *file, const struct strio_pipe __user *user);

#endif /* _STRPIPE_OTHER_H */
