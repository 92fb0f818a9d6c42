/* SPDX-License-Identifier: GPL-2.0-only */
/* Asking for the signals of a stream */
#ifndef _STREAMS_WATCH_H
#define _STREAMS_WATCH_H

#include "stream.h"

int str_fasync(struct stream *sd, int fd, struct file *file, int on);
int str_file_flush(struct stream *sd, struct file *file);
void str_signal_forget(struct str_more *more, struct file *file);
long str_ioctl_setsig(struct stream *sd, struct file *file,
		      unsigned long events);
long str_ioctl_getsig(struct stream *sd, struct file *file, int __user *arg);
long str_ioctl_esetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg);
long str_ioctl_egetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg);

#endif /* _STREAMS_WATCH_H */
