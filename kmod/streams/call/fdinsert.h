/* SPDX-License-Identifier: GPL-2.0-only */
/* I_FDINSERT */
#ifndef _STREAMS_FDINSERT_H
#define _STREAMS_FDINSERT_H

#include "streams/head/stream.h"

int str_fdinsert(struct stream *sd, struct file *file,
		 const struct strfdinsert *fdi);
long str_ioctl_fdinsert(struct stream *sd, struct file *file,
			struct strfdinsert __user *arg);

#endif /* _STREAMS_FDINSERT_H */
