// SPDX-License-Identifier: GPL-2.0-only
/*
 * fattach.c - streams with names: fattach(), fdetach()
 *
 * Works in the current folder, which is empty. Cases run by root and, where
 * they need no privilege, by another user too.
 */
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include "streams-test.h"
#include "streams-open.h"

#define NAME	"name"

static void make_file(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	TRUE(fd >= 0);
	IS(write(fd, "below", 5), 5);
	IS(fchmod(fd, mode), 0);
	close(fd);
}

static bool is_file(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISREG(st.st_mode);
}

/* The stream has ended: a little later the file appears again. */
static bool becomes_file(const char *name)
{
	UNTIL(is_file(name));
	return true;
}

static void named(int fds[2])
{
	IS(strpipe(fds), 0);
	make_file(NAME, 0640);
	IS(fattach(fds[1], NAME), 0);
}

/* The named stream has the attributes that POSIX.1-2001 fattach() lists. */
static void attributes(void)
{
	struct timespec times[2] = { { 1000000000, 0 }, { 1100000000, 0 } };
	struct stat below, st;
	int fds[2], old;

	IS(strpipe(fds), 0);
	make_file(NAME, 0640);
	old = open(NAME, O_RDWR);
	IS(utimensat(AT_FDCWD, NAME, times, 0), 0);
	IS(stat(NAME, &below), 0);
	IS(fattach(fds[1], NAME), 0);
	IS(stat(NAME, &st), 0);
	TRUE(S_ISFIFO(st.st_mode));
	IS(st.st_mode & 07777, 0640);
	IS(st.st_uid, below.st_uid);
	IS(st.st_gid, below.st_gid);
	IS(st.st_atime, 1000000000);
	IS(st.st_mtime, 1100000000);
	IS(st.st_nlink, 1);
	IS(st.st_size, 0);
	TRUE(st.st_dev != below.st_dev);
	/* The name has attributes of its own from now on. */
	IS(chmod(NAME, 0600), 0);
	IS(stat(NAME, &st), 0);
	IS(st.st_mode & 07777, 0600);
	IS(fstat(old, &st), 0);
	IS(st.st_mode & 07777, 0640);
	IS(fstat(fds[1], &st), 0);
	IS(st.st_mode & 07777, 0600);
	IS(chmod(NAME, 0644), 0);
	IS(fstat(fds[1], &st), 0);
	IS(st.st_mode & 07777, 0600);
	/*
	 * A descriptor opened before the attachment still refers to the file.
	 */
	{
		char data[8];

		IS(pread(old, data, 8, 0), 5);
		IS(memcmp(data, "below", 5), 0);
	}
	IS(fdetach(NAME), 0);
	IS(stat(NAME, &st), 0);
	IS(st.st_ino, below.st_ino);
	IS(st.st_mode & 07777, 0640);
}

static void data(void)
{
	int fds[2], fd, other;
	char buf[8];

	named(fds);
	/* The name keeps the end open. */
	close(fds[1]);
	fd = open(NAME, O_RDWR);
	TRUE(fd >= 0);
	IS(isastream(fd), 1);
	IS(write(fd, "up", 2), 2);
	IS(read(fds[0], buf, 8), 2);
	IS(memcmp(buf, "up", 2), 0);
	IS(write(fds[0], "down", 4), 4);
	other = open(NAME, O_RDONLY);
	TRUE(other >= 0);
	IS(read(other, buf, 8), 4);
	FAILS(write(other, "x", 1), EBADF);
	/* Each file has flags of its own. */
	test_nonblock(other, true);
	FAILS(read(other, buf, 8), EAGAIN);
	close(other);
	close(fd);
	/* The pipe cannot be opened by name any more, and is not closed. */
	IS(write(fds[0], "kept", 4), 4);
	fd = open(NAME, O_RDWR);
	IS(read(fd, buf, 8), 4);
	IS(memcmp(buf, "kept", 4), 0);
	/* Descriptors stay open; opening the name now opens the file. */
	IS(fdetach(NAME), 0);
	TRUE(is_file(NAME));
	IS(write(fd, "still", 5), 5);
	IS(read(fds[0], buf, 8), 5);
	close(fd);
	IS(read(fds[0], buf, 8), 0);
	FAILS(ioctl(fds[0], I_SENDFD, 0), ENXIO);
}

