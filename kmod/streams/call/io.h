/* SPDX-License-Identifier: GPL-2.0-only */
/* read() and write(); fflags: as of iocb_fflags() */
#ifndef _STREAMS_IO_H
#define _STREAMS_IO_H

#include "streams/head/stream.h"

ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags);
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags);

#endif /* _STREAMS_IO_H */
