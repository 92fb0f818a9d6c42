// SPDX-License-Identifier: GPL-2.0-only
/*
 * files.c - every result and error of the calls that pass and name streams
 *
 * For the table of calls. Their behaviour is tested by sendfd.c, fattach.c and
 * isastream.c. Works in the current folder, which is empty; by root.
 */
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "cover.h"

#define NOBODY	65534

static int fds[2];

/* Runs the rest of a case as another user, whose names are counted apart. */
static void as_nobody(void (*run)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		IS(setgid(NOBODY), 0);
		IS(setuid(NOBODY), 0);
		run();
		fflush(stdout);
		_exit(cover_failed);
	}
	IS(waitpid(pid, &status, 0), pid);
	cover_failed |= status;
}

static void too_many_sent(void)
{
	struct rlimit few = { 5, 5 };
	int i;

	setrlimit(RLIMIT_NOFILE, &few);
	for (i = 0; i < 5; i++)
		IS(ioctl(fds[1], I_SENDFD, 0), 0);
	FAILS_WITH("I_SENDFD", EAGAIN, "too many in flight",
		   ioctl(fds[1], I_SENDFD, 0));
}

static void sendfd(void)
{
	int fifo[2], dev = open("/dev/streams/nuls", O_RDWR);

	IS(strpipe(fds), 0);
	GIVES("I_SENDFD", "a pipe", ioctl(fds[1], I_SENDFD, 0), 0);
	IS(test_fifo(fifo, 0), 0);
	GIVES("I_SENDFD", "a FIFO", ioctl(fifo[1], I_SENDFD, 0), 0);
	FAILS_WITH("I_SENDFD", EBADF, "not open", ioctl(fds[1], I_SENDFD, 999));
	FAILS_WITH("I_SENDFD", EBADF, "O_PATH",
		   ioctl(fds[1], I_SENDFD, open("/", O_PATH)));
	FAILS_WITH("I_SENDFD", EBADF, "for reading only",
		   ioctl(fifo[0], I_SENDFD, 0));
	if (dev >= 0)
		FAILS_WITH("I_SENDFD", EINVAL, "no pipe",
			   ioctl(dev, I_SENDFD, 0));
	while (!ioctl(fifo[1], I_SENDFD, 0))
		;
	FAILS_WITH("I_SENDFD", EAGAIN, "the queue is full",
		   ioctl(fifo[1], I_SENDFD, 0));
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	as_nobody(too_many_sent);
	close(fds[0]);
	FAILS_WITH("I_SENDFD", ENXIO, "the other end is closed",
		   ioctl(fds[1], I_SENDFD, 0));
	close(fifo[0]);
	FAILS_WITH("I_SENDFD", ENXIO, "the FIFO has no reader",
		   ioctl(fifo[1], I_SENDFD, 0));
}

