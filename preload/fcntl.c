// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * fcntl.c - fcntl() and fcntl64(): F_GETPIPE_SZ and F_SETPIPE_SZ on STREAMS pipes
 *
 * The kernel knows these commands for its own pipes alone. For any other
 * descriptor it fails with EBADF, and only then is the driver asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/strio.h>

#include "hooks.h"
#include "pipe.h"
#include "sys.h"

/*
 * The C library's own function has a name that no hook has: the name is bound
 * when this library is loaded. The function is the cancellation point that
 * fcntl() is.
 */
int __fcntl(int fd, int cmd, ...);

static int pipe_size(int fd, int cmd, long arg)
{
	int saved = errno;
	long ret = __fcntl(fd, cmd, arg);
	bool failed;

	if (ret >= 0 || errno != EBADF || !pipe_is_fifo(fd))
		return ret;
	ret = cmd == F_GETPIPE_SZ ?
		sys_call(SYS_ioctl, fd, STRIO_GETPIPE_SZ, 0, 0) :
		sys_call(SYS_ioctl, fd, STRIO_SETPIPE_SZ, arg, 0);
	if (ret == -ENOTTY || ret == -ENOSYS)
		ret = -EBADF;
	/* A negative value below the error numbers is a size of 2 GiB. */
	failed = (unsigned long)ret > -4096UL;
	errno = failed ? -ret : saved;
	return failed ? -1 : ret;
}

/**
 * fcntl - manipulate a file descriptor
 * @fd: the descriptor
 * @cmd: the command; followed by an argument for some
 *
 * POSIX.1-2017 fcntl(). F_GETPIPE_SZ and F_SETPIPE_SZ are for STREAMS pipes too.
 *
 * Return: as of fcntl(2).
 */
HOOK int fcntl(int fd, int cmd, ...)
{
	va_list args;
	long arg;

	va_start(args, cmd);
	/*
	 * The argument is read as the C library reads it; for a command without
	 * one the kernel ignores the value.
	 */
	arg = va_arg(args, long);
	va_end(args);
	if (cmd == F_GETPIPE_SZ || cmd == F_SETPIPE_SZ)
		return pipe_size(fd, cmd, arg);
	return __fcntl(fd, cmd, arg);
}

/* Programs with large files call the function by this name. */
HOOK int fcntl64(int fd, int cmd, ...) __attribute__((alias("fcntl")));
