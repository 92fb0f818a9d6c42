// SPDX-License-Identifier: LGPL-2.1-or-later
/* strpipe(): the pipe of SVR4 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <strsock.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/strio.h>

/**
 * strpipe() - make a full-duplex STREAMS pipe
 * @fds: receives its two ends
 *
 * Return: 0; -1 with errno EFAULT, EMFILE, ENFILE, ENOMEM, or ENOENT, ENXIO
 * when the modules are not loaded. SVR4 pipe().
 */
int strpipe(int fds[2])
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.kind = STRIO_PIPE_DUPLEX,
	};
	int fd, saved;

	fd = open(STRIO_PIPE_DEVICE, O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -1;
	arg.control = fd;
	if (ioctl(fd, STRIO_PIPE, &arg) == 0)
		return 0;
	/* The driver closes it, and never fails with these errors. */
	if (errno == ENOTTY || errno == ENOSYS || errno == EPERM ||
	    errno == EACCES) {
		saved = errno;
		close(fd);
		errno = saved;
	}
	return -1;
}
