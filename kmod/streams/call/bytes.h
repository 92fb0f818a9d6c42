/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls on a FIFO that has its ring: see store.h */
#ifndef _STREAMS_BYTES_H
#define _STREAMS_BYTES_H

#include "store.h"

ssize_t str_bytes_put(struct stream *sd, struct iov_iter *from, unsigned int fflags);
ssize_t str_bytes_fill(struct stream *sd, struct str_source *source, size_t len,
		       unsigned int fflags);
ssize_t str_bytes_take(struct stream *sd, struct iov_iter *to, unsigned int fflags);
ssize_t str_bytes_use(struct stream *sd, struct str_sink *sink, size_t len);
ssize_t str_bytes_copy(struct stream *sd, struct iov_iter *to);

#endif /* _STREAMS_BYTES_H */
