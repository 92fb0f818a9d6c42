/* SPDX-License-Identifier: GPL-2.0-only */
/* splice() on a stream */
#ifndef _STREAMS_SPLICE_H
#define _STREAMS_SPLICE_H

#include <linux/pipe_fs_i.h>
#include <linux/types.h>

struct file;

static inline struct pipe_buffer *str_pipe_buffer(const struct pipe_inode_info *pipe,
						  unsigned int slot)
{
	return &pipe->bufs[slot & (pipe->ring_size - 1)];
}

/*
 * These are splice_read() and splice_write() of all files whose private data is
 * a stream.
 */
ssize_t str_splice_read(struct file *in, loff_t *ppos,
			struct pipe_inode_info *pipe, size_t len,
			unsigned int flags);
ssize_t str_splice_write(struct pipe_inode_info *pipe, struct file *out,
			 loff_t *ppos, size_t len, unsigned int flags);
void str_clear_nowait(struct file *file);

#endif /* _STREAMS_SPLICE_H */
