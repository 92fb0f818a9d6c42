/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that the files of libstreams.so share */
#ifndef _LIBSTREAMS_H
#define _LIBSTREAMS_H

#include <stdint.h>
#include <stropts.h>
#include <sys/strio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOCAL	__attribute__((visibility("hidden")))

LOCAL int stream_error(int fildes);
LOCAL int pipe_open(int fds[2], int flags);
/*
 * The ioctls of <sys/strio.h>, for callers that need more than getmsg() and putmsg(). Of
 * ioctl() the part that takes any number of arguments costs more than the call itself.
 */
static inline int strio_getmsg(int fildes, struct strio_msg *msg)
{
	int more = syscall(SYS_ioctl, fildes, STRIO_GETMSG, msg);

	return more < 0 ? stream_error(fildes) : more;
}

static inline int strio_putmsg(int fildes, const struct strio_msg *msg)
{
	return syscall(SYS_ioctl, fildes, STRIO_PUTMSG, msg) < 0 ? stream_error(fildes) : 0;
}

/* A part as the kernel takes it; no strbuf: there is no such part. */
static inline struct strio_buf to_strio(const struct strbuf *part)
{
	struct strio_buf none = { .maxlen = -1, .len = -1 };

	if (!part)
		return none;
	return (struct strio_buf){
		.maxlen = part->maxlen,
		.len = part->len,
		.buf = (uintptr_t)part->buf,
	};
}

#endif /* _LIBSTREAMS_H */
