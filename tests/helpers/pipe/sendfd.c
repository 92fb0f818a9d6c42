// SPDX-License-Identifier: GPL-2.0-only
/* sendfd.c - open files sent over pipes: I_SENDFD, I_RECVFD */
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "streams-test.h"
#include "streams-open.h"

#define NOBODY	65534
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int pass(int to, int from, int fd)
{
	struct strrecvfd recv = { .fd = -1 };

	IS(ioctl(to, I_SENDFD, fd), 0);
	IS(ioctl(from, I_RECVFD, &recv), 0);
	TRUE(recv.fd >= 0);
	return recv.fd;
}

static int temporary(const char *text)
{
	char name[] = "/tmp/sendfd-XXXXXX";
	int fd = mkstemp(name);

	TRUE(fd >= 0);
	unlink(name);
	IS(write(fd, text, strlen(text)), (long)strlen(text));
	return fd;
}

/*
 * Both descriptors refer to the same open file: they share the offset and
 * flags.
 */
static void file(int fds[2])
{
	int fd = temporary("0123456789"), got;
	struct stat sent, received;

	IS(lseek(fd, 4, SEEK_SET), 4);
	IS(fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK), 0);
	IS(fcntl(fd, F_SETFD, FD_CLOEXEC), 0);
	got = pass(fds[1], fds[0], fd);
	TRUE(got != fd);
	IS(lseek(got, 0, SEEK_CUR), 4);
	IS(fcntl(got, F_GETFL) & (O_APPEND | O_NONBLOCK | O_ACCMODE),
	   O_APPEND | O_NONBLOCK | O_RDWR);
	/* The descriptor is new: this flag is not the file's. */
	IS(fcntl(got, F_GETFD), 0);
	IS(fstat(fd, &sent), 0);
	IS(fstat(got, &received), 0);
	TRUE(sent.st_ino == received.st_ino && sent.st_dev == received.st_dev);
	IS(lseek(got, 7, SEEK_SET), 7);
	IS(lseek(fd, 0, SEEK_CUR), 7);
	close(fd);
	IS(lseek(got, 0, SEEK_CUR), 7);
	close(got);
}

static void both_file(void)
{
	test_both_pipes(file);
}

