/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The store of a stream head: where what was written waits for its reader
 *
 * There is one for each form (forms.c). A ring may end at any time, for good, and its bytes
 * become messages. So the operation of a ring that finds it ended is that of messages, and so
 * is one that only messages have. Each operation of messages ends a ring first.
 */
#ifndef _STREAMS_STORE_H
#define _STREAMS_STORE_H

#include <linux/uio.h>
#include <sys/strio.h>

struct stream;
struct str_insert;

/*
 * The source of bytes to put into a stream. fill() copies as many as the
 * iterator has room for, at most, and returns their number, 0 at the end, or an
 * error.
 */
struct str_source {
	ssize_t (*fill)(struct str_source *source, struct iov_iter *to);
	bool again;		/* after a whole part: fill() does not wait now */
};

/*
 * A user of the bytes of a stream, which are in kernel memory. use() returns
 * how many bytes it has taken, or an error.
 */
struct str_sink {
	ssize_t (*use)(struct str_sink *sink, struct iov_iter *from);
	bool more;		/* there are others of those asked for */
	bool unlocked;		/* use() may not be called with locks of the stream */
};

struct str_store {
	/*
	 * The functions that write: str_write(), str_putmsg() and str_fill()
	 * call these.
	 */
	ssize_t (*put)(struct stream *sd, struct iov_iter *from, unsigned int fflags);
	int (*putmsg)(struct stream *sd, const struct strio_msg *msg,
		      const struct str_insert *insert, unsigned int fflags);
	ssize_t (*fill)(struct stream *sd, struct str_source *source, size_t len,
			unsigned int fflags);
	/*
	 * The functions that read: str_read(), str_getmsg(), str_use() and
	 * str_copy() call these.
	 */
	ssize_t (*take)(struct stream *sd, struct iov_iter *to, unsigned int fflags);
	int (*getmsg)(struct stream *sd, struct strio_msg *msg,
		      struct strio_msg __user *result, unsigned int fflags);
	ssize_t (*use)(struct stream *sd, struct str_sink *sink, size_t len);
	ssize_t (*copy)(struct stream *sd, struct iov_iter *to);
};

#endif /* _STREAMS_STORE_H */
