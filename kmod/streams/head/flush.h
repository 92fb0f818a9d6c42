/* SPDX-License-Identifier: GPL-2.0-only */
/* Flushing a stream */
#ifndef _STREAMS_FLUSH_H
#define _STREAMS_FLUSH_H

#include "stream.h"

struct bandinfo;
struct file;

void str_flush(struct stream *sd, int what, int band);
void str_flush_settle(void);
void str_drop(struct stream *sd);
void str_rput_flush(queue_t *q, mblk_t *mp);
long str_ioctl_flush(struct stream *sd, const struct file *file,
		     unsigned long what);
long str_ioctl_flushband(struct stream *sd, const struct file *file,
			 struct bandinfo __user *arg);

#endif /* _STREAMS_FLUSH_H */
