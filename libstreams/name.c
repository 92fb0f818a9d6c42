// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * name.c - mounting a stream on a file, and undoing it
 *
 * The system calls are entered by number: C libraries that lack them are older
 * than the kernels that have them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
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

/* <sys/mount.h> declares these, and cannot be included beside older <linux/mount.h>. */
extern int umount2(const char *target, int flags);
#define UMOUNT_FORCE	1
#define UMOUNT_DETACH	2

/* Attempts; each fails only if another name is unmounted just then. */
#define TRIES		100

/* ms for a mount on a name, which is about to be unmounted, to disappear */
#define BARE_MS		2000

/**
 * name_is() - ask whether something is the name of a stream
 * @path: its descriptor
 * @alive: set to whether the stream can be opened; or NULL
 *
 * Return: 1; 0 when it is not; or the error that prevents an answer, such as
 * -ENOMEM.
 */
int name_is(int path, bool *alive)
{
	struct statfs fs;

	if (fstatfs(path, &fs))
		return -errno;
	if (fs.f_type != STRIO_NAMEFS_MAGIC)
		return 0;
	if (alive)
		*alive = fs.f_files != 0;
	return 1;
}

/**
 * name_is_mount() - ask whether a descriptor is of something mounted
 * @path: the descriptor
 *
 * Return: as name_is().
 */
int name_is_mount(int path)
{
	struct statx stx;

	if (syscall(SYS_statx, path, "", AT_EMPTY_PATH, 0, &stx))
		return -errno;
	return !!(stx.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

/**
 * name_check() - whether a descriptor is of a mounted name, to be detached
 * @path: the descriptor
 *
 * Return: 0; -EINVAL when it is not; or the error that prevents an answer.
 */
int name_check(int path)
{
	int is = name_is(path, NULL);

	if (is > 0)
		is = name_is_mount(path);
	if (is < 0)
		return is;
	return is ? 0 : -EINVAL;
}

/**
 * name_make() - make a name that is not mounted anywhere yet
 * @path: the file, by O_PATH
 * @stream: the stream
 *
 * Charged to the real user; checked with the rights of the file system user ID.
 *
 * Return: its descriptor, whose close removes it again; -EBUSY, -EINVAL,
 * -ENODEV without the module, -EPERM (also without the privilege to mount),
 * -EACCES, -EAGAIN.
 */
int name_make(int path, int stream)
{
	int fs, mount;

	fs = syscall(SYS_fsopen, STRIO_NAMEFS, FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "source", "streams", 0) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_FD, "stream", NULL, stream) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_PATH_EMPTY, "name", "", path) ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) {
		mount = -errno;
	} else {
		mount = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
				MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
		if (mount < 0)
			mount = -errno;
	}
	close(fs);
	return mount;
}

/**
 * name_place() - mount a name on its file
 * @mount: the name, from name_make()
 * @path: the file
 * @device: of STRIO_PIPE_DEVICE; or negative where there is none: then the name
 *	stays when its stream is gone, until it is detached
 *
 * Return: 0; -EBUSY when something else was mounted there meanwhile; the name
 * is unmounted then.
 */
int name_place(int mount, int path, int device)
{
	struct strio_named named = { .mount = mount, .below = path };
	int tries = TRIES;

	/*
	 * The kernel mounts on whatever is on top, another name perhaps. If
	 * that is unmounted just then, the error is EINVAL, as for a mount that
	 * can never succeed.
	 */
	while (syscall(SYS_move_mount, mount, "", path, "",
		       MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		if (errno != EINVAL || !--tries)
			return -errno;
	if (device < 0 || !ioctl(device, STRIO_NAMED, &named) || errno != EINVAL)
		return 0;
	/*
	 * The name is not on the file, or has been unmounted already. A mount
	 * on top of it was placed just then as well, and is removed with it:
	 * otherwise this name would appear once that mount is gone.
	 */
	for (tries = BARE_MS; name_unmount(mount, device) == -EBUSY && tries--;)
		usleep(1000);
	return -EBUSY;
}

/* Unmounts the topmost mount at the target of a link. */
static int unmount_top(const char *link)
{
	/* Forced: its stream is released at once, wherever else it is mounted. */
	if (!umount2(link, UMOUNT_DETACH | UMOUNT_FORCE))
		return 0;
	/* A user namespace does not permit this: there the name ends with the last mount. */
	if (errno != EPERM)
		return -errno;
	return umount2(link, UMOUNT_DETACH) ? -errno : 0;
}

/**
 * name_unmount() - detach a stream from its name
 * @path: the name, by O_PATH
 * @device: of STRIO_PIPE_DEVICE; or negative where there is none: then what is
 *	mounted on the name is unmounted instead
 *
 * Return: 0; -EBUSY when something is mounted on it, -EINVAL when it is not a name
 * of a stream, -EPERM without the privilege to mount.
 */
int name_unmount(int path, int device)
{
	char link[sizeof("/proc/self/fd/") + 12];
	struct statfs fs;
	int err, tries = TRIES;
	bool done = false;

	err = name_check(path);
	if (err)
		return err;
	/* The link leads to the descriptor's file, if procfs is the kernel's. */
	if (statfs("/proc/self", &fs))
		return errno == ENOENT ? -ENOSYS : -errno;
	if (fs.f_type != PROC_SUPER_MAGIC)
		return -ENOSYS;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", path);
	if (device < 0)
		return unmount_top(link);
	/*
	 * The name unmounted may be another one that was placed on it just
	 * then: repeat until the kernel says that this one is no longer
	 * mounted.
	 */
	while (!ioctl(device, STRIO_BARE, path)) {
		err = unmount_top(link);
		if (err == -EINVAL && !--tries)
			return done ? 0 : err;
		if (err && err != -EINVAL)
			return err;
		done |= !err;
	}
	return errno == EINVAL && done ? 0 : -errno;
}
