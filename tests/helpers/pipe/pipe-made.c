// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe-made.c - pipes made by open() of their device and STRIO_PIPE
 */
#include "streams-test.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* The access mode of the first end selects the kind of the pipe. */
static const int kinds_of_open[] = { O_RDONLY, O_RDWR };

static int other(int first, int *fds, unsigned int flags)
{
	struct strio_pipe arg = { .fds = (uintptr_t)fds, .first = first, .flags = flags };

	return ioctl(first, STRIO_PIPE, &arg);
}

static int descriptors(void)
{
	int n = 0, fd;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* The descriptor is that of a pipe to every program that looks. */
static void looks_like_pipe(int fd, int access)
{
	char path[64], text[64], expected[64];
	struct stat st;
	ssize_t n;

	IS(fstat(fd, &st), 0);
	IS(st.st_mode, S_IFIFO | 0600);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, text, sizeof(text) - 1);
	TRUE(n > 0);
	text[n > 0 ? n : 0] = '\0';
	snprintf(expected, sizeof(expected), "pipe:[%lu]", (unsigned long)st.st_ino);
	TRUE(!strcmp(text, expected));
	IS(fcntl(fd, F_GETFL) & O_ACCMODE, access);
	FAILS(lseek(fd, 0, SEEK_CUR), ESPIPE);
	IS(fcntl(fd, F_GETFL) & ~(O_ACCMODE | O_NONBLOCK), 0);
}

static void kinds(void)
{
	int fds[2], i, lowest, first;
	char c;

	for (i = 0; i < 2; i++) {
		lowest = dup(0);
		close(lowest);
		first = open(STRIO_PIPE_DEVICE, kinds_of_open[i] | O_CLOEXEC);
		IS(first, lowest);
		IS(other(first, fds, O_NONBLOCK), 0);
		IS(fds[0], lowest);
		IS(fds[1], lowest + 1);
		looks_like_pipe(fds[0], kinds_of_open[i]);
		looks_like_pipe(fds[1], i ? O_RDWR : O_WRONLY);
		IS(fcntl(fds[0], F_GETFD), FD_CLOEXEC);
		IS(fcntl(fds[1], F_GETFD), 0);
		IS(fcntl(fds[0], F_GETFL) & O_NONBLOCK, 0);
		IS(fcntl(fds[1], F_GETFL) & O_NONBLOCK, O_NONBLOCK);
		IS(write(fds[1], "x", 1), 1);
		IS(read(fds[0], &c, 1), 1);
		IS(close(fds[0]), 0);
		IS(close(fds[1]), 0);
	}
	IS(test_fifo(fds, O_DIRECT), 0);
	IS(fcntl(fds[0], F_GETFL) & O_DIRECT, 0);
	IS(fcntl(fds[1], F_GETFL) & O_DIRECT, O_DIRECT);
}

/* The standard descriptors are closed, and become the pipe. */
static void closed(void)
{
	int fds[2], was = dup(1), i, ok;

	for (i = 0; i < 3; i++)
		close(i);
	ok = !test_fifo(fds, 0) && fds[0] == 0 && fds[1] == 1 && write(1, "x", 1) == 1;
	close(0);
	close(1);
	ok = ok && !strpipe(fds) && fds[0] == 0 && fds[1] == 1;
	dup2(was, 1);
	dup2(was, 2);
	TRUE(ok);
}

static void half(void)
{
	struct strrecvfd received;
	int fds[2], fd, i;
	struct pollfd p;
	char c;

	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < 2; i++) {
		fd = open(STRIO_PIPE_DEVICE, kinds_of_open[i]);
		looks_like_pipe(fd, kinds_of_open[i]);
		IS(read(fd, &c, 1), 0);
		if (i) {
			FAILS(write(fd, "x", 1), EPIPE);
			FAILS(ioctl(fd, I_SENDFD, fd), ENXIO);
			FAILS(ioctl(fd, I_SENDFD, 0), ENXIO);
		}
		IS(other(fd, fds, 0), 0);
		/* The two ends are a pipe like any other from here on. */
		p = (struct pollfd){ .fd = fd, .events = POLLIN };
		IS(poll(&p, 1, 0), 0);
		IS(write(fds[1], "x", 1), 1);
		IS(read(fd, &c, 1), 1);
		if (i) {
			IS(write(fd, "x", 1), 1);
			IS(read(fds[1], &c, 1), 1);
			IS(ioctl(fd, I_SENDFD, 0), 0);
			IS(ioctl(fds[1], I_RECVFD, &received), 0);
			close(received.fd);
		}
		close(fds[0]);
		close(fds[1]);
		/* The close of an end that has no other leaves nothing. */
		close(open(STRIO_PIPE_DEVICE, kinds_of_open[i]));
	}
}

