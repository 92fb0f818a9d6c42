// SPDX-License-Identifier: GPL-2.0-only
/*
 * splice() between two STREAMS pipes, or between one and another file
 *
 * Bytes are copied once, between the pages of a pipe's ring and the other file. The
 * checks, the waiting and the parts in which bytes move are those of fs/splice.c.
 *
 * The ring of the pipe that is written to is locked first, then that of the pipe that
 * is read, as everywhere: two pipes spliced to each other wait for no lock of each
 * other. A native pipe's lock comes before both.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/net.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/signal.h>
#include <linux/splice.h>
#include <linux/uaccess.h>

#include "streams/call/splice.h"
#include "streams/call/store.h"
#include "pipe.h"
#include "splice.h"

/* The file on the other side of the splice, in or out */
struct side {
	struct file *file;
	struct socket *socket;		/* or NULL */
	unsigned int flags;		/* SPLICE_F_* */
	loff_t pos;
};

/* The source of bytes that splice() reads from another file */
struct file_source {
	struct str_source source;
	struct side *in;
};

/* The sink of bytes that are written to one file */
struct file_sink {
	struct str_sink sink;
	struct side *out;
	size_t left;			/* bytes to be taken */
	bool used;			/* it was called */
};

/* The source of a splice from a STREAMS pipe to another one */
struct pipe_source {
	struct str_source source;
	struct stream *from;
};

/* Returns the end that a file of a STREAMS pipe has opened, or NULL. */
struct strpipe_end *strpipe_of_file(const struct file *file)
{
	struct stream *sd = str_of_file(file);

	return sd ? strpipe_end_of(sd) : NULL;
}

/*
 * Returns the kernel's own pipe that a file is, or NULL. A notification pipe is
 * excluded, as in the kernel's splice(): notifications are added without the
 * pipe's mutex.
 */
struct pipe_inode_info *strpipe_native(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	if (!S_ISFIFO(inode->i_mode) || str_of_file(file) || !inode->i_pipe ||
	    file->private_data != inode->i_pipe ||
	    pipe_has_watch_queue(inode->i_pipe))
		return NULL;
	return inode->i_pipe;
}

static unsigned int nonblock(unsigned int flags)
{
	return flags & SPLICE_F_NONBLOCK ? O_NONBLOCK : 0;
}

/* The kiocb does not ask for O_DIRECT: pages of a ring begin and end anywhere. */
static struct kiocb side_kiocb(const struct side *side)
{
	return (struct kiocb){
		.ki_filp = side->file,
		.ki_pos = side->pos,
		.ki_flags = side->file->f_iocb_flags & ~IOCB_DIRECT,
	};
}

/* A socket of the Unix domain is the only one to obey SPLICE_F_NONBLOCK. */
static bool socket_waits(const struct side *side, bool again)
{
	if (again || side->file->f_flags & O_NONBLOCK)
		return false;
	return !(side->flags & SPLICE_F_NONBLOCK &&
		 side->socket->ops->family == PF_UNIX &&
		 side->socket->type == SOCK_STREAM);
}

static ssize_t socket_fill(struct side *in, struct iov_iter *to, bool again)
{
	struct msghdr msg = { .msg_iter = *to };

	return sock_recvmsg(in->socket, &msg,
			    socket_waits(in, again) ? 0 : MSG_DONTWAIT);
}

/* Returns whether a second read of the remaining bytes will not wait. */
static bool reads_on(const struct file *file)
{
	umode_t mode = file_inode(file)->i_mode;

	return S_ISREG(mode) || S_ISBLK(mode);
}

static ssize_t file_fill(struct str_source *source, struct iov_iter *to)
{
	struct side *in = container_of(source, struct file_source, source)->in;
	struct kiocb kiocb = side_kiocb(in);
	ssize_t n;

	if (in->socket)
		return socket_fill(in, to, source->again);
	if (source->again && !reads_on(in->file))
		return 0;
	n = in->file->f_op->read_iter(&kiocb, to);
	if (n > 0)
		in->pos = kiocb.ki_pos;
	return n;
}

