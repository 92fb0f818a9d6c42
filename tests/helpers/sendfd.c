// SPDX-License-Identifier: GPL-2.0-only
/* sendfd.c - open files sent over pipes: I_SENDFD, I_RECVFD */
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "streams-test.h"
#include "streams-open.h"

#define NOBODY	65534

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

/* It is the same open file: offset and flags are shared, both ways. */
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

/* Who sent it, by the effective user and group. */
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

/* Any kind of descriptor, in order, behind and before data. */
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
	/* The other way too. */
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
	/* No pipe of STREAMS */
	dev = open("/dev/streams/udp", O_RDWR);
	if (dev >= 0)
		FAILS(ioctl(dev, I_SENDFD, 0), EINVAL);
	IS(pipe(plain), 0);
	TRUE(ioctl(plain[1], I_SENDFD, 0) < 0);
	/* In which open files may wait themselves */
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
	/* Nobody is there to receive it; no signal. */
	close(fds[0]);
	FAILS(ioctl(fds[1], I_SENDFD, 0), ENXIO);
	close(fifo[0]);
	FAILS(ioctl(fifo[1], I_SENDFD, 0), ENXIO);
}

/* A user's files in flight are limited as those in AF_UNIX sockets are. */
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
	/* What is thrown away counts no more. */
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
}

#define USERS	9
#define ALL	65536

/* One of many users: sends ends of pipes as long as that is allowed. */
static long send_ends(uid_t uid, int tell)
{
	struct rlimit many = { 20000, 20000 };
	int spare[2], i;
	long sent = 0;

	IS(setrlimit(RLIMIT_NOFILE, &many), 0);
	IS(setgid(uid), 0);
	IS(setuid(uid), 0);
	IS(strpipe(spare), 0);
	/* As many pipes as it takes, each until it is full. */
	for (i = 0; i < 64; i++) {
		int fds[2];

		IS(strpipe(fds), 0);
		while (!ioctl(fds[1], I_SENDFD, spare[0]))
			sent++;
		TRUE(errno == EAGAIN);
		/* Other files are not of that kind. */
		if (!sent)
			IS(ioctl(fds[1], I_SENDFD, tell), 0);
	}
	return sent;
}

/* All users together have a limit too: theirs have only their own. */
static void limit_of_all(void)
{
	int tell[2], stay[2], fds[2], i;
	long total = 0, sent, least = ALL;
	struct strrecvfd recv;

	IS(pipe(tell), 0);
	IS(pipe(stay), 0);
	for (i = 0; i < USERS; i++) {
		if (!fork()) {
			close(stay[1]);
			sent = send_ends(100000 + i, tell[1]);
			IS(write(tell[1], &sent, sizeof(sent)), sizeof(sent));
			read(stay[0], &sent, 1);
			_exit(0);
		}
		IS(read(tell[0], &sent, sizeof(sent)), sizeof(sent));
		printf("%ld\n", sent);
		TRUE(sent <= 8192);
		total += sent;
		if (sent < least)
			least = sent;
	}
	IS(total, ALL);
	IS(least, 0);
	/* The privileged are not bound. */
	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_SENDFD, fds[0]), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	close(stay[1]);
	while (wait(NULL) > 0)
		;
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
	/* It is no message for others. */
	FAILS(read(fds[0], &recv, 1), EBADMSG);
	FAILS(getmsg(fds[0], NULL, &buf, &flags), EBADMSG);
	/* What the caller can mend leaves it there. */
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
	/* After the hangup what is left, then that. */
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	close(fds[1]);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), ENXIO);
	close(fifo[1]);
	FAILS(ioctl(fifo[0], I_RECVFD, &recv), ENXIO);
}

/* A user namespace where the sender has no number. */
static void overflow(void)
{
	struct strrecvfd recv;
	int fds[2];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_SENDFD, 0), 0);
	IS(write(fds[1], "x", 1), 1);
	IS(unshare(CLONE_NEWUSER), 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EOVERFLOW);
	/* It does not stand in the way of what comes behind it. */
	IS(read(fds[0], &recv, 8), 1);
}

static void caught(int sig)
{
}

static void *send_later(void *arg)
{
	usleep(200000);
	ioctl(*(int *)arg, I_SENDFD, 0);
	return NULL;
}

