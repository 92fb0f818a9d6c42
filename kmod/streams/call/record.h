/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls on a full-duplex pipe that has its rings: see store.h */
#ifndef _STREAMS_RECORD_H
#define _STREAMS_RECORD_H

#include "store.h"

ssize_t str_record_put(struct stream *sd, struct iov_iter *from, unsigned int fflags);
int str_record_putmsg(struct stream *sd, const struct strio_msg *msg,
		      const struct str_insert *insert, unsigned int fflags);
ssize_t str_record_take(struct stream *sd, struct iov_iter *to, unsigned int fflags);
int str_record_getmsg(struct stream *sd, struct strio_msg *msg,
		      struct strio_msg __user *result, unsigned int fflags);

#endif /* _STREAMS_RECORD_H */