static ssize_t file_to_pipe(struct side *in, struct strpipe_end *out, size_t len)
{
	struct file_source source = { .source.fill = file_fill, .in = in };

	return str_fill(&out->sd, &source.source, len, nonblock(in->flags));
}

static ssize_t socket_use(struct file_sink *sink, struct iov_iter *from)
{
	bool more = sink->out->flags & SPLICE_F_MORE || sink->sink.more;
	struct msghdr msg = {
		.msg_iter = *from,
		.msg_flags = (more ? MSG_MORE : 0) |
			     (sink->out->file->f_flags & O_NONBLOCK ?
			      MSG_DONTWAIT : 0),
	};

	return sock_sendmsg(sink->out->socket, &msg);
}

static ssize_t file_use(struct str_sink *base, struct iov_iter *from)
{
	struct file_sink *sink = container_of(base, struct file_sink, sink);
	struct side *out = sink->out;
	struct kiocb kiocb = side_kiocb(out);
	ssize_t n;

	sink->used = true;
	if (out->socket)
		return socket_use(sink, from);
	n = out->file->f_op->write_iter(&kiocb, from);
	if (n > 0)
		out->pos = kiocb.ki_pos;
	return n;
}

/* Gives the file the bytes that it takes; the others stay. */
static ssize_t use_bytes(struct strpipe_end *in, struct file_sink *sink)
{
	struct file *file = sink->out->file;
	ssize_t n;

	/*
	 * The file system can be frozen before this, and not while the file has
	 * the bytes.
	 */
	file_start_write(file);
	n = str_use(&in->sd, &sink->sink, sink->left);
	file_end_write(file);
	return n;
}

/*
 * Returns whether the file is on a file system stacked on another one. A
 * stacked file system also takes the lower one's protection against freezing,
 * which comes before the locks of a pipe.
 */
static bool is_stacked(const struct side *side)
{
	return !side->socket && file_inode(side->file)->i_sb->s_stack_depth;
}

/* Writes the bytes that wait now, once; more: earlier bytes were written. */
static ssize_t pipe_to_file_once(struct strpipe_end *in, struct file_sink *sink,
				 bool more)
{
	unsigned int fflags = more ? O_NONBLOCK : nonblock(sink->out->flags);
	ssize_t n;

	do {
		if (signal_pending(current))
			return -ERESTARTSYS;
		n = str_wait_data(&in->sd, fflags);
		if (n <= 0)
			return n;
		sink->used = false;
		n = use_bytes(in, sink);
		/* Another reader took the bytes. */
	} while (n == -EAGAIN && !sink->used && !fflags);
	return n;
}

static ssize_t pipe_to_file(struct strpipe_end *in, struct side *out, size_t len)
{
	struct file_sink sink = {
		.sink.use = file_use, .sink.unlocked = is_stacked(out),
		.out = out, .left = len,
	};
	ssize_t n;

	do {
		n = pipe_to_file_once(in, &sink, sink.left < len);
		if (n <= 0)
			break;
		sink.left -= n;
		cond_resched();
	} while (sink.left);
	return sink.left < len ? len - sink.left : n;
}

static ssize_t pipe_fill(struct str_source *source, struct iov_iter *to)
{
	struct stream *from =
		container_of(source, struct pipe_source, source)->from;

	return str_read(from, to, O_NONBLOCK | STR_SPLICE);
}

static ssize_t pipe_to_pipe(struct strpipe_end *in, struct strpipe_end *out,
			    size_t len, unsigned int flags)
{
	struct pipe_source source = {
		.source.fill = pipe_fill, .from = &in->sd,
	};
	unsigned int fflags = nonblock(flags);
	ssize_t n;
	int err;

	do {
		err = str_wait_data(&in->sd, fflags);
		if (err < 0)
			return err;
		n = str_fill(&out->sd, &source.source, len, fflags);
		if (n != -EAGAIN || fflags)
			return n;
		/* Another reader took the bytes. */
	} while (!signal_pending(current));
	return -ERESTARTSYS;
}

/*
 * splice() itself refuses a file that is only appended to, unless the bytes
 * come from a pipe.
 */
