/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream head, for the modules that give files to streams */
#ifndef _STREAMS_HEAD_H
#define _STREAMS_HEAD_H

#include "compat.h"
#include "fdinsert.h"
#include "files.h"
#include "flush.h"
#include "hold.h"
#include "id.h"
#include "inspect.h"
#include "ioctl.h"
#include "msgio.h"
#include "option.h"
#include "plumb.h"
#include "poll.h"
#include "read.h"
#include "rput.h"
#include "signal.h"
#include "state.h"
#include "stream.h"
#include "strioctl.h"
#include "write.h"

struct seq_file;

/*
 * A pipe embeds its streams; their memory may be freed after a grace period
 * only.
 */
void str_init(struct stream *sd, struct strperim *p);
void str_pipe_connect(struct stream *from, struct stream *to, size_t hiwat,
		      size_t lowat);
int str_pipe_resize(struct stream *to, size_t hiwat, size_t lowat);
void str_destroy(struct stream *sd);
size_t str_bytes(struct stream *sd);
void str_show(struct seq_file *m, struct stream *sd);
void str_show_modules(struct seq_file *m, struct stream *sd);

/* Beside the flags of a file: this call wants no SIGPIPE. */
#define STR_NOSIGNAL	BIT(31)
/* It takes what fits of a packet, and waits for no more than there is. */
#define STR_SPLICE	BIT(30)
/* It leaves the bytes that it reads where they are. */
#define STR_PEEK	BIT(29)

/* The modes that read() and write() obey, of a file and of one call. */
static inline unsigned int iocb_fflags(const struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags |
	       (iocb->ki_flags & IOCB_NOWAIT ? O_NONBLOCK : 0) |
	       (iocb->ki_flags & IOCB_NOSIGNAL ? STR_NOSIGNAL : 0);
}

#endif /* _STREAMS_HEAD_H */
