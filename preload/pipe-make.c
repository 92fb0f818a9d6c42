// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pipe-make.c - a STREAMS pipe, as pipe2(2) makes one
 *
 * The library makes them for the program it is in, and the supervisor of strsock --all for
 * others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/strio.h>

#include "pipe-make.h"
#include "sys.h"

/**
 * pipe_make - create a STREAMS pipe with the semantics of pipe2(2)
 * @fds: receives the reading and the writing descriptor
 * @access: O_RDONLY; or O_RDWR: both descriptors read and write, and O_DIRECT is invalid
 * @flags: O_NONBLOCK, O_CLOEXEC, O_DIRECT
 *
 * Return: 0, or a negative error number.
 */
int pipe_make(int fds[2], int access, int flags)
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.flags = flags,
	};
	long fd, err;

	/* Packets are a mode of the end that is written to. */
	fd = sys_call(SYS_openat, AT_FDCWD, (long)STRIO_PIPE_DEVICE,
		      access | O_NOCTTY | (flags & ~O_DIRECT), 0);
	if (fd < 0)
		return fd;
	arg.first = fd;
	err = sys_call(SYS_ioctl, fd, STRIO_PIPE, (long)&arg, 0);
	if (err)
		sys_call(SYS_close, fd, 0, 0, 0);
	return err;
}

/**
 * pipe_error_is_final - is it an error that a native pipe would meet as well?
 * @error: positive error number from pipe_make()
 *
 * Return: true if the caller gets this error, false if a native pipe is to be
 * tried.
 */
bool pipe_error_is_final(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == EFAULT;
}