/* The receiver learns the sender's effective user and group. */
static void names(void)
{
	struct strrecvfd recv = { };
	int fds[2], status;
	pid_t pid;

	IS(strpipe(fds), 0);
	pid = fork();
	if (!pid) {
		_exit(setegid(1234) || seteuid(4321) ||
		      ioctl(fds[1], I_SENDFD, 0));
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	memset(recv.fill, 'x', sizeof(recv.fill));
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(recv.uid, 4321);
	IS(recv.gid, 1234);
	IS(recv.fill[0], 0);
	IS(recv.fill[7], 0);
}

/* Descriptors of any kind are received in order, behind and before data. */
static void kinds(void)
{
	int fds[2], inner[2], sock, fd[6], got[6], i;
	struct strrecvfd recv;
	char data[4];

	IS(strpipe(fds), 0);
	IS(strpipe(inner), 0);
	sock = socket(AF_INET, SOCK_STREAM, 0);
	TRUE(sock >= 0);
	fd[0] = open("/", O_RDONLY | O_DIRECTORY);
	fd[1] = open("/dev/null", O_WRONLY);
	fd[2] = inner[0];
	fd[3] = sock;
	fd[4] = epoll_create1(0);
	fd[5] = fds[1];
	for (i = 0; i < 6; i++)
		IS(ioctl(fds[1], I_SENDFD, fd[i]), 0);
	IS(write(fds[1], "data", 4), 4);
	for (i = 0; i < 6; i++) {
		struct stat a, b;

		IS(ioctl(fds[0], I_RECVFD, &recv), 0);
		got[i] = recv.fd;
		IS(fstat(fd[i], &a), 0);
		IS(fstat(got[i], &b), 0);
		IS(a.st_ino, b.st_ino);
		IS(a.st_mode, b.st_mode);
	}
	IS(read(fds[0], data, 4), 4);
	IS(write(got[2], "x", 1), 1);
	IS(read(inner[1], data, 4), 1);
	IS(write(got[5], "y", 1), 1);
	IS(read(fds[0], data, 4), 1);
	/* The other end can send as well. */
	IS(ioctl(fds[0], I_SENDFD, 0), 0);
	IS(ioctl(fds[1], I_RECVFD, &recv), 0);
}

static void send_errors(void)
{
	int fds[2], fifo[2], plain[2], unix_sock[2], sent = 0, dev, i;
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
	struct strrecvfd recv;

	IS(strpipe(fds), 0);
	FAILS(ioctl(fds[0], I_SENDFD, -1), EBADF);
	FAILS(ioctl(fds[0], I_SENDFD, 1000), EBADF);
	FAILS(ioctl(fds[0], I_SENDFD, open("/", O_PATH)), EBADF);
	FAILS(ioctl(1000, I_SENDFD, 0), EBADF);
	IS(test_fifo(fifo, 0), 0);
	FAILS(ioctl(fifo[0], I_SENDFD, 0), EBADF);
	/* A stream that is not a pipe does not take a descriptor. */
	dev = open("/dev/streams/udp", O_RDWR);
	if (dev >= 0)
		FAILS(ioctl(dev, I_SENDFD, 0), EINVAL);
	IS(pipe(plain), 0);
	TRUE(ioctl(plain[1], I_SENDFD, 0) < 0);
	/* Sockets in which open files may wait themselves can be sent. */
	for (i = 0; i < 3; i++) {
		IS(socketpair(AF_UNIX, types[i], 0, unix_sock), 0);
		FAILS(ioctl(fds[1], I_SENDFD, unix_sock[0]), EINVAL);
		close(unix_sock[0]);
		close(unix_sock[1]);
	}
	/* The queue at the other end is full, and has room again. */
	while (ioctl(fds[1], I_SENDFD, 0) == 0 && sent < 100000)
		sent++;
	TRUE(errno == EAGAIN);
	TRUE(sent > 10);
	FAILS(ioctl(fds[1], I_SENDFD, 0), EAGAIN);
	while (sent--) {
		IS(ioctl(fds[0], I_RECVFD, &recv), 0);
		close(recv.fd);
	}
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	/* After the close of the other end the call fails; no signal comes. */
	close(fds[0]);
	FAILS(ioctl(fds[1], I_SENDFD, 0), ENXIO);
	close(fifo[0]);
	FAILS(ioctl(fifo[1], I_SENDFD, 0), ENXIO);
}

/* The user's files in flight are limited as those in AF_UNIX sockets are. */
static void limit(void)
{
	struct rlimit few = { 20, 20 };
	int fds[4], i, sent = 0;

	IS(strpipe(fds), 0);
	IS(strpipe(fds + 2), 0);
	IS(setrlimit(RLIMIT_NOFILE, &few), 0);
	IS(setgid(NOBODY), 0);
	IS(setuid(NOBODY), 0);
	for (i = 0; i < 100 && !ioctl(fds[1 + 2 * (i % 2)], I_SENDFD, 0); i++)
		sent++;
	TRUE(errno == EAGAIN);
	IS(sent, 20);
	/* A file that is dropped no longer counts. */
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
}

static void receive_errors(void)
{
	int fds[2], fifo[2], fd;
	struct strrecvfd recv;
	struct strbuf buf = { .maxlen = sizeof(recv), .buf = (char *)&recv };
	struct pollfd p;
	struct rlimit old, few;
	int flags = 0;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EAGAIN);
	IS(test_fifo(fifo, 0), 0);
	FAILS(ioctl(fifo[1], I_RECVFD, &recv), EBADF);
	IS(write(fds[1], "x", 1), 1);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EBADMSG);
	IS(read(fds[0], &recv, 1), 1);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	p = (struct pollfd){ .fd = fds[0], .events = POLLIN | POLLRDNORM };
	IS(poll(&p, 1, 0), 1);
	IS(p.revents, POLLIN | POLLRDNORM);
	/* Other calls do not receive it. */
	FAILS(read(fds[0], &recv, 1), EBADMSG);
	FAILS(getmsg(fds[0], NULL, &buf, &flags), EBADMSG);
	/* An error that the caller can correct leaves the file on the queue. */
	FAILS(ioctl(fds[0], I_RECVFD, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[0], I_RECVFD, NULL), EFAULT);
	IS(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	fd = dup(0);
	few.rlim_cur = fd;
	close(fd);
	IS(setrlimit(RLIMIT_NOFILE, &few), 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EMFILE);
	IS(setrlimit(RLIMIT_NOFILE, &old), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(recv.fd, fd);
	/*
	 * After the hangup the remaining files are received, then the hangup is
	 * reported.
	 */
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	close(fds[1]);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), ENXIO);
	close(fifo[1]);
	FAILS(ioctl(fifo[0], I_RECVFD, &recv), ENXIO);
}

