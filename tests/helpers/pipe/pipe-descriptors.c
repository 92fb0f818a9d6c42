// SPDX-License-Identifier: GPL-2.0-only
/* A pipe's descriptors as a program sees them, without reading or writing */
#include "pipe-check.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <termios.h>

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	if (!dir)
		broken("/proc/self/fd");
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void numbers(void)
{
	int before = count_descriptors(), hole[4], fds[2], i;

	for (i = 0; i < 4; i++)
		hole[i] = open("/dev/null", O_RDONLY);
	close(hole[0]);
	close(hole[2]);
	make_pipe(fds, 0);
	say("lowest free numbers", "%d %d", fds[0] == hole[0], fds[1] == hole[2]);
	close_pipe(fds);
	close(hole[1]);
	close(hole[3]);
	make_pipe(fds, O_CLOEXEC);
	say("neighbours", "%d %d", fds[0] == hole[0], fds[1] - fds[0]);
	close_pipe(fds);
	say("descriptors left over", "%d", count_descriptors() - before);
}

static void limits(void)
{
	struct rlimit old, new;
	int fds[2] = { -7, -7 }, free_fd = dup(0), left;
	char name[64];

	close(free_fd);
	getrlimit(RLIMIT_NOFILE, &old);
	for (left = 0; left <= 3; left++) {
		new = old;
		new.rlim_cur = free_fd + left;
		setrlimit(RLIMIT_NOFILE, &new);
		snprintf(name, sizeof(name), "pipe2 with %d free", left);
		say_result(name, pipe2(fds, 0));
		snprintf(name, sizeof(name), "array with %d free", left);
		say(name, "%d %d", fds[0] < 0 ? fds[0] : fds[0] - free_fd,
		    fds[1] < 0 ? fds[1] : fds[1] - free_fd);
		if (fds[0] >= 0)
			close_pipe(fds);
		fds[0] = -7;
		fds[1] = -7;
	}
	setrlimit(RLIMIT_NOFILE, &old);
}

static void bad_arguments(void)
{
	int before = count_descriptors(), fds[2] = { -7, -7 };
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static int (*volatile pipe_call)(int *) = pipe;
	static int (*volatile pipe2_call)(int *, int) = pipe2;

	munmap(page + 4096, 4096);
	say_result("pipe(NULL)", pipe_call(NULL));
	say_result("pipe(1)", pipe_call((int *)1));
	say_result("pipe of half an array", pipe_call((int *)(page + 4092)));
	mprotect(page, 4096, PROT_READ);
	say_result("pipe of a read-only array", pipe_call((int *)page));
	munmap(page, 4096);
	say_result("pipe2(0x4)", pipe2_call(fds, 0x4));
	say_result("pipe2(-1)", pipe2_call(fds, -1));
	say_result("pipe2(O_APPEND)", pipe2_call(fds, O_APPEND));
	say_result("pipe2(O_RDWR)", pipe2_call(fds, O_RDWR));
	say_result("pipe2(NULL, bad flags)", pipe2_call(NULL, 0x4));
	say("array after errors", "%d %d", fds[0], fds[1]);
	say("descriptors left by errors", "%d", count_descriptors() - before);
}

static void status(int fds[2])
{
	struct stat r, w;
	char link[2][64] = {}, path[64], end;
	unsigned long ino;
	int i;

	fstat(fds[0], &r);
	fstat(fds[1], &w);
	say("mode", "%o %o", r.st_mode, w.st_mode);
	say("same inode and device", "%d %d", r.st_ino == w.st_ino, r.st_dev == w.st_dev);
	say("owner is ours", "%d %d", r.st_uid == geteuid(), r.st_gid == getegid());
	say("links, size, blocks, block size, rdev", "%lu %ld %ld %ld %lu", (long)r.st_nlink,
	    (long)r.st_size, (long)r.st_blocks, (long)r.st_blksize, (long)r.st_rdev);
	say("times are of now", "%d %d %d", labs(time(NULL) - r.st_atime) < 60,
	    labs(time(NULL) - r.st_mtime) < 60, labs(time(NULL) - r.st_ctime) < 60);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i]);
		say_result("readlink", readlink(path, link[i], 63) > 0 ? 0 : -1);
		say("name is pipe:[inode]", "%d",
		    sscanf(link[i], "pipe:[%lu]%c", &ino, &end) == 1 &&
		    link[i][strlen(link[i]) - 1] == ']' && ino == r.st_ino);
		say_result("stat through /proc", stat(path, &w));
		say("is the same", "%d", w.st_ino == r.st_ino);
		lstat(path, &w);
		say("mode of link", "%o", w.st_mode);
		say_result("access R_OK|W_OK through /proc", access(path, R_OK | W_OK));
	}
	say("both links equal", "%d", !strcmp(link[0], link[1]));
}

