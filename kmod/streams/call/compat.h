/* SPDX-License-Identifier: GPL-2.0-only */
/* ioctl() of a 32-bit program */
#ifndef _STREAMS_COMPAT_H
#define _STREAMS_COMPAT_H

#include "streams/head/stream.h"

long str_compat_ioctl(struct stream *sd, struct file *file, unsigned int cmd,
		      unsigned long arg);

#endif /* _STREAMS_COMPAT_H */
