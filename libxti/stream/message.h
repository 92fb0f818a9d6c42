/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* message.h - the first message of a stream */
#ifndef _LIBXTI_STREAM_MESSAGE_H
#define _LIBXTI_STREAM_MESSAGE_H

#include "libstreams/strio.h"
#include "core/tpi.h"

/* Looks at the first message. Returns 1, 0 when there is no message, or -1. */
LOCAL int stream_peek(int fd, struct strpeek *first, t_scalar_t *word);
/*
 * Takes the control part of the first message, if that has high priority.
 * Returns TNODATA otherwise.
 */
LOCAL int stream_take_high(int fd, void *buf, size_t size, int *len);

/* Describes where to store a part of a message; NULL: the part is not read. */
static inline struct strio_buf stream_make_room(void *at, size_t size)
{
	return (struct strio_buf){
		.maxlen = at ? (int)size : -1,
		.len = -1,
		.buf = (uintptr_t)at,
	};
}

/*
 * Takes the first message, if it has the type. Returns what getmsg() left of
 * it, or -1.
 */
static inline int stream_get(int fd, int type, struct strio_msg *m)
{
	m->band = type == TPI_DATA ? -1 : type;
	m->flags = STRIO_PEEKED;
	return strio_getmsg(fd, m);
}

#endif /* _LIBXTI_STREAM_MESSAGE_H */