static void flags(void)
{
	static const int kinds[] = { 0, O_NONBLOCK, O_CLOEXEC, O_DIRECT,
				     O_NONBLOCK | O_CLOEXEC | O_DIRECT };
	int fds[2], i, end;
	char name[64];
	size_t k;

	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		make_pipe(fds, kinds[k]);
		for (end = 0; end < 2; end++) {
			snprintf(name, sizeof(name), "pipe2(%#o) end %d", kinds[k], end);
			say(name, "F_GETFL %#o F_GETFD %d", fcntl(fds[end], F_GETFL),
			    fcntl(fds[end], F_GETFD));
		}
		close_pipe(fds);
	}
	make_pipe(fds, 0);
	for (i = 0; i < 2; i++) {
		say_result("F_SETFL O_NONBLOCK", fcntl(fds[i], F_SETFL, O_NONBLOCK));
		say("then", "%#o %#o", fcntl(fds[0], F_GETFL), fcntl(fds[1], F_GETFL));
		say_result("F_SETFL O_NONBLOCK O_DIRECT O_APPEND O_NOATIME",
			   fcntl(fds[i], F_SETFL, O_NONBLOCK | O_DIRECT | O_APPEND | O_NOATIME));
		say("then", "%#o %#o", fcntl(fds[0], F_GETFL), fcntl(fds[1], F_GETFL));
		say_result("F_SETFL O_ASYNC", fcntl(fds[i], F_SETFL, O_ASYNC));
		say("then", "%#o %#o", fcntl(fds[0], F_GETFL), fcntl(fds[1], F_GETFL));
		say_result("F_SETFL 0", fcntl(fds[i], F_SETFL, 0));
		say("then", "%#o %#o", fcntl(fds[0], F_GETFL), fcntl(fds[1], F_GETFL));
		say_result("F_DUPFD_CLOEXEC", fcntl(fds[i], F_DUPFD_CLOEXEC, 100));
		say("then F_GETFD", "%d", fcntl(100, F_GETFD));
		close(100);
	}
	close_pipe(fds);
}

static void control(int fds[2], int end)
{
	struct termios tio;
	struct winsize ws;
	char name[64];
	int n = -7, i;
	static const struct {
		const char *name;
		unsigned long cmd;
	} unknown[] = {
		{ "TIOCOUTQ", TIOCOUTQ }, { "TIOCGPGRP", TIOCGPGRP },
		{ "0", 0 }, { "0x12345678", 0x12345678 }, { "-1", 0xffffffff },
		{ "SIOCGIFCONF", 0x8912 }, { "FIGETBSZ", 2 }, { "FIBMAP", 1 },
		{ "FIOQSIZE", 0x5460 }, { "FS_IOC_GETFLAGS", 0x80086601 },
		{ "FICLONE", 0x40049409 }, { "BLKGETSIZE64", 0x80081272 },
	};

	snprintf(name, sizeof(name), "isatty end %d", end);
	errno = 0;
	say(name, "%d %s", isatty(fds[end]), strerrorname_np(errno));
	say_result("TCGETS", ioctl(fds[end], TCGETS, &tio));
	say_result("TIOCGWINSZ", ioctl(fds[end], TIOCGWINSZ, &ws));
	say_result("FIONREAD", ioctl(fds[end], FIONREAD, &n));
	say("bytes", "%d", n);
	say_result("FIONREAD to NULL", ioctl(fds[end], FIONREAD, NULL));
	for (i = 0; i < (int)(sizeof(unknown) / sizeof(unknown[0])); i++) {
		snprintf(name, sizeof(name), "ioctl %s", unknown[i].name);
		say_result(name, ioctl(fds[end], unknown[i].cmd, &tio));
	}
	n = 1;
	say_result("FIONBIO 1", ioctl(fds[end], FIONBIO, &n));
	say("then F_GETFL", "%#o", fcntl(fds[end], F_GETFL));
	n = 0;
	say_result("FIONBIO 0", ioctl(fds[end], FIONBIO, &n));
	say_result("FIOCLEX", ioctl(fds[end], FIOCLEX));
	say("then F_GETFD", "%d", fcntl(fds[end], F_GETFD));
	say_result("FIONCLEX", ioctl(fds[end], FIONCLEX));
	say_result("F_GETPIPE_SZ", fcntl(fds[end], F_GETPIPE_SZ));
	say_result("F_SETPIPE_SZ", fcntl(fds[end], F_SETPIPE_SZ, 65536));
	say_result("F_GETLEASE", fcntl(fds[end], F_GETLEASE));
	say_result("F_SETLEASE", fcntl(fds[end], F_SETLEASE, F_RDLCK));
	say_result("F_GET_SEALS", fcntl(fds[end], F_GET_SEALS));
	say_result("F_NOTIFY", fcntl(fds[end], F_NOTIFY, DN_MODIFY));
}

static void lock_calls(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };

	say_result("flock SH", flock(fd, LOCK_SH | LOCK_NB));
	say_result("flock EX", flock(fd, LOCK_EX | LOCK_NB));
	say_result("flock UN", flock(fd, LOCK_UN));
	say_result("F_SETLK read", fcntl(fd, F_SETLK, &lock));
	lock.l_type = F_WRLCK;
	say_result("F_SETLK write", fcntl(fd, F_SETLK, &lock));
	say_result("F_GETLK", fcntl(fd, F_GETLK, &lock));
}