/* A stream that nothing else refers to is closed by the detachment. */
static void last_close(void)
{
	long before = streams_open();
	int fds[2];
	char c;

	named(fds);
	close(fds[1]);
	test_nonblock(fds[0], true);
	FAILS(read(fds[0], &c, 1), EAGAIN);
	IS(fdetach(NAME), 0);
	IS(read(fds[0], &c, 1), 0);
	close(fds[0]);
	TRUE(streams_open_falls_to(before));
}

/* A stream may have several names; the modules are the stream's. */
static void names(void)
{
	int fds[2], fd[2];
	char buf[8];

	named(fds);
	make_file("second", 0600);
	IS(fattach(fds[1], "second"), 0);
	make_file("other", 0600);
	IS(fattach(fds[0], "other"), 0);
	fd[0] = open("second", O_RDWR);
	fd[1] = open("other", O_RDWR);
	IS(write(fd[0], "one", 3), 3);
	IS(read(fd[1], buf, 8), 3);
	IS(ioctl(fd[0], I_LIST, NULL), 0);
	IS(fdetach("second"), 0);
	FAILS(fdetach("second"), EINVAL);
	close(fd[0]);
	fd[0] = open(NAME, O_RDWR);
	IS(write(fd[0], "two", 3), 3);
	IS(read(fd[1], buf, 8), 3);
	/* A file opened by name can be named. */
	IS(fattach(fd[0], "second"), 0);
	IS(fdetach("second"), 0);
	IS(fdetach(NAME), 0);
	IS(fdetach("other"), 0);
}

/* The other end is closed: opens fail, and the name is removed. */
static void gone(void)
{
	long before = streams_open();
	int fds[2];

	named(fds);
	close(fds[1]);
	close(fds[0]);
	TRUE(becomes_file(NAME));
	FAILS(fdetach(NAME), EINVAL);
	TRUE(streams_open_falls_to(before));
}

static void gone_in_use(void)
{
	int fds[2], fd;
	char c;

	named(fds);
	fd = open(NAME, O_RDWR);
	TRUE(fd >= 0);
	close(fds[0]);
	IS(read(fd, &c, 1), 0);
	FAILS(open(NAME, O_RDWR), ENXIO);
	/*
	 * The kernel tries to unmount a name after 0 and 1 seconds. No event
	 * reports that.
	 */
	sleep(2);
	FAILS(open(NAME, O_RDWR), ENXIO);
	close(fd);
	close(fds[1]);
	TRUE(becomes_file(NAME));
	/*
	 * The old name does not prevent attaching another stream, in use or
	 * not.
	 */
	IS(strpipe(fds), 0);
	IS(fattach(fds[1], NAME), 0);
	fd = open(NAME, O_RDWR);
	close(fds[0]);
	close(fds[1]);
	FAILS(open(NAME, O_RDWR), ENXIO);
	IS(strpipe(fds), 0);
	IS(fattach(fds[1], NAME), 0);
	IS(write(open(NAME, O_RDWR), "new", 3), 3);
	IS(read(fds[0], &c, 1), 1);
	IS(fdetach(NAME), 0);
	TRUE(is_file(NAME));
}

/*
 * A name that was in use for long is removed soon after its last file is
 * closed; otherwise it is retried less and less often.
 */
static void gone_long(void)
{
	int fds[2], fd;

	named(fds);
	fd = open(NAME, O_RDWR);
	TRUE(fd >= 0);
	close(fds[1]);
	close(fds[0]);
	/*
	 * The kernel tries after 0, 1, 3, 7 and 15 seconds. No event reports
	 * that.
	 */
	sleep(8);
	TRUE(!is_file(NAME));
	close(fd);
	TRUE(becomes_file(NAME));
}

/* Makes a name by hand: a descriptor of a mount that is not mounted anywhere yet. */
static int make_name(int stream, int path)
{
	int fs = syscall(SYS_fsopen, STRIO_NAMEFS, 0), fd;

	TRUE(fs >= 0);
	IS(syscall(SYS_fsconfig, fs, FSCONFIG_SET_FD, "stream", NULL, stream), 0);
	IS(syscall(SYS_fsconfig, fs, FSCONFIG_SET_PATH_EMPTY, "name", "", path), 0);
	IS(syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0), 0);
	fd = syscall(SYS_fsmount, fs, 0, 0);
	TRUE(fd >= 0);
	close(fs);
	return fd;
}