/* The sender has no number in the receiver's user namespace. */
static void overflow(void)
{
	struct strrecvfd recv;
	int fds[2];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	IS(write(fds[1], "x", 1), 1);
	IS(unshare(CLONE_NEWUSER), 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EOVERFLOW);
	/* The message does not block the messages behind it. */
	IS(read(fds[0], &recv, 8), 1);
}

static void *send_later(void *arg)
{
	UNTIL(thread_sleeps(getpid()));
	ioctl(*(int *)arg, I_SENDFD, 0);
	return NULL;
}

static void waiting(void)
{
	struct strrecvfd recv;
	pthread_t thread;
	int fds[2];

	IS(strpipe(fds), 0);
	IS(pthread_create(&thread, NULL, send_later, &fds[1]), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	pthread_join(thread, NULL);
	FAILS(INTERRUPTED(ioctl(fds[0], I_RECVFD, &recv)), EINTR);
}

/* A flush and a close release the files. */
static void released(void)
{
	int fds[2], inner[2];
	char c;

	IS(strpipe(fds), 0);
	IS(pipe(inner), 0);
	IS(ioctl(fds[1], I_SENDFD, inner[1]), 0);
	close(inner[1]);
	IS(fcntl(inner[0], F_SETFL, O_NONBLOCK), 0);
	FAILS(read(inner[0], &c, 1), EAGAIN);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(read(inner[0], &c, 1), 0);

	IS(pipe(inner), 0);
	IS(fcntl(inner[0], F_SETFL, O_NONBLOCK), 0);
	IS(ioctl(fds[1], I_SENDFD, inner[1]), 0);
	close(inner[1]);
	FAILS(read(inner[0], &c, 1), EAGAIN);
	close(fds[0]);
	IS(read(inner[0], &c, 1), 0);
}

/* The message bypasses modules; data behind it passes through them. */
static void modules(void)
{
	struct strrecvfd recv;
	int fds[2];
	char data[4];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	IS(ioctl(fds[1], I_PUSH, "nullmod"), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	IS(write(fds[1], "data", 4), 4);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(read(fds[0], data, 4), 4);
}

/* Files in flight do not nest, so that no pipe can hold itself. */
static void nested(void)
{
	int fds[2], other[2];
	struct strrecvfd recv;

	IS(strpipe(fds), 0);
	IS(strpipe(other), 0);
	/* This end would receive itself. */
	FAILS(ioctl(fds[1], I_SENDFD, fds[0]), EINVAL);
	/* An end in flight takes no file, until it is received. */
	IS(ioctl(fds[1], I_SENDFD, other[0]), 0);
	FAILS(ioctl(other[1], I_SENDFD, 0), EAGAIN);
	IS(write(other[1], "data", 4), 4);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(ioctl(other[1], I_SENDFD, 0), 0);
	/* An end cannot be sent while a file waits to be received there. */
	FAILS(ioctl(fds[1], I_SENDFD, other[0]), EAGAIN);
	IS(ioctl(other[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(fds[1], I_SENDFD, other[0]), 0);
	/*
	 * An end that is in flight twice takes no file before both were
	 * received.
	 */
	IS(ioctl(fds[1], I_SENDFD, other[0]), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	FAILS(ioctl(other[1], I_SENDFD, 0), EAGAIN);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(other[1], I_SENDFD, 0), 0);
}

/* A FIFO is its own other end. */
static void nested_fifo(void)
{
	int fifo[2], fds[2];

	IS(test_fifo(fifo, 0), 0);
	IS(strpipe(fds), 0);
	FAILS(ioctl(fifo[1], I_SENDFD, fifo[0]), EINVAL);
	FAILS(ioctl(fifo[1], I_SENDFD, fifo[1]), EINVAL);
	IS(ioctl(fds[1], I_SENDFD, fifo[0]), 0);
	FAILS(ioctl(fifo[1], I_SENDFD, 0), EAGAIN);
	close(fds[0]);
	IS(ioctl(fifo[1], I_SENDFD, 0), 0);
}

/*
 * Ends are sent through pipes that are sent themselves: the last close of each
 * empties them.
 */
static void ring_of_pipes(void)
{
	long before = streams_open();
	int fds[64][2], plain[2], i;
	char c;

	IS(pipe(plain), 0);
	for (i = 0; i < 64; i++)
		IS(strpipe(fds[i]), 0);
	for (i = 0; i < 64; i++) {
		ioctl(fds[i][1], I_SENDFD, fds[(i + 1) % 64][0]);
		ioctl(fds[i][0], I_SENDFD, fds[(i + 1) % 64][1]);
		ioctl(fds[i][0], I_SENDFD, fds[i][1]);
	}
	IS(ioctl(fds[8][1], I_SENDFD, plain[1]), 0);
	close(plain[1]);
	for (i = 0; i < 64; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
	/*
	 * The reader sees the end of the file when the last writer has closed.
	 */
	IS(read(plain[0], &c, 1), 0);
	TRUE(streams_open_falls_to(before));
}

/*
 * These files may hold others, a pipe's end among them: a file system's
 * context, files registered with io_uring.
 */
static void holders(void)
{
	char params[256] = { };
	int fds[2], fd, refused = 0;
	struct strrecvfd recv;

	IS(strpipe(fds), 0);
	fd = syscall(SYS_fsopen, "tmpfs", 0);
	if (fd >= 0) {
		FAILS(ioctl(fds[1], I_SENDFD, fd), EINVAL);
		close(fd);
		refused++;
	}
	fd = syscall(SYS_io_uring_setup, 1, params);
	if (fd >= 0) {
		FAILS(ioctl(fds[1], I_SENDFD, fd), EINVAL);
		close(fd);
		refused++;
	}
	printf("%d kinds tried that the kernel may lack\n", refused);
	/* Files without a name that hold no other file are sent. */
	fd = eventfd(0, 0);
	IS(ioctl(fds[1], I_SENDFD, fd), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
}

/* These files keep a namespace of mounts, and with it the names in it. */
static const char *const keepers[] = {
	"/proc/self/ns/mnt", "/proc/self/mountinfo", "/proc/self/mounts", ".", "file",
};

static void tell(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	IS(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/*
 * A process in its own namespaces gives an end a name, and sends it a file that
 * keeps the name, in one order and in the other; then the process exits.
 */
static void keep_itself(unsigned int keeper, bool name_first)
{
	int fds[2], fd, kept;

	IS(unshare(CLONE_NEWUSER | CLONE_NEWNS), 0);
	tell("/proc/self/uid_map", "0 0 1");
	tell("/proc/self/setgroups", "deny");
	tell("/proc/self/gid_map", "0 0 1");
	IS(mount("none", ".", "tmpfs", 0, NULL), 0);
	IS(chdir(getcwd(NULL, 0)), 0);
	close(open("file", O_WRONLY | O_CREAT | O_EXCL, 0600));
	close(open("name", O_WRONLY | O_CREAT | O_EXCL, 0600));
	close(open("mate", O_WRONLY | O_CREAT | O_EXCL, 0600));
	fd = open(keepers[keeper], O_RDONLY);
	TRUE(fd >= 0);
	IS(strpipe(fds), 0);
	kept = open("file", O_RDONLY);
	if (name_first) {
		IS(fattach(fds[0], "name"), 0);
		FAILS(ioctl(fds[1], I_SENDFD, fd), EINVAL);
		/*
		 * The other end takes files, and one of the files may be
		 * received.
		 */
		IS(ioctl(fds[0], I_SENDFD, fd), 0);
		FAILS(fattach(fds[1], "mate"), EBUSY);
		return;
	}
	IS(ioctl(fds[1], I_SENDFD, fd), 0);
	FAILS(fattach(fds[0], "name"), EBUSY);
	IS(fattach(fds[1], "mate"), 0);
	FAILS(ioctl(fds[0], I_SENDFD, kept), EINVAL);
}

static void named(void)
{
	long before = streams_open();
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; i < 2 * COUNT(keepers); i++) {
		pid = fork();
		TRUE(pid >= 0);
		if (!pid) {
			keep_itself(i / 2, i % 2);
			_exit(0);
		}
		IS(waitpid(pid, &status, 0), pid);
		IS(status, 0);
		TRUE(streams_open_falls_to(before));
	}
}

static const struct test_case cases[] = {
	{ "file", both_file },
	{ "names", names },
	{ "kinds", kinds },
	{ "send-errors", send_errors },
	{ "limit", limit },
	{ "receive-errors", receive_errors },
	{ "overflow", overflow },
	{ "waiting", waiting },
	{ "released", released },
	{ "modules", modules },
	{ "nested", nested },
	{ "nested-fifo", nested_fifo },
	{ "ring-of-pipes", ring_of_pipes },
	{ "holders", holders },
	{ "named", named },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