static void attribute_calls(int fds[2], int end)
{
	struct timespec times[2] = { { 1000, 0 }, { 2000, 0 } };
	struct statfs fs;
	struct stat st;
	int fd = fds[end];

	say_result("fchmod", fchmod(fd, 0640 + end));
	fstat(fds[0], &st);
	say("then mode", "%o", st.st_mode);
	say_result("fchmod back", fchmod(fd, 0600));
	say_result("fchown", fchown(fd, getuid(), getgid()));
	say_result("futimens", futimens(fd, times));
	fstat(fds[1], &st);
	say("then times", "%ld %ld", st.st_atime, st.st_mtime);
	say_result("fstatfs", fstatfs(fd, &fs));
	say("file system type", "%#lx", (long)fs.f_type);
	say("file system", "block %ld name %ld blocks %ld", (long)fs.f_bsize, (long)fs.f_namelen,
	    (long)fs.f_blocks);
	say_result("fpathconf PIPE_BUF", fpathconf(fd, _PC_PIPE_BUF));
}

static void file_calls(int fds[2], int end)
{
	struct iovec iov = { "x", 1 };
	char data[256];
	int fd = fds[end], null = open("/dev/zero", O_RDWR), err = 0;
	socklen_t len = sizeof(err);
	off_t at = 0;

	say("end", "%d", end);
	say_result("lseek SET", lseek(fd, 0, SEEK_SET));
	say_result("lseek CUR", lseek(fd, 0, SEEK_CUR));
	say_result("lseek END", lseek(fd, 0, SEEK_END));
	say_result("lseek DATA", lseek(fd, 0, SEEK_DATA));
	say_result("lseek 99", lseek(fd, 0, 99));
	say_result("pread", pread(fd, data, 1, 0));
	say_result("pwrite", pwrite(fd, data, 1, 0));
	say_result("pread at -1", pread(fd, data, 1, -1));
	say_result("preadv", preadv(fd, &iov, 1, 0));
	say_result("pwritev", pwritev(fd, &iov, 1, 0));
	say_result("mmap", mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0);
	say_result("mmap private", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) ==
		   MAP_FAILED ? -1 : 0);
	say_result("fsync", fsync(fd));
	say_result("fdatasync", fdatasync(fd));
	say_result("sync_file_range", sync_file_range(fd, 0, 0, 0));
	say_result("syncfs", syncfs(fd));
	say_result("fallocate", fallocate(fd, 0, 0, 1));
	say_result("ftruncate", ftruncate(fd, 0));
	say_result("ftruncate 5", ftruncate(fd, 5));
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
	say_result("fadvise", errno ? -1 : 0);
	say_result("readahead", readahead(fd, 0, 1));
	say_result("copy_file_range from", copy_file_range(fd, NULL, null, NULL, 1, 0));
	say_result("copy_file_range to", copy_file_range(null, NULL, fd, NULL, 1, 0));
	say_result("sendfile from", sendfile(null, end ? fds[1] : fds[0], &at, 1));
	lock_calls(fd);
	say_result("fchdir", fchdir(fd));
	say_result("getdents", syscall(SYS_getdents64, fd, data, sizeof(data)));
	say_result("openat", openat(fd, "x", O_RDONLY));
	say_result("fexecve", syscall(SYS_execveat, fd, "", NULL, NULL, AT_EMPTY_PATH));
	say_result("getsockopt", getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len));
	say_result("send", send(fd, data, 1, 0));
	say_result("recv", recv(fd, data, 1, 0));
	say_result("fgetxattr", fgetxattr(fd, "user.x", data, sizeof(data)));
	say_result("fsetxattr", fsetxattr(fd, "user.x", data, 1, 0));
	say_result("flistxattr", flistxattr(fd, data, sizeof(data)));
	attribute_calls(fds, end);
	close(null);
}

/* The inotify events of a pipe that is written, read and closed. */
static void watched(void)
{
	int fds[2], in = inotify_init1(IN_NONBLOCK);
	struct inotify_event event;
	char name[32], c;

	make_pipe(fds, 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fds[0]);
	say_result("inotify_add_watch", inotify_add_watch(in, name, IN_ALL_EVENTS));
	write(fds[1], "x", 1);
	read(fds[0], &c, 1);
	close_pipe(fds);
	while (read(in, &event, sizeof(event)) == sizeof(event))
		say("inotify", "%#x", event.mask);
	close(in);
}

int main(void)
{
	int fds[2], end;

	numbers();
	limits();
	bad_arguments();
	flags();
	make_pipe(fds, 0);
	status(fds);
	for (end = 0; end < 2; end++) {
		control(fds, end);
		file_calls(fds, end);
	}
	watched();
	return 0;
}