static int mount_on(int mount, int path)
{
	return syscall(SYS_move_mount, mount, "", path, "",
		       MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

/* A mount on top of a name is not mistaken for the name. */
static void on_top(void)
{
	int fds[2], path, dev = open(STRIO_PIPE_DEVICE, O_ACCMODE);

	named(fds);
	make_file("policy", 0600);
	path = open(NAME, O_PATH);
	IS(ioctl(dev, STRIO_BARE, path), 0);
	IS(mount("policy", NAME, NULL, MS_BIND, NULL), 0);
	FAILS(ioctl(dev, STRIO_BARE, path), EBUSY);
	FAILS(fdetach(NAME), EINVAL);
	TRUE(is_file(NAME));
	IS(umount(NAME), 0);
	IS(ioctl(dev, STRIO_BARE, path), 0);
	FAILS(ioctl(dev, STRIO_BARE, open("policy", O_PATH)), EINVAL);
	FAILS(ioctl(dev, STRIO_BARE, -1), EBADF);
	IS(fdetach(NAME), 0);
	FAILS(ioctl(dev, STRIO_BARE, path), EINVAL);
	close(path);
	TRUE(is_file(NAME));
}

static void errors(void)
{
	char longest[5000];
	int fds[2], plain;

	IS(strpipe(fds), 0);
	make_file(NAME, 0600);
	plain = open(NAME, O_RDWR);
	IS(symlink("loop", "loop"), 0);
	IS(mkdir("folder", 0700), 0);
	memset(longest, 'n', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	FAILS(fattach(-1, NAME), EBADF);
	FAILS(fattach(1000, NAME), EBADF);
	FAILS(fattach(plain, NAME), EINVAL);
	FAILS(fattach(fds[0], "none"), ENOENT);
	FAILS(fattach(fds[0], ""), ENOENT);
	FAILS(fattach(fds[0], NAME "/below"), ENOTDIR);
	FAILS(fattach(fds[0], "loop"), ELOOP);
	FAILS(fattach(fds[0], longest), ENAMETOOLONG);
	FAILS(fattach(fds[0], "folder"), EINVAL);
	FAILS(fattach(fds[0], BAD_POINTER), EFAULT);
	FAILS(fdetach(NAME), EINVAL);
	FAILS(fdetach("folder"), EINVAL);
	FAILS(fdetach("none"), ENOENT);
	FAILS(fdetach(""), ENOENT);
	FAILS(fdetach(NAME "/below"), ENOTDIR);
	FAILS(fdetach("loop"), ELOOP);
	FAILS(fdetach(longest), ENAMETOOLONG);
	FAILS(fdetach(BAD_POINTER), EFAULT);
	IS(fattach(fds[0], NAME), 0);
	FAILS(fattach(fds[0], NAME), EBUSY);
	FAILS(fattach(fds[1], NAME), EBUSY);
	/* A symbolic link leads to the same file. */
	IS(symlink(NAME, "link"), 0);
	FAILS(fattach(fds[1], "link"), EBUSY);
	IS(fdetach("link"), 0);
	TRUE(is_file(NAME));
	if (geteuid())
		return;
	IS(mount(NAME, NAME, NULL, MS_BIND, NULL), 0);
	FAILS(fattach(fds[1], NAME), EBUSY);
	FAILS(fdetach(NAME), EINVAL);
	IS(umount(NAME), 0);
}

/*
 * A user attaches without the right. The folder has "theirs", attached,
 * "foreign", another's file that all may write, "readonly", the user's own, and
 * "closed/file".
 */
static void rights(void)
{
	/* The file is enough for the helper to work with. */
	struct rlimit few = { 24, 24 };
	int fds[2], i;

	IS(strpipe(fds), 0);
	FAILS(fattach(fds[0], "foreign"), EPERM);
	FAILS(fattach(fds[0], "readonly"), EACCES);
	FAILS(fattach(fds[0], "closed/file"), EACCES);
	FAILS(fdetach("closed/file"), EACCES);
	FAILS(fdetach("theirs"), EPERM);
	FAILS(fdetach("foreign"), EINVAL);
	/* A file in a file system that programs rely on cannot be named. */
	TRUE(fattach(fds[0], "/proc/self/comm") && errno == EPERM);
	/* Names count against the limit of descriptors. */
	IS(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (i = 0; i < 100; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		make_file(name, 0600);
		if (fattach(fds[0], name))
			break;
	}
	TRUE(errno == EAGAIN);
	IS(i, 24);
	while (i--) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		IS(fdetach(name), 0);
	}
}

/* Keeps "theirs" attached until the input ends. */
static void hold(void)
{
	int fds[2];
	char c;

	IS(strpipe(fds), 0);
	make_file("theirs", 0666);
	IS(fattach(fds[1], "theirs"), 0);
	puts("ready");
	fflush(stdout);
	IS(read(0, &c, 1), 0);
	IS(fdetach("theirs"), 0);
}

/* A stream that is not a pipe can be named. */
static void device(void)
{
	int fd = open("/dev/streams/udp", O_RDWR), other;
	long before = streams_open();
	struct stat st;

	TRUE(fd >= 0);
	make_file(NAME, 0600);
	IS(fattach(fd, NAME), 0);
	IS(stat(NAME, &st), 0);
	TRUE(S_ISCHR(st.st_mode));
	other = open(NAME, O_RDWR);
	TRUE(other >= 0);
	IS(isastream(other), 1);
	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	IS(ioctl(other, I_LIST, NULL), 2);
	IS(streams_open(), before);
	close(fd);
	IS(ioctl(other, I_LIST, NULL), 2);
	IS(fdetach(NAME), 0);
	IS(ioctl(other, I_LIST, NULL), 2);
	close(other);
	TRUE(streams_open_falls_to(before - 1));
}

/*
 * A stream open for reading only is not opened for more by its name if opening
 * it again gives another stream: a device, and a pipe that connld has made.
 */
static void read_only(void)
{
	int fd = open("/dev/streams/udp", O_RDONLY), fds[2];

	TRUE(fd >= 0);
	make_file(NAME, 0666);
	IS(fattach(fd, NAME), 0);
	FAILS(open(NAME, O_RDWR), EACCES);
	FAILS(open(NAME, O_WRONLY), EACCES);
	fd = open(NAME, O_RDONLY);
	IS(isastream(fd), 1);
	make_file("second", 0666);
	IS(fattach(fd, "second"), 0);
	FAILS(open("second", O_RDWR), EACCES);
	IS(fdetach("second"), 0);
	IS(fdetach(NAME), 0);

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_PUSH, "connld"), 0);
	IS(fattach(fds[1], NAME), 0);
	fd = open(NAME, O_RDONLY | O_NONBLOCK);
	TRUE(fd >= 0);
	IS(fattach(fd, "second"), 0);
	FAILS(open("second", O_RDWR), EACCES);
	TRUE(open("second", O_RDONLY) >= 0);
	IS(fdetach("second"), 0);
	IS(fdetach(NAME), 0);
}

/* The kernel itself refuses all that fattach() refuses. */
static void kernel(void)
{
	FAILS(mount("none", NAME, STRIO_NAMEFS, 0, NULL), ENOENT);
	make_file(NAME, 0600);
	FAILS(mount("none", NAME, STRIO_NAMEFS, 0, NULL), EINVAL);
	FAILS(mount("none", NAME, STRIO_NAMEFS, 0, "stream=0"), EINVAL);
	FAILS(mount("none", NAME, STRIO_NAMEFS, 0, "name=" NAME), EINVAL);
	FAILS(mount("none", NAME, STRIO_NAMEFS, 0, "other=1"), EINVAL);
	{
		struct strio_named named = { .mount = 0, .below = 0 };
		int fd = open(STRIO_PIPE_DEVICE, O_ACCMODE);

		FAILS(ioctl(fd, STRIO_NAMED, &named), EINVAL);
		FAILS(ioctl(fd, STRIO_NAMED, BAD_POINTER), EFAULT);
		named.mount = -1;
		FAILS(ioctl(fd, STRIO_NAMED, &named), EBADF);
	}
	TRUE(is_file(NAME));
}

/*
 * STRIO_NAMED succeeds once, and only for a mount that is where the caller
 * says.
 */
static void armed(void)
{
	int dev = open(STRIO_PIPE_DEVICE, O_ACCMODE), fds[2], path, other;
	struct strio_named named;

	/* A moved mount must not appear elsewhere. */
	IS(unshare(CLONE_NEWNS), 0);
	IS(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL), 0);
	IS(strpipe(fds), 0);
	make_file(NAME, 0600);
	make_file("other", 0600);
	path = open(NAME, O_PATH);
	other = open("other", O_PATH);
	named = (struct strio_named){ make_name(fds[1], path), path };
	/* The mount is not mounted yet, and then mounted elsewhere. */
	FAILS(ioctl(dev, STRIO_NAMED, &named), EINVAL);
	IS(mount_on(named.mount, path), 0);
	named.below = other;
	FAILS(ioctl(dev, STRIO_NAMED, &named), EINVAL);
	named.below = path;
	IS(ioctl(dev, STRIO_NAMED, &named), 0);
	FAILS(ioctl(dev, STRIO_NAMED, &named), EBUSY);
	/* After the unmount the ioctl fails. */
	IS(umount2(NAME, MNT_DETACH), 0);
	FAILS(ioctl(dev, STRIO_NAMED, &named), EINVAL);
	close(named.mount);
	/*
	 * A moved name is not removed any more, and the ioctl succeeds again.
	 */
	named.mount = make_name(fds[1], path);
	IS(mount_on(named.mount, path), 0);
	IS(ioctl(dev, STRIO_NAMED, &named), 0);
	IS(mount(NAME, "other", NULL, MS_MOVE, NULL), 0);
	named.below = other;
	IS(ioctl(dev, STRIO_NAMED, &named), 0);
	close(named.mount);
	close(path);
	close(other);
	close(fds[0]);
	close(fds[1]);
	TRUE(becomes_file("other"));
	close(dev);
}