static void once(void)
{
	int fds[2], none[2], fd, again, i, status;
	char path[64];
	pid_t pid;

	for (i = 0; i < 2; i++) {
		fd = open(STRIO_PIPE_DEVICE, kinds_of_open[i]);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		again = open(path, O_RDONLY);
		TRUE(again >= 0);
		IS(other(fd, fds, 0), 0);
		FAILS(other(fd, none, 0), EBUSY);
		FAILS(other(fds[1], none, 0), EBUSY);
		FAILS(other(again, none, 0), EBUSY);
		pid = fork();
		if (!pid)
			_exit(other(fd, none, 0) != -1 || errno != EBUSY);
		waitpid(pid, &status, 0);
		IS(status, 0);
		close(again);
		close(fds[1]);
		/* The other end cannot be opened either when all its files are closed. */
		FAILS(other(fd, none, 0), EBUSY);
		close(fd);
	}
	IS(strpipe(fds), 0);
	FAILS(other(fds[0], none, 0), EBUSY);
	FAILS(other(fds[1], none, 0), EBUSY);
}

static void errors(void)
{
	int before = descriptors(), fds[2], fd, i;

	for (i = 0; i < 2; i++) {
		fd = open(STRIO_PIPE_DEVICE, kinds_of_open[i]);
		FAILS(other(fd, fds, O_APPEND), EINVAL);
		FAILS(other(fd, (int *)BAD_POINTER, 0), EFAULT);
		FAILS(ioctl(fd, STRIO_PIPE, BAD_POINTER), EFAULT);
		if (i)
			FAILS(other(fd, fds, O_DIRECT), EINVAL);
		IS(descriptors(), before + 1);
		IS(other(fd, fds, 0), 0);
		IS(descriptors(), before + 2);
		close(fds[0]);
		close(fds[1]);
	}
}

/* The first end takes the last descriptor that there may be. */
static void no_descriptors(void)
{
	struct rlimit limit;
	int fds[2], fd, i;

	for (i = 0; i < 2; i++) {
		fd = open(STRIO_PIPE_DEVICE, kinds_of_open[i]);
		IS(getrlimit(RLIMIT_NOFILE, &limit), 0);
		limit.rlim_cur = fd + 1;
		IS(setrlimit(RLIMIT_NOFILE, &limit), 0);
		FAILS(other(fd, fds, 0), EMFILE);
		FAILS(i ? strpipe(fds) : test_fifo(fds, 0), EMFILE);
		limit.rlim_cur = fd + 2;
		IS(setrlimit(RLIMIT_NOFILE, &limit), 0);
		IS(other(fd, fds, 0), 0);
		IS(fds[1], fd + 1);
		close(fds[0]);
		/*
		 * One descriptor is left, and the pipe that cannot be made does
		 * not keep it.
		 */
		FAILS(i ? strpipe(fds) : test_fifo(fds, 0), EMFILE);
		IS(fcntl(fd, F_GETFD), -1);
		close(fd + 1);
	}
}

static void device(void)
{
	int fds[2], fd = open(STRIO_PIPE_DEVICE, O_ACCMODE);
	struct stat st;
	char c;

	IS(fstat(fd, &st), 0);
	TRUE(S_ISCHR(st.st_mode));
	FAILS(read(fd, &c, 1), EBADF);
	FAILS(write(fd, "x", 1), EBADF);
	FAILS(other(fd, fds, 0), ENOTTY);
	FAILS(fsync(fd), EINVAL);
	close(fd);
	FAILS(open(STRIO_PIPE_DEVICE, O_WRONLY), EINVAL);
	fd = open(STRIO_PIPE_DEVICE, O_RDWR);
	FAILS(fsync(fd), EINVAL);
	FAILS((long)mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), ENODEV);
}

static const struct test_case cases[] = {
	{ "kinds", kinds },
	{ "closed", closed },
	{ "half", half },
	{ "once", once },
	{ "errors", errors },
	{ "no-descriptors", no_descriptors },
	{ "device", device },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
