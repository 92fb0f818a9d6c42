// SPDX-License-Identifier: LGPL-2.1-or-later
/* strmkfifo(): the FIFO of SVR4, which is a stream */
#include <errno.h>
#include <fcntl.h>
#include <stropts.h>
#include <strsock.h>
#include <unistd.h>
#include <sys/stat.h>

#include "strpipe.h"

/* Makes the file where the FIFO is attached: its owner must be able to write to it. */
static int make_file(const char *path, mode_t mode, mode_t *made)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode | 0200);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0) {
		int saved = errno;

		close(fd);
		unlink(path);
		errno = saved;
		return -1;
	}
	close(fd);
	*made = st.st_mode & 0777;
	return 0;
}

static int name_fifo(int fd, const char *path, mode_t mode)
{
	mode_t made;
	int saved;

	if (make_file(path, mode, &made))
		return -1;
	if (fattach(fd, path) < 0) {
		saved = errno;
		unlink(path);
		errno = saved;
		return -1;
	}
	if (mode & 0200 || chmod(path, made & ~0200) == 0)
		return 0;
	saved = errno;
	fdetach(path);
	unlink(path);
	errno = saved;
	return -1;
}

/**
 * strmkfifo() - make a STREAMS FIFO that has a name
 * @path: its name, of which there is no file yet
 * @mode: its permissions, less the umask
 *
 * Return: 0; -1 with errno EEXIST, ENOTDIR, EACCES and the others of open(2), EPERM
 * as of fattach(), or ENOENT, ENXIO when the modules are not loaded. SVR4
 * mkfifo().
 */
int strmkfifo(const char *path, mode_t mode)
{
	int fds[2], result, saved;

	/* The FIFO has no name yet. */
	if (pipe_open(fds, O_RDONLY | O_CLOEXEC) < 0)
		return -1;
	result = name_fifo(fds[0], path, mode & 0777);
	saved = errno;
	close(fds[0]);
	close(fds[1]);
	errno = saved;
	return result;
}