/*
 * One process arms the name while another unmounts it: whichever wins, the
 * kernel survives.
 */
static int arming_mount;

static void *unmount(void *arg)
{
	int turns = *(unsigned int *)arg % 64;
	char link[64];

	while (turns--)
		sched_yield();
	snprintf(link, sizeof(link), "/proc/self/fd/%d", arming_mount);
	umount2(link, MNT_DETACH);
	return NULL;
}

static void arming(void)
{
	unsigned int rounds = test_scaled(400), i, won = 0;
	int dev = open(STRIO_PIPE_DEVICE, O_ACCMODE), path;
	long before = streams_open();

	make_file(NAME, 0600);
	path = open(NAME, O_PATH);
	for (i = 0; i < rounds; i++) {
		struct strio_named named = { .below = path };
		pthread_t thread;
		int fds[2];

		IS(strpipe(fds), 0);
		arming_mount = make_name(fds[1], path);
		named.mount = arming_mount;
		IS(mount_on(named.mount, path), 0);
		IS(pthread_create(&thread, NULL, unmount, &i), 0);
		if (i % 2)
			sched_yield();
		if (!ioctl(dev, STRIO_NAMED, &named))
			won++;
		else
			TRUE(errno == EINVAL);
		/* Unmounts any name that is left. */
		if (i % 3)
			close(fds[0]);
		pthread_join(thread, NULL);
		close(named.mount);
		if (!(i % 3))
			close(fds[0]);
		close(fds[1]);
		TRUE(becomes_file(NAME));
	}
	printf("%u of %u before it was unmounted\n", won, rounds);
	TRUE(streams_open_falls_to(before));
}

