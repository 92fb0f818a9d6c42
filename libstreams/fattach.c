// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * fattach() and fdetach()
 *
 * A caller that may mount does so here. For other callers a privileged helper
 * mounts, after making all checks itself; it is given descriptors, and reports
 * the error number through a pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stropts.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/strio.h>
#include <sys/wait.h>

#include "name.h"

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Runs the helper with descriptors that it is to have; returns its error. */
static int spawn(char *const argv[], const int *fds, int n)
{
	posix_spawn_file_actions_t actions;
	/* The helper needs nothing of the caller's environment. */
	char *env[] = { NULL };
	pid_t pid;
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return -err;
	/* The same number: it is kept, not closed when the helper starts. */
	while (!err && n--)
		err = posix_spawn_file_actions_adddup2(&actions, fds[n], fds[n]);
	if (!err)
		err = posix_spawn(&pid, STRNAME_HELPER, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	/* Only a privileged caller may do without a helper. */
	if (err)
		return err == ENOENT || err == EACCES ? -EPERM : -err;
	/* The helper has ended then, whichever thread reaps it. */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

static int help(const char *what, int path, int stream)
{
	char path_arg[12], stream_arg[12], tell_arg[12];
	char *argv[] = { "strname-helper", (char *)what, tell_arg, path_arg,
			 stream_arg, NULL };
	int tell[2], fds[3], err, error = EPERM;

	/*
	 * The helper has written its error number by the time it ends. If it was killed
	 * instead, a child that another thread has made may still have the pipe.
	 */
	if (pipe2(tell, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	fds[0] = tell[1];
	fds[1] = path;
	fds[2] = stream;
	snprintf(tell_arg, sizeof(tell_arg), "%d", tell[1]);
	snprintf(path_arg, sizeof(path_arg), "%d", path);
	snprintf(stream_arg, sizeof(stream_arg), "%d", stream);
	if (stream < 0)
		argv[4] = NULL;
	err = spawn(argv, fds, stream < 0 ? 2 : 3);
	close(tell[1]);
	if (!err && read(tell[0], &error, sizeof(error)) != sizeof(error))
		error = EPERM;
	close(tell[0]);
	return err ? err : -error;
}

/* A caller with mounts of its own can do without the device: its absence is -ENODEV. */
static int open_device(void)
{
	int device = open(STRIO_PIPE_DEVICE, O_ACCMODE | O_CLOEXEC);

	if (device >= 0)
		return device;
	switch (errno) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return -errno;
	default:
		return -ENODEV;
	}
}

static int attach(int path, int stream)
{
	int mount = name_make(path, stream), device, err;

	if (mount < 0)
		return mount;
	device = open_device();
	err = device >= 0 || device == -ENODEV ?
	      name_place(mount, path, device) : device;
	if (device >= 0)
		close(device);
	close(mount);
	return err;
}

static int detach(int path)
{
	int device = open_device(), err;

	err = device >= 0 || device == -ENODEV ? name_unmount(path, device) : device;
	if (device >= 0)
		close(device);
	return err == -EPERM ? help("detach", path, -1) : err;
}

/* Opens the file to attach to; a name whose stream was closed is removed from it. */
static int open_name(const char *path)
{
	bool alive = false;
	int fd, err;

	for (;;) {
		fd = open(path, O_PATH | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		err = name_is_mount(fd);
		if (!err)
			return fd;
		if (err > 0)
			err = name_is(fd, &alive);
		if (err >= 0)
			err = !err || alive ? -EBUSY : detach(fd);
		close(fd);
		/* Not the caller's to detach, or another process has just detached it. */
		if (err)
			return err == -EPERM || err == -EINVAL ? -EBUSY : err;
	}
}

/**
 * fattach() - give a stream a name
 * @fildes: the stream
 * @path: an existing file, which the caller owns and may write; the privileged
 *	may name any
 *
 * Return: 0; -1 with errno EACCES, EBADF, EBUSY (something is mounted or
 * attached there), EINVAL (no stream; a folder), ELOOP, ENAMETOOLONG, ENOENT,
 * ENOTDIR, EPERM, or EAGAIN (too many names). POSIX.1-2001 fattach().
 */
int fattach(int fildes, const char *path)
{
	int fd, err;

	err = isastream(fildes);
	if (err <= 0)
		return err < 0 ? -1 : fail(EINVAL);
	fd = open_name(path);
	if (fd < 0)
		return fail(-fd);
	err = attach(fd, fildes);
	if (err == -EPERM)
		err = help("attach", fd, fildes);
	close(fd);
	return err ? fail(-err) : 0;
}

/**
 * fdetach() - take a stream's name away
 * @path: the name
 *
 * Files that were opened by the name stay open.
 *
 * Return: 0; -1 with errno EACCES, EINVAL (no stream is attached there), ELOOP,
 * ENAMETOOLONG, ENOENT, ENOTDIR, EPERM. POSIX.1-2001 fdetach().
 */
int fdetach(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	err = detach(fd);
	close(fd);
	return err ? fail(-err) : 0;
}
