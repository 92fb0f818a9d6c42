/* SPDX-License-Identifier: GPL-2.0-only */
/* ioctl() on a stream */
#ifndef _STREAMS_IOCTL_H
#define _STREAMS_IOCTL_H

#include "streams/head/stream.h"

long str_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
	       unsigned long arg);
int str_ioctl_enter(struct stream *sd, const struct file *file,
		    unsigned int cmd);
long str_list(struct stream *sd, struct str_mlist __user *to, int room,
	      int __user *count);

#endif /* _STREAMS_IOCTL_H */
