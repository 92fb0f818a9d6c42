// SPDX-License-Identifier: GPL-2.0-only
/*
 * tee() with a STREAMS pipe on one side, or on both
 *
 * The bytes of one pipe are copied to the other, and stay. One call copies as many as
 * a pipe holds by default, at most. The order of locks is that of splice.c.
 */
#include <linux/bvec.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/splice.h>
#include <linux/uaccess.h>

#include "streams/call/splice.h"
#include "streams/call/store.h"
#include "pipe.h"
#include "splice.h"
#include "tee.h"

/* The most bytes of one call */
#define TEE_MOST	(RING_PAGES * PAGE_SIZE)

/* The bytes of a STREAMS pipe, or of a native one, which is locked */
struct tee_source {
	struct str_source source;
	struct stream *from;
	struct pipe_inode_info *pipe;
};

static ssize_t stream_fill(struct str_source *source, struct iov_iter *to)
{
	struct tee_source *tee = container_of(source, struct tee_source, source);

	/* The same bytes are copied again. */
	if (source->again)
		return 0;
	return str_copy(tee->from, to);
}

static ssize_t tee_streams(struct strpipe_end *in, struct strpipe_end *out,
			   size_t len, unsigned int fflags)
{
	struct tee_source tee = {
		.source.fill = stream_fill, .from = &in->sd,
	};
	int err;

	err = str_wait_data(&in->sd, fflags);
	if (err < 0)
		return err;
	err = str_fill(&out->sd, &tee.source, min(len, TEE_MOST), fflags);
	/*
	 * Another reader took the bytes: the call returns 0, as on a native
	 * pipe.
	 */
	return err == -EAGAIN && !fflags ? 0 : err;
}

static bool native_has_data(struct pipe_inode_info *pipe)
{
	return !pipe_empty(READ_ONCE(pipe->head), READ_ONCE(pipe->tail));
}

static bool native_has_room(struct pipe_inode_info *pipe)
{
	return !pipe_full(READ_ONCE(pipe->head), READ_ONCE(pipe->tail),
			  READ_ONCE(pipe->max_usage));
}

static ssize_t native_fill(struct str_source *source, struct iov_iter *to)
{
	struct pipe_inode_info *pipe =
		container_of(source, struct tee_source, source)->pipe;
	typeof(pipe->tail) slot;
	size_t done = 0;
	int err = 0;

	if (source->again)
		return 0;
	for (slot = pipe->tail;
	     !pipe_empty(pipe->head, slot) && iov_iter_count(to); slot++) {
		struct pipe_buffer *buf = str_pipe_buffer(pipe, slot);
		size_t len = min_t(size_t, buf->len, iov_iter_count(to)), n;

		err = pipe_buf_confirm(pipe, buf);
		if (err)
			break;
		n = copy_page_to_iter(buf->page, buf->offset, len, to);
		done += n;
		if (n < len)
			break;
	}
	return done ?: err;
}

static int native_wait_data(struct pipe_inode_info *pipe, unsigned int fflags)
{
	if (native_has_data(pipe) || !READ_ONCE(pipe->writers))
		return 0;
	if (fflags & O_NONBLOCK)
		return -EAGAIN;
	return wait_event_interruptible(pipe->rd_wait,
					native_has_data(pipe) ||
					!READ_ONCE(pipe->writers));
}

static ssize_t tee_in(struct pipe_inode_info *in, struct strpipe_end *out,
		      size_t len, unsigned int fflags)
{
	struct tee_source tee = { .source.fill = native_fill, .pipe = in };
	ssize_t n;

	n = native_wait_data(in, fflags);
	if (n)
		return n;
	/* The native pipe must not be locked during the wait. */
	n = str_wait_room(&out->sd, 0, len, fflags);
	if (n)
		return n;
	pipe_lock(in);
	n = str_fill(&out->sd, &tee.source, min(len, TEE_MOST), O_NONBLOCK);
	pipe_unlock(in);
	return n == -EAGAIN && !fflags ? 0 : n;
}

static int native_wait_room(struct pipe_inode_info *pipe, unsigned int fflags)
{
	if (native_has_room(pipe))
		return 0;
	if (!READ_ONCE(pipe->readers)) {
		send_sig(SIGPIPE, current, 0);
		return -EPIPE;
	}
	if (fflags & O_NONBLOCK)
		return -EAGAIN;
	return wait_event_interruptible(pipe->wr_wait,
					native_has_room(pipe) ||
					!READ_ONCE(pipe->readers));
}

