/* SPDX-License-Identifier: GPL-2.0-only */
/* Transparent ioctls */
#ifndef _STREAMS_COPYIO_H
#define _STREAMS_COPYIO_H

#include "streams/head/stream.h"

long str_ioctl_transparent(struct stream *sd, const struct file *file,
			   unsigned int cmd, unsigned long arg, int model);

#endif /* _STREAMS_COPYIO_H */
