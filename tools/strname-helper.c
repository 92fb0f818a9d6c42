// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strname-helper - attaches and detaches streams for users that may not mount
 *
 * Set-user-ID root. It is given open descriptors, opens no file by name but two
 * devices, reads no environment, keeps only the privileges that it needs, and
 * asks the kernel to check again with the rights of its caller.
 * man/man8/strname-helper.8 describes possible attacks.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/strio.h>
#include <sys/syscall.h>

#include "libstreams/name.h"

/*
 * Files of these may become names: elsewhere (/proc, /sys, control groups, FUSE
 * file systems of users) other programs rely on what these files are.
 */
static const unsigned long file_systems[] = {
	EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, 0x58465342 /* XFS */,
	F2FS_SUPER_MAGIC, TMPFS_MAGIC, RAMFS_MAGIC, OVERLAYFS_SUPER_MAGIC,
	NFS_SUPER_MAGIC, V9FS_MAGIC, 0x2fc12fc1 /* ZFS */,
	0xca451a4e /* bcachefs */, REISERFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC,
};

/*
 * Gives up all privileges except those to mount and to act as the caller. Above
 * all, the privileges by which users' limits would not hold are dropped.
 */
static int drop_privileges(void)
{
	static const __u32 needed = CAP_TO_MASK(CAP_SYS_ADMIN) |
				    CAP_TO_MASK(CAP_SETUID) |
				    CAP_TO_MASK(CAP_SETGID);
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &head, data))
		return -1;
	/* All three are among the first 32. */
	data[0].effective &= needed;
	data[0].permitted &= needed;
	data[0].inheritable = 0;
	memset(&data[1], 0, sizeof(data[1]));
	return syscall(SYS_capset, &head, data);
}

static int descriptor(const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	return *arg >= '0' && *arg <= '9' && !*end && n <= 0x7fffffff ? n : -1;
}

/*
 * Checks that the file system and the kind of the file are such that a name may
 * be there.
 */
static int check_place(int path, const struct stat *st)
{
	struct statfs fs;
	size_t i;

	if (!S_ISREG(st->st_mode))
		return S_ISDIR(st->st_mode) ? EINVAL : EPERM;
	if (fstatfs(path, &fs))
		return errno;
	for (i = 0; i < sizeof(file_systems) / sizeof(*file_systems); i++) {
		if ((unsigned long)fs.f_type == file_systems[i])
			return 0;
	}
	return EPERM;
}

static int check_owner(const struct stat *st)
{
	return getuid() == 0 || st->st_uid == getuid() ? 0 : EPERM;
}

/*
 * From here on no signal from the caller stops or ends it: that would leave a
 * name half made, or give other processes time to change a file that was
 * checked.
 */
static int shut_out_caller(void)
{
	sigset_t all;

	sigfillset(&all);
	return sigprocmask(SIG_BLOCK, &all, NULL) || setresuid(0, 0, 0) ? errno : 0;
}

/*
 * Without the device a name could not be checked, and would not be removed when
 * its stream ends.
 */
static int open_device(void)
{
	int device = open(STRIO_PIPE_DEVICE, O_ACCMODE | O_CLOEXEC);

	if (device >= 0)
		return device;
	return errno == ENOENT ? -ENODEV : -errno;
}

static int attach(int path, int stream)
{
	int err, device, mount;
	struct stat st;

	if (fstat(path, &st))
		return errno;
	err = name_is_mount(path);
	if (err)
		return err < 0 ? -err : EBUSY;
	err = check_owner(&st);
	if (!err)
		err = check_place(path, &st);
	if (err)
		return err;
	/* The call has no AT_EACCESS, so that it asks by the real user and group. */
	if (syscall(SYS_faccessat2, path, "", W_OK, AT_EMPTY_PATH))
		return errno;
	/* Mounting stays allowed; being root to files does not. */
	setfsgid(getgid());
	setfsuid(getuid());
	device = open_device();
	if (device < 0)
		return -device;
	mount = name_make(path, stream);
	if (mount < 0)
		return -mount;
	err = shut_out_caller();
	return err ? err : -name_place(mount, path, device);
}

static int detach(int path)
{
	struct stat st;
	int err, device;

	/*
	 * The check fails for all files but names of the caller: nothing else
	 * can be unmounted.
	 */
	err = name_check(path);
	if (err)
		return -err;
	if (fstat(path, &st))
		return errno;
	err = check_owner(&st);
	if (err)
		return err;
	device = open_device();
	if (device < 0)
		return -device;
	err = shut_out_caller();
	return err ? err : -name_unmount(path, device);
}

int main(int argc, char **argv)
{
	static const char usage[] =
		"strname-helper: run by fattach(3) and fdetach(3), not by hand\n";
	int fd[3] = { -1, -1, -1 }, error, i;
	uid_t user = getuid();

	if (argc < 4 || argc > 5)
		goto misused;
	for (i = 2; i < argc; i++) {
		fd[i - 2] = descriptor(argv[i]);
		/* A file opened here must not become standard error. */
		if (fd[i - 2] < 0 || fcntl(fd[i - 2], F_GETFD) < 0)
			goto misused;
	}
	for (i = 0; i < 3; i++) {
		if (fcntl(i, F_GETFD) < 0 && open("/dev/null", O_RDWR) != i)
			return 1;
	}
	if (drop_privileges())
		return 1;
	umask(077);
	if (argc == 5 && !strcmp(argv[1], "attach"))
		error = attach(fd[1], fd[2]);
	else if (argc == 4 && !strcmp(argv[1], "detach"))
		error = detach(fd[1]);
	else
		goto misused;
	/*
	 * The file is written with the caller's rights, because the caller
	 * chose it.
	 */
	if (setgid(getgid()) || setuid(user))
		return 1;
	return write(fd[0], &error, sizeof(error)) == sizeof(error) && !error ? 0 : 1;

misused:
	if (setgid(getgid()) || setuid(user))
		return 1;
	if (write(2, usage, sizeof(usage) - 1) < 0)
		return 1;
	return 2;
}
