/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls on a full-duplex pipe that has its rings: see head/records.h */
#ifndef _STREAMS_RECORD_H
#define _STREAMS_RECORD_H

#include <sys/strio.h>

#include "streams/head/records.h"

ssize_t str_record_write(struct stream *sd, struct iov_iter *from,
			 unsigned int fflags);
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, size_t n);
int str_record_fault(struct stream *sd, struct iov_iter *to, unsigned int tries);
int str_record_putmsg(struct stream *sd, const struct strio_msg *msg);
int str_record_getmsg(struct stream *sd, struct strio_msg *msg,
		      struct strio_msg __user *result, unsigned int fflags);

#endif /* _STREAMS_RECORD_H */
