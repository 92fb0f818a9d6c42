/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals for events on a stream */
#ifndef _STREAMS_SIGNAL_H
#define _STREAMS_SIGNAL_H

#include "stream.h"

void str_notify(struct stream *sd, unsigned int events);
void str_notify_read(struct stream *sd, __poll_t bits);
void str_notify_write(struct stream *sd);
void str_signal(struct stream *sd, const mblk_t *mp);
void str_front(struct stream *sd);
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

#endif /* _STREAMS_SIGNAL_H */