/*
 * Root gives another user an end opened for reading only: opened as that user's
 * file, the end cannot be opened for more. The helper is used.
 */
static void foreign_end(void)
{
	int fds[2], end, status;
	char link[64];
	pid_t pid;

	IS(strpipe(fds), 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fds[1]);
	end = open(link, O_RDONLY);
	TRUE(end >= 0);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		close(fds[1]);
		IS(setgid(65534), 0);
		IS(setuid(65534), 0);
		make_file(NAME, 0600);
		IS(fattach(end, NAME), 0);
		FAILS(open(NAME, O_RDWR), EACCES);
		FAILS(open(NAME, O_WRONLY), EACCES);
		TRUE(open(NAME, O_RDONLY) >= 0);
		/* The name gives the same rights as the descriptor. */
		make_file("second", 0600);
		IS(fattach(open(NAME, O_RDONLY), "second"), 0);
		FAILS(open("second", O_RDWR), EACCES);
		IS(fdetach("second"), 0);
		IS(fdetach(NAME), 0);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	/* The owner's name is for both ends. */
	make_file("own", 0600);
	IS(fattach(end, "own"), 0);
	TRUE(open("own", O_RDWR) >= 0);
	IS(fdetach("own"), 0);
}

static pid_t bystander;

/* A process keeps all descriptors that are open while the helper runs. */
static void *fork_later(void *arg)
{
	usleep(500000);
	bystander = fork();
	if (!bystander) {
		pause();
		_exit(0);
	}
	return NULL;
}

