// SPDX-License-Identifier: LGPL-2.1-or-later
/* strpipe(): the pipe of SVR4 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <strsock.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/strio.h>

#include "strpipe.h"

/**
 * pipe_open - make a STREAMS pipe
 * @fds: receives its two ends
 * @flags: those of open(): O_RDONLY for a FIFO whose first end reads, O_RDWR for a
 *	full-duplex pipe; and O_CLOEXEC
 *
 * Return: 0, or -1 with errno set as strpipe() does.
 */
int pipe_open(int fds[2], int flags)
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.flags = flags & O_CLOEXEC,
	};
	int fd = open(STRIO_PIPE_DEVICE, flags | O_NOCTTY), saved;

	if (fd < 0)
		return -1;
	arg.first = fd;
	if (ioctl(fd, STRIO_PIPE, &arg) == 0)
		return 0;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

/**
 * strpipe() - make a full-duplex STREAMS pipe
 * @fds: receives its two ends
 *
 * Return: 0; -1 with errno EFAULT, EMFILE, ENFILE, ENOMEM, or ENOENT, ENXIO
 * when the modules are not loaded. SVR4 pipe().
 */
int strpipe(int fds[2])
{
	return pipe_open(fds, O_RDWR);
}
