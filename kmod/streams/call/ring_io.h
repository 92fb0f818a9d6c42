/* SPDX-License-Identifier: GPL-2.0-only */
/* read() and write() of a FIFO's ring; fflags: as of iocb_fflags() */
#ifndef _STREAMS_RING_IO_H
#define _STREAMS_RING_IO_H

#include "streams/head/stream.h"

ssize_t ring_write(struct stream *sd, struct iov_iter *from,
		   unsigned int fflags);
ssize_t ring_read(struct stream *sd, struct iov_iter *to, unsigned int fflags);

#endif /* _STREAMS_RING_IO_H */