static ssize_t native_to_pipe(struct file *in, struct file *out, size_t len,
			      unsigned int flags)
{
	if (in->f_flags & O_NONBLOCK)
		flags |= SPLICE_F_NONBLOCK;
	str_clear_nowait(in);
	return str_splice_write(strpipe_native(in), out, NULL, len, flags);
}

static bool side_init(struct side *side, struct file *file, unsigned int flags)
{
	*side = (struct side){
		.file = file,
		.socket = sock_from_file(file),
		.flags = flags,
	};
	/* Other FIFOs belong to the kernel, whose own splice() takes them. */
	return !S_ISFIFO(file_inode(file)->i_mode);
}

/*
 * An offset in memory of the user replaces the position of the file; mode is what the
 * file must be able to do there.
 */
static int side_begin(struct side *side, const loff_t *off, int rw, size_t len)
{
	fmode_t mode = rw == READ ? FMODE_PREAD : FMODE_PWRITE;

	if (off && !(side->file->f_mode & mode))
		return -EINVAL;
	side->pos = off ? *off : side->file->f_pos;
	if (rw == WRITE && side->file->f_flags & O_APPEND)
		return -EINVAL;
	return rw_verify_area(rw, side->file, &side->pos, len);
}

static void side_end(struct side *side, loff_t *off)
{
	if (off)
		*off = side->pos;
	else
		side->file->f_pos = side->pos;
}

static ssize_t splice_in(struct file *in, loff_t *off, struct file *out,
			 size_t len, unsigned int flags)
{
	struct strpipe_end *end = strpipe_of_file(out);
	struct side side;
	ssize_t n;

	if (strpipe_native(in))
		return native_to_pipe(in, out, len, flags);
	if (!side_init(&side, in, flags))
		return -EINVAL;
	n = side_begin(&side, off, READ, len);
	if (n)
		return n;
	if (!in->f_op->splice_read || (!side.socket && !in->f_op->read_iter))
		return -EINVAL;
	if (out->f_flags & O_NONBLOCK)
		side.flags |= SPLICE_F_NONBLOCK;
	n = file_to_pipe(&side, end, len);
	side_end(&side, off);
	if (n > 0)
		fsnotify_access(in);
	return n;
}

static ssize_t splice_out(struct file *in, struct file *out, loff_t *off,
			  size_t len, unsigned int flags)
{
	struct strpipe_end *end = strpipe_of_file(in);
	struct side side;
	ssize_t n;

	if (!side_init(&side, out, flags))
		return -EINVAL;
	n = side_begin(&side, off, WRITE, len);
	if (n)
		return n;
	if (!out->f_op->splice_write || (!side.socket && !out->f_op->write_iter))
		return -EINVAL;
	if (in->f_flags & O_NONBLOCK)
		side.flags |= SPLICE_F_NONBLOCK;
	n = pipe_to_file(end, &side, len);
	side_end(&side, off);
	if (n > 0)
		fsnotify_modify(out);
	return n;
}

