/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strio.h - the ioctls of <sys/strio.h>, for callers that need more than getmsg() and
 * putmsg()
 *
 * syscall() makes them: the part of ioctl() that takes any number of arguments costs more
 * than the call itself.
 */
#ifndef _LIBSTREAMS_STRIO_H
#define _LIBSTREAMS_STRIO_H

#include <stdint.h>
#include <stropts.h>
#include <sys/strio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOCAL	__attribute__((visibility("hidden")))

/*
 * Sets errno after an ioctl of a stream has failed: another descriptor answers as its own
 * driver likes, and the caller is to get ENOSTR. Returns -1.
 */
LOCAL int stream_error(int fildes);

static inline int strio_getmsg(int fildes, struct strio_msg *msg)
{
	int more = syscall(SYS_ioctl, fildes, STRIO_GETMSG, msg);

	return more < 0 ? stream_error(fildes) : more;
}

static inline int strio_putmsg(int fildes, const struct strio_msg *msg)
{
	return syscall(SYS_ioctl, fildes, STRIO_PUTMSG, msg) < 0 ? stream_error(fildes) : 0;
}

/* Describes a part as the kernel takes it; NULL: there is no such part. */
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

#endif /* _LIBSTREAMS_STRIO_H */
