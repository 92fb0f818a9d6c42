/* SPDX-License-Identifier: GPL-2.0-only */
/* write() in messages; fflags: as of iocb_fflags() */
#ifndef _STREAMS_WRITE_H
#define _STREAMS_WRITE_H

#include "streams/head/stream.h"

struct str_source;

ssize_t str_write_queue(struct stream *sd, struct iov_iter *from,
			unsigned int fflags);

mblk_t *str_data_alloc(struct stream *sd, size_t left, bool first);
ssize_t str_fill_queue(struct stream *sd, struct str_source *source, size_t len,
		       unsigned int fflags);

#endif /* _STREAMS_WRITE_H */
