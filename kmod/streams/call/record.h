/* SPDX-License-Identifier: GPL-2.0-only */
/* read() and write() of a full-duplex pipe that has its rings: see head/records.h */
#ifndef _STREAMS_RECORD_H
#define _STREAMS_RECORD_H

#include "streams/head/stream.h"

ssize_t str_record_write(struct stream *sd, struct iov_iter *from,
			 unsigned int fflags);
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, size_t n);
int str_record_fault(struct stream *sd, struct iov_iter *to, unsigned int tries);

#endif /* _STREAMS_RECORD_H */
