// SPDX-License-Identifier: GPL-2.0-only
/*
 * splice() and sendfile(): bytes between a stream and a pipe of the kernel's
 *
 * A stream has no position. Bytes are copied, as by read() and write(), and the
 * calls wait where those on two native pipes do. The kernel's copy_splice_read()
 * and iter_file_splice_write() would not: the former transfers less when few pages
 * are free, neither takes SPLICE_F_NONBLOCK, and the latter waits until all is
 * written, with the pipe locked.
 */
#include <linux/bvec.h>
#include <linux/splice.h>

#include "streams/head/stream.h"
#include "streams/head/wake.h"
#include "io.h"
#include "splice.h"

/* A file that was spliced takes no RWF_NOWAIT any more, as natively. */
void str_clear_nowait(struct file *file)
{
	fmode_t mode = READ_ONCE(file->f_mode);

	while (mode & FMODE_NOWAIT &&
	       !try_cmpxchg(&file->f_mode, &mode, mode & ~FMODE_NOWAIT))
		;
}
EXPORT_SYMBOL_GPL(str_clear_nowait);

static unsigned int splice_fflags(const struct file *file, unsigned int flags)
{
	return file->f_flags | STR_SPLICE | (flags & SPLICE_F_NONBLOCK ? O_NONBLOCK : 0);
}

/*
 * Moves the first bytes of the pages to the pipe, which the caller of splice_read()
 * has locked and found room in, and frees the pages that stay empty.
 */
static void give_pages(struct pipe_inode_info *pipe, const struct bio_vec *bv,
		       unsigned int n, size_t bytes)
{
	for (; n--; bv++) {
		struct pipe_buffer buf = {
			.ops = &nosteal_pipe_buf_ops,
			.page = bv->bv_page,
			.len = min_t(size_t, bytes, PAGE_SIZE),
		};

		if (buf.len)
			add_to_pipe(pipe, &buf);
		else
			__free_page(buf.page);
		bytes -= buf.len;
	}
}

/**
 * str_splice_read() - splice_read() of a stream's file
 * @in: the file; its private data is the stream
 * @ppos: ignored
 * @pipe: the pipe to fill, locked
 * @len: bytes at most, no more than @pipe has room for
 * @flags: SPLICE_F_NONBLOCK and others
 *
 * Return: as str_read(); -ENOMEM when there is no page.
 */
ssize_t str_splice_read(struct file *in, loff_t *ppos,
			struct pipe_inode_info *pipe, size_t len,
			unsigned int flags)
{
	unsigned int most = DIV_ROUND_UP(len, PAGE_SIZE), n;
	struct iov_iter to;
	struct bio_vec *bv;
	ssize_t ret;

	str_clear_nowait(in);
	bv = kmalloc_array(most, sizeof(*bv), GFP_KERNEL);
	if (!bv)
		return -ENOMEM;
	for (n = 0; n < most; n++) {
		struct page *page = alloc_page(GFP_KERNEL_ACCOUNT);

		if (!page)
			break;
		bv[n] = (struct bio_vec){ .bv_page = page, .bv_len = PAGE_SIZE };
	}
	iov_iter_bvec(&to, ITER_DEST, bv, n, min(len, n * PAGE_SIZE));
	ret = n ? str_read(in->private_data, &to, splice_fflags(in, flags)) :
		  -ENOMEM;
	give_pages(pipe, bv, n, max_t(ssize_t, ret, 0));
	kfree(bv);
	return ret;
}
EXPORT_SYMBOL_GPL(str_splice_read);

/*
 * The pages written at once; the kernel's pipe behind sendfile() has as many.
 */
#define WRITE_PAGES	PIPE_DEF_BUFFERS

struct splice_out {
	struct file *file;
	size_t ahead;		/* bytes written, of buffers not taken yet */
};

