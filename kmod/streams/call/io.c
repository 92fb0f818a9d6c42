// SPDX-License-Identifier: GPL-2.0-only
/*
 * read() and write() of a stream, and the like by other code of the kernel: each is an
 * operation of the store that the stream has
 */
#include <linux/indirect_call_wrapper.h>

#include "bytes.h"
#include "forms.h"
#include "io.h"
#include "record.h"

/**
 * str_write() - write to a stream
 * @sd: the stream head
 * @from: the data
 * @fflags: the file's O_NONBLOCK, and O_DIRECT: keep packets apart (pipes)
 *
 * Return: bytes written; -EAGAIN, -EFAULT, -ENOSR, -ENXIO after a hangup,
 * -EPIPE with SIGPIPE for a pipe without a reader, -ERANGE outside the packet
 * sizes of the queue below, -ERESTARTSYS, or M_ERROR's value. POSIX.1-2001
 * write(), on a stream.
 */
ssize_t str_write(struct stream *sd, struct iov_iter *from, unsigned int fflags)
{
	enum str_form form;

	if (!iov_iter_count(from) && !(sd->sd_wopt & SNDZERO))
		return 0;
	form = str_form_written(sd);
	/* The check is inline: an indirect call costs more. */
	if (likely(form == STR_BYTES))
		return str_bytes_put(sd, from, fflags);
	return INDIRECT_CALL_1(str_store(form)->put, str_record_put, sd, from, fflags);
}
EXPORT_SYMBOL_GPL(str_write);

/**
 * str_read() - read from a stream
 * @sd: the stream head
 * @to: the destination
 * @fflags: the file's O_NONBLOCK and O_NDELAY
 *
 * Return: bytes read, 0 at the end of the file; -EAGAIN, -EBADMSG (a control
 * part is first, RPROTNORM), -ENOSR (no memory for the copy of a control part that is
 * shared, RPROTDAT), -EFAULT, -ERESTARTSYS, or M_ERROR's value.
 * POSIX.1-2001 read(), on a stream.
 */
ssize_t str_read(struct stream *sd, struct iov_iter *to, unsigned int fflags)
{
	enum str_form form;

	if (!iov_iter_count(to))
		return 0;
	form = str_form_read(sd);
	if (likely(form == STR_BYTES))
		return str_bytes_take(sd, to, fflags);
	return INDIRECT_CALL_1(str_store(form)->take, str_record_take, sd, to, fflags);
}
EXPORT_SYMBOL_GPL(str_read);

/* Splice fails with ENOMEM when memory is short, as natively. */
static ssize_t splice_error(ssize_t n)
{
	return n == -ENOSR ? -ENOMEM : n;
}

/**
 * str_fill() - write to a stream what a function provides
 * @sd: the stream head
 * @source: the function
 * @len: bytes at most
 * @fflags: O_NONBLOCK: no waiting for room
 *
 * Waits until there is room, then asks for as much as there is. No byte that the
 * function has provided is lost, unless there is no reader any more.
 *
 * Context: the function is called with write_mutex of a ring, and may sleep.
 * Return: bytes written, 0 or an error of the function; -ENOMEM, -EINTR; or as
 * str_wait_room().
 */
ssize_t str_fill(struct stream *sd, struct str_source *source, size_t len,
		 unsigned int fflags)
{
	return splice_error(str_store(str_form_written(sd))->fill(sd, source, len, fflags));
}
EXPORT_SYMBOL_GPL(str_fill);

/**
 * str_use() - give the bytes of a stream to a function
 * @sd: the stream head
 * @sink: the function
 * @len: bytes at most
 *
 * The bytes that it does not take stay the next ones. Does not wait for bytes.
 *
 * Context: the function is called with sd_read_mutex, unless it may not have that:
 * then the bytes become messages. It may sleep.
 * Return: bytes taken, or an error of the function; 0 at the end, -EAGAIN if there
 * are none, -EINTR; or as str_read().
 */
ssize_t str_use(struct stream *sd, struct str_sink *sink, size_t len)
{
	return splice_error(str_store(str_form_read(sd))->use(sd, sink, len));
}
EXPORT_SYMBOL_GPL(str_use);

/**
 * str_copy() - read from a stream what stays there
 * @sd: the stream head
 * @to: the destination, in kernel memory
 *
 * Return: bytes, 0 at the end; -EAGAIN, -EINTR; or as str_read().
 */
ssize_t str_copy(struct stream *sd, struct iov_iter *to)
{
	return splice_error(str_store(str_form_read(sd))->copy(sd, to));
}
EXPORT_SYMBOL_GPL(str_copy);
