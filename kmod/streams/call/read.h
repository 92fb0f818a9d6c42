/* SPDX-License-Identifier: GPL-2.0-only */
/* read() of messages; fflags: as of iocb_fflags() */
#ifndef _STREAMS_READ_H
#define _STREAMS_READ_H

#include "streams/head/stream.h"

struct str_sink;

ssize_t str_read_queue(struct stream *sd, struct iov_iter *to,
		       unsigned int fflags);
ssize_t str_use_queue(struct stream *sd, struct str_sink *sink, size_t len);
ssize_t str_copy_queue(struct stream *sd, struct iov_iter *to);

#endif /* _STREAMS_READ_H */