/* Writes the first buffers of the pipe as bytes, not as packets, in one write. */
static ssize_t write_buffers(struct pipe_inode_info *pipe, struct file *out,
			     size_t total)
{
	typeof(pipe->tail) slot = pipe->tail;
	struct bio_vec bv[WRITE_PAGES];
	struct iov_iter from;
	size_t bytes = 0;
	unsigned int n;

	for (n = 0; n < WRITE_PAGES && bytes < total && slot != pipe->head; n++) {
		struct pipe_buffer *buf = str_pipe_buffer(pipe, slot++);

		/* A write() that failed can leave an empty buffer. */
		if (!buf->len || pipe_buf_confirm(pipe, buf))
			break;
		bv[n] = (struct bio_vec){
			.bv_page = buf->page,
			.bv_offset = buf->offset,
			.bv_len = min_t(size_t, buf->len, total - bytes),
		};
		bytes += bv[n].bv_len;
	}
	/*
	 * A write() of no bytes is left out: it can be a message of its own,
	 * SNDZERO.
	 */
	if (!n)
		return 0;
	iov_iter_bvec(&from, ITER_SOURCE, bv, n, bytes);
	return str_write(out->private_data, &from,
			 (out->f_flags & ~O_DIRECT) | O_NONBLOCK);
}

/*
 * Writes one buffer. The first call also writes the buffers behind it: a reader
 * is woken, and signalled, once.
 */
static int write_buffer(struct pipe_inode_info *pipe, struct pipe_buffer *buf,
			struct splice_desc *desc)
{
	struct splice_out *out = desc->u.data;
	size_t taken;

	if (!out->ahead) {
		ssize_t ret = write_buffers(pipe, out->file, desc->total_len);

		if (ret <= 0)
			return ret;
		out->ahead = ret;
	}
	taken = min_t(size_t, out->ahead, desc->len);
	out->ahead -= taken;
	return taken;
}

/*
 * Empties the buffers that were written and not taken, whose pages could be
 * read before and cannot any more. The next reader of the pipe frees the
 * buffers.
 */
static size_t take_ahead(struct pipe_inode_info *pipe, size_t ahead)
{
	typeof(pipe->tail) slot = pipe->tail;
	size_t left = ahead;

	while (left) {
		struct pipe_buffer *buf = str_pipe_buffer(pipe, slot++);
		size_t taken = min_t(size_t, left, buf->len);

		buf->offset += taken;
		buf->len -= taken;
		left -= taken;
	}
	return ahead;
}

/**
 * str_splice_write() - splice_write() of a stream's file
 * @pipe: the pipe to empty
 * @out: the file; its private data is the stream
 * @ppos: ignored
 * @len: bytes at most
 * @flags: SPLICE_F_NONBLOCK and others
 *
 * Waits until some bytes fit, and writes those that do.
 *
 * Return: bytes written, or as str_write().
 */
ssize_t str_splice_write(struct pipe_inode_info *pipe, struct file *out,
			 loff_t *ppos, size_t len, unsigned int flags)
{
	struct stream *sd = out->private_data;
	struct splice_out to = { .file = out };
	struct splice_desc desc = {
		.total_len = len,
		.flags = flags,
		.u.data = &to,
	};
	ssize_t ret;

	str_clear_nowait(out);
	if (out->f_flags & O_NONBLOCK)
		desc.flags |= SPLICE_F_NONBLOCK;
	for (;;) {
		pipe_lock(pipe);
		ret = __splice_from_pipe(pipe, &desc, write_buffer);
		if (unlikely(to.ahead))
			ret = max_t(ssize_t, ret, 0) + take_ahead(pipe, to.ahead);
		pipe_unlock(pipe);
		if (ret != -EAGAIN || desc.flags & SPLICE_F_NONBLOCK)
			break;
		ret = str_wait_room(sd, 0, PIPE_BUF, 0);
		if (ret)
			break;
	}
	return ret;
}
EXPORT_SYMBOL_GPL(str_splice_write);