/* A user that needs the helper, which takes a second, is killed during it. */
static void killed(void)
{
	struct timespec start, end;
	pthread_t thread;
	int fds[2];

	IS(strpipe(fds), 0);
	make_file(NAME, 0600);
	IS(pthread_create(&thread, NULL, fork_later, NULL), 0);
	clock_gettime(CLOCK_MONOTONIC, &start);
	FAILS(fattach(fds[1], NAME), EPERM);
	clock_gettime(CLOCK_MONOTONIC, &end);
	pthread_join(thread, NULL);
	TRUE(bystander > 0);
	kill(bystander, SIGKILL);
	waitpid(bystander, NULL, 0);
	TRUE(end.tv_sec - start.tv_sec < 50);
	TRUE(is_file(NAME));
}

/* Several processes attach and detach names on one file at once. */
static void *churn(void *arg)
{
	unsigned long rounds = test_scaled(500), i;
	const char *name = arg;

	for (i = 0; i < rounds; i++) {
		int fds[2], fd;

		IS(strpipe(fds), 0);
		while (fattach(fds[1], name)) {
			TRUE(errno == EBUSY);
			usleep(1000);
		}
		fd = open(name, O_RDWR | O_NONBLOCK);
		if (fd >= 0) {
			if (write(fd, "x", 1) < 0)
				TRUE(errno == EPIPE || errno == EBADF ||
				     errno == EINVAL || errno == EAGAIN);
			close(fd);
		}
		if (i % 2)
			fdetach(name);
		close(fds[0]);
		close(fds[1]);
		if (!(i % 2))
			fdetach(name);
	}
	return NULL;
}

static void churning(void)
{
	long before = streams_open();
	pthread_t threads[4];
	int i;

	signal(SIGPIPE, SIG_IGN);
	make_file(NAME, 0600);
	for (i = 0; i < 4; i++)
		IS(pthread_create(&threads[i], NULL, churn, NAME), 0);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	TRUE(becomes_file(NAME));
	TRUE(streams_open_falls_to(before));
}

#define CROWD	4

static pthread_barrier_t crowd;
static unsigned int attached, all_attached;

static void *rushes(void *arg)
{
	unsigned long rounds = test_scaled(400), i;
	int fds[2];

	for (i = 0; i < rounds; i++) {
		bool won;

		IS(strpipe(fds), 0);
		pthread_barrier_wait(&crowd);
		won = !fattach(fds[1], NAME);
		if (won)
			__atomic_add_fetch(&attached, 1, __ATOMIC_SEQ_CST);
		else
			TRUE(errno == EBUSY);
		pthread_barrier_wait(&crowd);
		if (won) {
			IS(attached, 1);
			attached = 0;
			all_attached++;
			IS(fdetach(NAME), 0);
			TRUE(is_file(NAME));
		}
		close(fds[0]);
		close(fds[1]);
	}
	return NULL;
}

/*
 * Of several processes that attach at once one succeeds, and the others leave
 * nothing behind.
 */
static void rush(void)
{
	pthread_t threads[CROWD];
	int i;

	make_file(NAME, 0600);
	IS(pthread_barrier_init(&crowd, NULL, CROWD), 0);
	for (i = 0; i < CROWD; i++)
		IS(pthread_create(&threads[i], NULL, rushes, NULL), 0);
	for (i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	IS(all_attached, test_scaled(400));
}

static const struct test_case cases[] = {
	{ "attributes", attributes },
	{ "data", data },
	{ "last-close", last_close },
	{ "names", names },
	{ "gone", gone },
	{ "gone-in-use", gone_in_use },
	{ "gone-long", gone_long },
	{ "on-top", on_top },
	{ "errors", errors },
	{ "rights", rights },
	{ "hold", hold },
	{ "device", device },
	{ "read-only", read_only },
	{ "kernel", kernel },
	{ "armed", armed },
	{ "arming", arming },
	{ "foreign-end", foreign_end },
	{ "killed", killed },
	{ "churning", churning }, { "rush", rush },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
