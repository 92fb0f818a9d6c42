/* SPDX-License-Identifier: GPL-2.0-only */
/* read() of messages; fflags: as of iocb_fflags() */
#ifndef _STREAMS_READ_H
#define _STREAMS_READ_H

#include "streams/head/stream.h"

ssize_t str_read_queue(struct stream *sd, struct iov_iter *to,
		       unsigned int fflags);

#endif /* _STREAMS_READ_H */
