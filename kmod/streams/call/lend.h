/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a stream that other code reads and writes in place */
#ifndef _STREAMS_LEND_H
#define _STREAMS_LEND_H

#include <linux/types.h>
#include <sys/stream.h>

struct iov_iter;
struct stream;

/*
 * Bytes to put into a stream. fill() copies up to as many as the iterator has room
 * for; returns their number, 0 at the end, or an error.
 */
struct str_source {
	ssize_t (*fill)(struct str_source *source, struct iov_iter *to);
	bool again;		/* after a whole part: fill() does not wait now */
};

/*
 * A use for the bytes of a stream, which are in kernel memory. use() returns how many
 * it has taken, or an error.
 */
struct str_sink {
	ssize_t (*use)(struct str_sink *sink, struct iov_iter *from);
	bool more;		/* there are others of those asked for */
	bool unlocked;		/* use() may not be called with locks of the stream */
};

ssize_t str_fill(struct stream *sd, struct str_source *source, size_t len,
		 unsigned int fflags);
ssize_t str_use(struct stream *sd, struct str_sink *sink, size_t len);
ssize_t str_copy(struct stream *sd, struct iov_iter *to);
int str_wait_data(struct stream *sd, unsigned int fflags);
int str_wait_room(struct stream *sd, size_t len, unsigned int fflags);

#endif /* _STREAMS_LEND_H */
