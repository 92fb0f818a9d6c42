// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * name.c - mounting a stream on a file, and undoing it
 *
 * The system calls are entered by number: C libraries that lack them are older
 * than the kernels that have them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/strio.h>
#include <sys/syscall.h>

#include "name.h"

/* Of <sys/mount.h>, which older <linux/mount.h> cannot stand beside. */
extern int umount2(const char *target, int flags);
#define UMOUNT_FORCE	1
#define UMOUNT_DETACH	2

/**
 * name_is() - ask whether something is the name of a stream
 * @path: its descriptor
 * @alive: set to whether the stream can be opened; or NULL
 */
bool name_is(int path, bool *alive)
{
	struct statfs fs;

	if (fstatfs(path, &fs) || fs.f_type != STRIO_NAMEFS_MAGIC)
		return false;
	if (alive)
		*alive = fs.f_files != 0;
	return true;
}

/**
 * name_is_mount() - ask whether a descriptor is of something mounted
 * @path: the descriptor
 */
bool name_is_mount(int path)
{
	struct statx stx;

	return !syscall(SYS_statx, path, "", AT_EMPTY_PATH, 0, &stx) &&
	       stx.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* Its last part; the mount goes again with its descriptor if that fails. */
static int attach(int mount, int path)
{
	struct strio_named named = { .mount = mount, .below = path };
	int fd;

	if (syscall(SYS_move_mount, mount, "", path, "",
		    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		return -errno;
	/*
	 * What cannot have this (where there is no such device) has a name that
	 * stays when its stream is gone, until it is detached.
	 */
	fd = open(STRIO_PIPE_DEVICE, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ioctl(fd, STRIO_NAMED, &named);
		close(fd);
	}
	return 0;
}

/**
 * name_mount() - attach a stream to a file
 * @path: the file, by O_PATH
 * @stream: the stream
 *
 * Return: 0; -EBUSY, -EINVAL, -ENODEV without the module, -EPERM (also without
 * the privilege to mount), -EACCES, -EAGAIN.
 */
int name_mount(int path, int stream)
{
	int fs, mount, err = 0;

	fs = syscall(SYS_fsopen, STRIO_NAMEFS, FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "source", "streams", 0) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_FD, "stream", NULL, stream) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_PATH_EMPTY, "name", "", path) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		err = -errno;
	if (!err) {
		mount = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
				MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
		err = mount < 0 ? -errno : attach(mount, path);
		if (mount >= 0)
			close(mount);
	}
	close(fs);
	return err;
}

/**
 * name_unmount() - detach a stream from its name
 * @path: the name, by O_PATH
 *
 * Return: 0; -EINVAL when it is no name of a stream, -EPERM without the
 * privilege to mount.
 */
int name_unmount(int path)
{
	char link[sizeof("/proc/self/fd/") + 12];
	struct statfs fs;

	if (!name_is(path, NULL) || !name_is_mount(path))
		return -EINVAL;
	/* The link leads to what the descriptor is of, if it is the kernel's. */
	if (statfs("/proc/self", &fs) || fs.f_type != PROC_SUPER_MAGIC)
		return -ENOSYS;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", path);
	/* Forced: its stream is let go at once, wherever else it is mounted. */
	if (!umount2(link, UMOUNT_DETACH | UMOUNT_FORCE))
		return 0;
	/* That may nobody in a user namespace: there it is when the last goes. */
	if (errno != EPERM)
		return -errno;
	return umount2(link, UMOUNT_DETACH) ? -errno : 0;
}