static void recvfd(void)
{
	struct strrecvfd recv;
	struct rlimit old, few;
	int fifo[2];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	GIVES("I_RECVFD", "one is there", ioctl(fds[0], I_RECVFD, &recv), 0);
	FAILS_WITH("I_RECVFD", EFAULT, "bad address",
		   ioctl(fds[0], I_RECVFD, BAD_POINTER));
	IS(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = 0;
	IS(setrlimit(RLIMIT_NOFILE, &few), 0);
	FAILS_WITH("I_RECVFD", EMFILE, "no descriptor is left",
		   ioctl(fds[0], I_RECVFD, &recv));
	IS(setrlimit(RLIMIT_NOFILE, &old), 0);
	GIVES("I_RECVFD", "it is still there", ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(test_fifo(fifo, 0), 0);
	FAILS_WITH("I_RECVFD", EBADF, "for writing only",
		   ioctl(fifo[1], I_RECVFD, &recv));
	test_nonblock(fds[0], true);
	FAILS_WITH("I_RECVFD", EAGAIN, "none is there",
		   ioctl(fds[0], I_RECVFD, &recv));
	IS(write(fds[1], "x", 1), 1);
	FAILS_WITH("I_RECVFD", EBADMSG, "data is first",
		   ioctl(fds[0], I_RECVFD, &recv));
	IS(read(fds[0], &recv, 1), 1);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	close(fds[1]);
	GIVES("I_RECVFD", "left when the other end was closed",
	      ioctl(fds[0], I_RECVFD, &recv), 0);
	FAILS_WITH("I_RECVFD", ENXIO, "the other end is closed",
		   ioctl(fds[0], I_RECVFD, &recv));
	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	IS(unshare(CLONE_NEWUSER), 0);
	FAILS_WITH("I_RECVFD", EOVERFLOW, "the sender has no number here",
		   ioctl(fds[0], I_RECVFD, &recv));
}

static void make_files(void)
{
	IS(mkdir("folder", 0700), 0);
	close(open("folder/file", O_WRONLY | O_CREAT, 0600));
	close(open("file", O_WRONLY | O_CREAT, 0666));
	close(open("readonly", O_WRONLY | O_CREAT, 0600));
	IS(chmod("readonly", 0444), 0);
	IS(symlink("loop", "loop"), 0);
}

/* The error is the same with a helper and without one. */
static void attach_foreign(void)
{
	FAILS_WITH("fattach", EPERM, "another's file", fattach(fds[0], "file"));
	FAILS_WITH("fattach", EACCES, "a folder cannot be searched",
		   fattach(fds[0], "folder/file"));
}

static void attach(void)
{
	int plain = open("/dev/null", O_RDWR);
	char longest[5000];

	make_files();
	memset(longest, 'n', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	IS(strpipe(fds), 0);
	as_nobody(attach_foreign);
	FAILS_WITH("fattach", EBADF, "not open", fattach(999, "file"));
	FAILS_WITH("fattach", EINVAL, "no stream", fattach(plain, "file"));
	FAILS_WITH("fattach", EINVAL, "a folder", fattach(fds[0], "folder"));
	FAILS_WITH("fattach", ELOOP, "a link to itself", fattach(fds[0], "loop"));
	FAILS_WITH("fattach", ENAMETOOLONG, "a long name",
		   fattach(fds[0], longest));
	FAILS_WITH("fattach", ENOENT, "no file", fattach(fds[0], "none"));
	FAILS_WITH("fattach", ENOENT, "an empty name", fattach(fds[0], ""));
	FAILS_WITH("fattach", ENOTDIR, "below a file",
		   fattach(fds[0], "file/none"));
	FAILS_WITH("fattach", EFAULT, "bad address",
		   fattach(fds[0], BAD_POINTER));
	GIVES("fattach", "a pipe", fattach(fds[0], "file"), 0);
	FAILS_WITH("fattach", EBUSY, "it has a stream", fattach(fds[1], "file"));
	GIVES("fattach", "root, a file that its owner may not write",
	      fattach(fds[1], "readonly"), 0);
	IS(mount("folder/file", "folder/file", NULL, MS_BIND, NULL), 0);
	FAILS_WITH("fattach", EBUSY, "something is mounted there",
		   fattach(fds[1], "folder/file"));
	IS(umount("folder/file"), 0);
	IS(fdetach("readonly"), 0);
	IS(fdetach("file"), 0);
}

static void detach_foreign(void)
{
	FAILS_WITH("fdetach", EPERM, "another's name", fdetach("file"));
	FAILS_WITH("fdetach", EACCES, "a folder cannot be searched",
		   fdetach("folder/file"));
}

static void detach(void)
{
	char longest[5000];

	make_files();
	memset(longest, 'n', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	IS(strpipe(fds), 0);
	FAILS_WITH("fdetach", EINVAL, "it has no stream", fdetach("file"));
	IS(fattach(fds[0], "file"), 0);
	as_nobody(detach_foreign);
	GIVES("fdetach", "a name", fdetach("file"), 0);
	FAILS_WITH("fdetach", EINVAL, "it has none any more", fdetach("file"));
	FAILS_WITH("fdetach", EINVAL, "a folder", fdetach("folder"));
	FAILS_WITH("fdetach", ELOOP, "a link to itself", fdetach("loop"));
	FAILS_WITH("fdetach", ENAMETOOLONG, "a long name", fdetach(longest));
	FAILS_WITH("fdetach", ENOENT, "no file", fdetach("none"));
	FAILS_WITH("fdetach", ENOENT, "an empty name", fdetach(""));
	FAILS_WITH("fdetach", ENOTDIR, "below a file", fdetach("file/none"));
	FAILS_WITH("fdetach", EFAULT, "bad address", fdetach(BAD_POINTER));
}

static void asking(void)
{
	IS(strpipe(fds), 0);
	GIVES("isastream", "a pipe", isastream(fds[0]), 1);
	GIVES("isastream", "a file", isastream(open("/proc/self/exe", 0)), 0);
	GIVES("isastream", "a device", isastream(open("/dev/null", 0)), 0);
	FAILS_WITH("isastream", EBADF, "not open", isastream(999));
	FAILS_WITH("isastream", EBADF, "O_PATH of a device",
		   isastream(open("/dev/null", O_PATH)));
}

static const struct test_case cases[] = {
	{ "sendfd", sendfd },
	{ "recvfd", recvfd },
	{ "attach", attach },
	{ "detach", detach },
	{ "asking", asking },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
