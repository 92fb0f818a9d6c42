// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * splice.c - splice(), tee() and vmsplice(), on STREAMS pipes too
 *
 * The kernel knows its own pipes alone. For others the calls fail with EINVAL or
 * EBADF, and only then is the driver asked. It makes all checks again and does the
 * whole call, which therefore fails in the same way as natively.
 *
 * They are cancellation points, as in the C library, and async-signal-safe.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/strio.h>
#include <sys/uio.h>

#include "hooks.h"
#include "pipe.h"
#include "sys.h"

/* The result for a call that did not reach the driver */
#define NO_STREAM	(-ENOTTY)

/*
 * Makes a system call during which the thread may be cancelled, as the C
 * library makes calls that may wait: the C library's own functions for these
 * are replaced here.
 */
static long waiting_call(long nr, long a, long b, long c, long d, long e, long f)
{
	int type;
	long ret;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	ret = sys_call6(nr, a, b, c, d, e, f);
	pthread_setcanceltype(type, &type);
	return ret;
}

static bool may_be_stream(long ret)
{
	return ret == -EINVAL || ret == -EBADF;
}

/* Asks the driver, if a descriptor is that of a STREAMS pipe. */
static long ask_driver(int fd, unsigned long request, const void *arg)
{
	long ret;

	if (!pipe_is_fifo(fd))
		return NO_STREAM;
	ret = waiting_call(SYS_ioctl, fd, request, (long)arg, 0, 0, 0);
	/*
	 * The native call has found that both descriptors are open, or that flags are
	 * wrong.
	 */
	return ret == -ENOSYS || ret == -EBADF ? NO_STREAM : ret;
}

/* Returns the driver's result for one of two descriptors, or the native one. */
static ssize_t ask_either(long native, unsigned long request,
			  const struct strio_splice *arg)
{
	long ret = ask_driver(arg->in, request, arg);

	if (ret == NO_STREAM)
		ret = ask_driver(arg->out, request, arg);
	return ret == NO_STREAM ? native : ret;
}

static ssize_t result(long ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

/**
 * splice - move bytes to or from a pipe
 * @fd_in: the descriptor to read from
 * @off_in: where to read, or NULL: at the file's position
 * @fd_out: the descriptor to write to
 * @off_out: where to write, or NULL
 * @len: bytes at most
 * @flags: SPLICE_F_NONBLOCK, SPLICE_F_MORE and others
 *
 * Return: as of splice(2).
 */
HOOK ssize_t splice(int fd_in, off64_t *off_in, int fd_out, off64_t *off_out, size_t len,
		    unsigned int flags)
{
	const struct strio_splice arg = {
		.in = fd_in,
		.out = fd_out,
		.off_in = (uintptr_t)off_in,
		.off_out = (uintptr_t)off_out,
		.len = len,
		.flags = flags,
	};
	long ret = waiting_call(SYS_splice, fd_in, (long)off_in, fd_out, (long)off_out,
				len, flags);

	if (may_be_stream(ret))
		ret = ask_either(ret, STRIO_SPLICE, &arg);
	return result(ret);
}

/**
 * tee - copy bytes from one pipe to another, and leave them there
 * @fdin: the descriptor to read from
 * @fdout: the descriptor to write to
 * @len: bytes at most
 * @flags: SPLICE_F_NONBLOCK and others
 *
 * Return: as of tee(2).
 */
HOOK ssize_t tee(int fdin, int fdout, size_t len, unsigned int flags)
{
	const struct strio_splice arg = {
		.in = fdin,
		.out = fdout,
		.len = len,
		.flags = flags,
	};
	long ret = waiting_call(SYS_tee, fdin, fdout, len, flags, 0, 0);

	if (may_be_stream(ret))
		ret = ask_either(ret, STRIO_TEE, &arg);
	return result(ret);
}

/**
 * vmsplice - move bytes between memory and a pipe
 * @fdout: the descriptor; of a reading end, to read from
 * @iov: the memory, in parts
 * @count: how many parts
 * @flags: SPLICE_F_NONBLOCK and others
 *
 * Return: as of vmsplice(2).
 */
HOOK ssize_t vmsplice(int fdout, const struct iovec *iov, size_t count, unsigned int flags)
{
	const struct strio_vmsplice arg = {
		.iov = (uintptr_t)iov,
		.nr = count,
		.flags = flags,
	};
	long ret = waiting_call(SYS_vmsplice, fdout, (long)iov, count, flags, 0, 0), streams;

	if (may_be_stream(ret)) {
		streams = ask_driver(fdout, STRIO_VMSPLICE, &arg);
		if (streams != NO_STREAM)
			ret = streams;
	}
	return result(ret);
}
