/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading from and writing to a stream; fflags: as of iocb_fflags() */
#ifndef _STREAMS_IO_H
#define _STREAMS_IO_H

#include "streams/head/stream.h"

struct str_sink;
struct str_source;

ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags);
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags);
ssize_t str_fill(struct stream *sd, struct str_source *source, size_t len,
		 unsigned int fflags);
ssize_t str_use(struct stream *sd, struct str_sink *sink, size_t len);
ssize_t str_copy(struct stream *sd, struct iov_iter *to);

#endif /* _STREAMS_IO_H */
