/* SPDX-License-Identifier: GPL-2.0-only */
/* The stream head: its lifetime and state */
#ifndef _STREAMS_HEAD_H
#define _STREAMS_HEAD_H

#include "stream.h"

struct seq_file;

/*
 * Prepares a stream that a pipe embeds; its memory may be freed only after a
 * grace period.
 */
void str_init(struct stream *sd, struct strperim *p);
void str_pipe_connect(struct stream *from, struct stream *to, size_t hiwat,
		      size_t lowat);
int str_pipe_resize(struct stream *to, size_t hiwat, size_t lowat);
void str_destroy(struct stream *sd);
void str_file_closed(struct stream *sd, struct file *file);
void str_show(struct seq_file *m, struct stream *sd);
void str_show_modules(struct seq_file *m, struct stream *sd);

#endif /* _STREAMS_HEAD_H */