static void native_wake_readers(struct pipe_inode_info *pipe)
{
	if (wq_has_sleeper(&pipe->rd_wait))
		wake_up_interruptible(&pipe->rd_wait);
	kill_fasync(&pipe->fasync_readers, SIGIO, POLL_IN);
}

/* Copies a stream's bytes to pages of the native pipe, which is locked. */
static ssize_t tee_pages(struct stream *from, struct pipe_inode_info *pipe,
			 size_t len)
{
	struct bio_vec bv[RING_PAGES];
	unsigned int pages, i;
	struct iov_iter to;
	ssize_t n, done = 0;
	size_t room;

	lockdep_assert_held(&pipe->mutex);
	room = pipe->max_usage - pipe_occupancy(pipe->head, pipe->tail);
	room = min3(room, DIV_ROUND_UP(len, PAGE_SIZE), (size_t)RING_PAGES);
	for (pages = 0; pages < room; pages++) {
		struct page *page = alloc_page(GFP_KERNEL_ACCOUNT);

		if (!page)
			break;
		bv[pages] = (struct bio_vec){ .bv_page = page, .bv_len = PAGE_SIZE };
	}
	iov_iter_bvec(&to, ITER_DEST, bv, pages, min(len, pages * PAGE_SIZE));
	n = pages ? str_copy(from, &to) : -ENOMEM;
	for (i = 0; i < pages; i++) {
		struct pipe_buffer buf = {
			.ops = &nosteal_pipe_buf_ops,
			.page = bv[i].bv_page,
			.len = n > done ? min_t(size_t, n - done, PAGE_SIZE) : 0,
		};

		/* The kernel frees the page of a buffer that does not fit. */
		if (buf.len && add_to_pipe(pipe, &buf) == buf.len)
			done += buf.len;
		else if (!buf.len)
			__free_page(buf.page);
	}
	return done ?: n;
}

static ssize_t tee_out(struct strpipe_end *in, struct pipe_inode_info *out,
		       size_t len, unsigned int fflags)
{
	ssize_t n;

	n = str_wait_data(&in->sd, fflags);
	if (n < 0)
		return n;
	n = native_wait_room(out, fflags);
	if (n)
		return n;
	pipe_lock(out);
	if (!out->readers) {
		send_sig(SIGPIPE, current, 0);
		n = -EPIPE;
	} else if (native_has_room(out)) {
		n = tee_pages(&in->sd, out, min(len, TEE_MOST));
	}
	pipe_unlock(out);
	if (n > 0)
		native_wake_readers(out);
	return n == -EAGAIN ? 0 : n;
}

static long tee_files(const struct strio_splice *arg, struct file *in,
		      struct file *out)
{
	struct strpipe_end *from = strpipe_of_file(in);
	struct strpipe_end *to = strpipe_of_file(out);
	struct pipe_inode_info *native_in = strpipe_native(in);
	struct pipe_inode_info *native_out = strpipe_native(out);
	unsigned int fflags = 0;

	if (!(in->f_mode & FMODE_READ) || !(out->f_mode & FMODE_WRITE))
		return -EBADF;
	if ((arg->flags & SPLICE_F_NONBLOCK) ||
	    ((in->f_flags | out->f_flags) & O_NONBLOCK))
		fflags = O_NONBLOCK;
	if (!(from || native_in) || !(to || native_out) || !(from || to) ||
	    (from && to && from->pipe == to->pipe))
		return -EINVAL;
	if (!from)
		return tee_in(native_in, to, arg->len, fflags);
	if (!to)
		return tee_out(from, native_out, arg->len, fflags);
	return tee_streams(from, to, arg->len, fflags);
}

/**
 * strpipe_tee() - STRIO_TEE
 * @uarg: the user's struct strio_splice
 *
 * Return: as of tee(2).
 */
long strpipe_tee(const struct strio_splice __user *uarg)
{
	struct strio_splice arg;

	if (copy_from_user(&arg, uarg, sizeof(arg)))
		return -EFAULT;
	if (arg.flags & ~SPLICE_F_ALL || arg.pad || arg.off_in || arg.off_out)
		return -EINVAL;
	if (!arg.len)
		return 0;
	return strpipe_with_files(&arg, tee_files);
}