static void waiting(void)
{
	struct sigaction act = { .sa_handler = caught };
	struct strrecvfd recv;
	pthread_t thread;
	int fds[2];

	IS(strpipe(fds), 0);
	IS(pthread_create(&thread, NULL, send_later, &fds[1]), 0);
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	pthread_join(thread, NULL);
	sigaction(SIGALRM, &act, NULL);
	ualarm(200000, 0);
	FAILS(ioctl(fds[0], I_RECVFD, &recv), EINTR);
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

/* Through modules: the message goes round them, data behind it through. */
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

/* A pipe that only its own queue holds */
static void cycle_of_one(void)
{
	long before = streams_open();
	int fds[2], i;

	for (i = 0; i < 20; i++) {
		IS(strpipe(fds), 0);
		IS(ioctl(fds[1], I_SENDFD, fds[0]), 0);
		IS(ioctl(fds[0], I_SENDFD, fds[1]), 0);
		IS(ioctl(fds[0], I_SENDFD, fds[1]), 0);
		close(fds[0]);
		close(fds[1]);
		IS(test_fifo(fds, 0), 0);
		IS(ioctl(fds[1], I_SENDFD, fds[0]), 0);
		IS(ioctl(fds[1], I_SENDFD, fds[1]), 0);
		close(fds[0]);
		close(fds[1]);
	}
	TRUE(streams_open_falls_to(before));
}

/* A ring of pipes, each queued in the next; a file in it goes with it. */
static void cycle_of_many(void)
{
	long before = streams_open();
	int fds[64][2], plain[2], i;
	char c;

	IS(pipe(plain), 0);
	for (i = 0; i < 64; i++)
		IS(strpipe(fds[i]), 0);
	for (i = 0; i < 64; i++) {
		IS(ioctl(fds[i][1], I_SENDFD, fds[(i + 1) % 64][0]), 0);
		IS(ioctl(fds[i][0], I_SENDFD, fds[(i + 1) % 64][1]), 0);
	}
	IS(ioctl(fds[7][1], I_SENDFD, plain[1]), 0);
	close(plain[1]);
	for (i = 0; i < 64; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
	/* The end of the file when the last writer is gone. */
	IS(read(plain[0], &c, 1), 0);
	TRUE(streams_open_falls_to(before));
}

/* What can still be received is, long after the collector looked. */
static void no_cycle(void)
{
	int fds[2], inner[2], path_only[2], keep;
	struct strrecvfd recv;
	char c;

	IS(strpipe(fds), 0);
	IS(strpipe(inner), 0);
	/* inner holds itself, and fds holds it. */
	IS(ioctl(inner[1], I_SENDFD, inner[0]), 0);
	IS(write(inner[1], "a", 1), 1);
	IS(ioctl(fds[1], I_SENDFD, inner[0]), 0);
	close(inner[0]);
	/* Nobody has this open, but somebody can open it. */
	IS(strpipe(path_only), 0);
	IS(ioctl(path_only[1], I_SENDFD, path_only[0]), 0);
	IS(write(path_only[1], "b", 1), 1);
	{
		char link[64];

		snprintf(link, sizeof(link), "/proc/self/fd/%d", path_only[0]);
		keep = open(link, O_PATH);
		TRUE(keep >= 0);
		close(path_only[0]);
		sleep(3);
		snprintf(link, sizeof(link), "/proc/self/fd/%d", keep);
		path_only[0] = open(link, O_RDWR);
	}
	TRUE(path_only[0] >= 0);
	IS(ioctl(path_only[0], I_RECVFD, &recv), 0);
	IS(read(recv.fd, &c, 1), 1);
	IS(c, 'b');
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	inner[0] = recv.fd;
	IS(ioctl(inner[0], I_RECVFD, &recv), 0);
	IS(read(recv.fd, &c, 1), 1);
	IS(c, 'a');
}

/* Ends that are sent on while the collector looks: none gets lost. */
static void *shuttle(void *arg)
{
	unsigned long rounds = test_scaled(20000), i;
	int *ring = arg, inner[2];
	struct strrecvfd recv;
	char c;

	IS(strpipe(inner), 0);
	for (i = 0; i < rounds; i++) {
		IS(ioctl(inner[1], I_SENDFD, inner[1]), 0);
		IS(write(inner[1], "x", 1), 1);
		IS(ioctl(ring[1], I_SENDFD, inner[0]), 0);
		close(inner[0]);
		IS(ioctl(ring[0], I_RECVFD, &recv), 0);
		inner[0] = recv.fd;
		IS(ioctl(inner[0], I_RECVFD, &recv), 0);
		close(recv.fd);
		IS(read(inner[0], &c, 1), 1);
	}
	close(inner[0]);
	close(inner[1]);
	return NULL;
}

static void busy_cycles(void)
{
	long before = streams_open();
	pthread_t threads[4];
	int ring[4][2], i;

	for (i = 0; i < 4; i++) {
		IS(strpipe(ring[i]), 0);
		IS(pthread_create(&threads[i], NULL, shuttle, ring[i]), 0);
	}
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		close(ring[i][0]);
		close(ring[i][1]);
	}
	TRUE(streams_open_falls_to(before));
}

static const struct test_case cases[] = {
	{ "file", both_file },
	{ "names", names },
	{ "kinds", kinds },
	{ "send-errors", send_errors },
	{ "limit", limit },
	{ "limit-of-all", limit_of_all },
	{ "receive-errors", receive_errors },
	{ "overflow", overflow },
	{ "waiting", waiting },
	{ "released", released },
	{ "modules", modules },
	{ "cycle-of-one", cycle_of_one },
	{ "cycle-of-many", cycle_of_many },
	{ "no-cycle", no_cycle },
	{ "busy-cycles", busy_cycles },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
