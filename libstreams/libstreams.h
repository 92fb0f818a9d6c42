/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libstreams.so share */
#ifndef _LIBSTREAMS_H
#define _LIBSTREAMS_H

#include <stdint.h>
#include <stropts.h>
#include <sys/strio.h>

#define LOCAL	__attribute__((visibility("hidden")))

LOCAL int stream_error(int fildes);
/*
 * The first message, if its control part begins with a word (not -1: that is if
 * it has none), as I_PEEK has shown; else EAGAIN, without waiting. As getmsg()
 * otherwise.
 */
LOCAL int getmsg_peeked(int fildes, struct strbuf *ctlptr,
			struct strbuf *dataptr, int word);
/*
 * As putpmsg() with MSG_BAND, with flags of <sys/strio.h>; the word is what
 * STRIO_PEEKED expects to be read first.
 */
LOCAL int putmsg_flags(int fildes, const struct strbuf *ctlptr,
		       const struct strbuf *dataptr, int band, int flags,
		       int word);

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
