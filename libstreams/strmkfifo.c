// SPDX-License-Identifier: LGPL-2.1-or-later
/* strmkfifo(): the FIFO of SVR4, which is a stream */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stropts.h>
#include <strsock.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/strio.h>

/* A FIFO without a name yet, which fds[0] and fds[1] are open on. */
static int unnamed_fifo(int fds[2])
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.flags = O_CLOEXEC,
		.kind = STRIO_PIPE_FIFO,
	};
	int fd = open(STRIO_PIPE_DEVICE, O_RDWR | O_CLOEXEC | O_NOCTTY), saved;

	if (fd < 0)
		return -1;
	arg.control = fd;
	if (ioctl(fd, STRIO_PIPE, &arg) == 0)
		return 0;
	/* The driver closes it, and never fails with these errors. */
	if (errno == ENOTTY || errno == ENOSYS || errno == EPERM || errno == EACCES) {
		saved = errno;
		close(fd);
		errno = saved;
	}
	return -1;
}

/* The file where the FIFO is attached; for that its owner must be able to write it. */
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

	if (unnamed_fifo(fds) < 0)
		return -1;
	result = name_fifo(fds[0], path, mode & 0777);
	saved = errno;
	close(fds[0]);
	close(fds[1]);
	errno = saved;
	return result;
}