/* Splices with valid offsets; at least one of in and out is a STREAMS pipe. */
static ssize_t splice_files(struct file *in, loff_t *off_in, struct file *out,
			    loff_t *off_out, size_t len, unsigned int flags)
{
	struct strpipe_end *from = strpipe_of_file(in);
	struct strpipe_end *to = strpipe_of_file(out);

	if (!(in->f_mode & FMODE_READ) || !(out->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!from)
		return splice_in(in, off_in, out, len, flags);
	if (!to)
		return splice_out(in, out, off_out, len, flags);
	if (from->pipe == to->pipe)
		return -EINVAL;
	if ((in->f_flags | out->f_flags) & O_NONBLOCK)
		flags |= SPLICE_F_NONBLOCK;
	return pipe_to_pipe(from, to, len, flags);
}

static bool is_pipe(const struct file *file)
{
	return strpipe_of_file(file) || strpipe_native(file);
}

static long splice_user(const struct strio_splice *arg, struct file *in,
			struct file *out)
{
	loff_t __user *off_in = u64_to_user_ptr(arg->off_in);
	loff_t __user *off_out = u64_to_user_ptr(arg->off_out);
	loff_t pos_in, pos_out;
	ssize_t n;

	if (!strpipe_of_file(in) && !strpipe_of_file(out))
		return -EINVAL;
	if ((off_in && is_pipe(in)) || (off_out && is_pipe(out)))
		return -ESPIPE;
	if (strpipe_of_file(in))
		str_clear_nowait(in);
	if (strpipe_of_file(out))
		str_clear_nowait(out);
	if (off_out && copy_from_user(&pos_out, off_out, sizeof(pos_out)))
		return -EFAULT;
	if (off_in && copy_from_user(&pos_in, off_in, sizeof(pos_in)))
		return -EFAULT;
	n = splice_files(in, off_in ? &pos_in : NULL, out,
			 off_out ? &pos_out : NULL, arg->len, arg->flags);
	if (n < 0)
		return n;
	if (off_out && copy_to_user(off_out, &pos_out, sizeof(pos_out)))
		return -EFAULT;
	if (off_in && copy_to_user(off_in, &pos_in, sizeof(pos_in)))
		return -EFAULT;
	return n;
}

/**
 * strpipe_with_files() - act on the two files of a call
 * @arg: the descriptors
 * @act: the function; the files stay until it returns
 *
 * Return: its result, or -EBADF.
 */
long strpipe_with_files(const struct strio_splice *arg,
			long (*act)(const struct strio_splice *arg,
				    struct file *in, struct file *out))
{
	struct file *in = fget(arg->in), *out = fget(arg->out);
	long ret = -EBADF;

	if (in && out)
		ret = act(arg, in, out);
	if (in)
		fput(in);
	if (out)
		fput(out);
	return ret;
}

/**
 * strpipe_splice() - STRIO_SPLICE
 * @uarg: the user's struct strio_splice
 *
 * Return: as of splice(2).
 */
long strpipe_splice(const struct strio_splice __user *uarg)
{
	struct strio_splice arg;

	if (copy_from_user(&arg, uarg, sizeof(arg)))
		return -EFAULT;
	if (!arg.len)
		return 0;
	if (arg.flags & ~SPLICE_F_ALL || arg.pad)
		return -EINVAL;
	return strpipe_with_files(&arg, splice_user);
}

/* Writes as much as fits, at least as much as one write() may be sure of. */
static ssize_t vmsplice_in(struct stream *sd, struct iov_iter *from,
			   unsigned int fflags)
{
	ssize_t n;

	for (;;) {
		n = str_write(sd, from, O_NONBLOCK);
		if (n != -EAGAIN || fflags & O_NONBLOCK)
			return n;
		n = str_wait_room(sd, 0, iov_iter_count(from), 0);
		if (n)
			return n;
	}
}

/**
 * strpipe_vmsplice() - STRIO_VMSPLICE
 * @file: the pipe's file
 * @uarg: the user's struct strio_vmsplice
 *
 * As natively, the file's O_NONBLOCK is not asked.
 *
 * Return: as of vmsplice(2).
 */
long strpipe_vmsplice(struct file *file, const struct strio_vmsplice __user *uarg)
{
	struct stream *sd = &strpipe_of_file(file)->sd;
	bool in = file->f_mode & FMODE_WRITE;
	struct iovec stack[UIO_FASTIOV], *iov = stack;
	struct strio_vmsplice arg;
	struct iov_iter iter;
	ssize_t n;

	if (copy_from_user(&arg, uarg, sizeof(arg)))
		return -EFAULT;
	if (arg.flags & ~SPLICE_F_ALL || arg.pad)
		return -EINVAL;
	/* import_iovec() takes fewer bits, so a larger number is refused. */
	n = import_iovec(in ? ITER_SOURCE : ITER_DEST, u64_to_user_ptr(arg.iov),
			 min_t(u64, arg.nr, UIO_MAXIOV + 1), ARRAY_SIZE(stack),
			 &iov, &iter);
	if (n < 0)
		return n;
	if (iov_iter_count(&iter)) {
		str_clear_nowait(file);
		n = in ? vmsplice_in(sd, &iter, nonblock(arg.flags)) :
			 str_read(sd, &iter, nonblock(arg.flags) | STR_SPLICE);
	}
	kfree(iov);
	return n;
}
