/* SPDX-License-Identifier: GPL-2.0-only */
/* splice() and vmsplice() on STREAMS pipes */
#ifndef _STRPIPE_SPLICE_H
#define _STRPIPE_SPLICE_H

#include <linux/fs.h>
#include <sys/strio.h>
#include "pipe.h"

struct strpipe_end *strpipe_of_file(const struct file *file);
struct pipe_inode_info *strpipe_native(const struct file *file);
long strpipe_with_files(const struct strio_splice *arg,
			long (*act)(const struct strio_splice *arg,
				    struct file *in, struct file *out));
long strpipe_splice(const struct strio_splice __user *arg);
long strpipe_vmsplice(struct file *file, const struct strio_vmsplice __user *arg);

#endif /* _STRPIPE_SPLICE_H */
