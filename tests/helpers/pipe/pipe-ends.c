// SPDX-License-Identifier: GPL-2.0-only
/* The end of the file, broken pipes, and ends reopened through /proc */
#include "pipe-check.h"

static char data[65536];

static void end_of_file(void)
{
	int fds[2], copy;
	pid_t pid;

	make_pipe(fds, O_NONBLOCK);
	copy = dup(fds[1]);
	write(copy, data, 5);
	close(fds[1]);
	say_result("read, a copy is left", read(fds[0], data, 3));
	say_result("read the rest", read(fds[0], data, 3));
	say_result("read again", read(fds[0], data, 3));
	close(copy);
	say_result("read, no writer", read(fds[0], data, 3));
	say_result("and again", read(fds[0], data, 3));
	close(fds[0]);

	make_pipe(fds, 0);
	write(fds[1], data, 100);
	close(fds[1]);
	say_result("read what was written before close", read(fds[0], data, 60));
	say_result("the rest", read(fds[0], data, 60));
	say_result("end", read(fds[0], data, 60));
	close(fds[0]);

	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		close(fds[0]);
		UNTIL(process_sleeps(getppid()));
		_exit(write(fds[1], data, 7) != 7);
	}
	close(fds[1]);
	say_result("read of a child's write", read(fds[0], data, 100));
	say_result("read after its exit", read(fds[0], data, 100));
	say_end("child", pid);
	close(fds[0]);
}

static void end_by_kill(void)
{
	int fds[2];
	pid_t pid;

	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid)
		for (;;)
			pause();
	close(fds[1]);
	kill(pid, SIGKILL);
	say_result("read after the writer was killed", read(fds[0], data, 1));
	say_end("writer", pid);
	close(fds[0]);
}

static volatile int caught;

static void count(int sig)
{
	caught += sig == SIGPIPE;
}

static void broken_pipe(void)
{
	int fds[2], copy;
	pid_t pid;

	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		close(fds[0]);
		_exit(write(fds[1], data, 1) == 1);
	}
	copy = dup(fds[0]);
	say_end("writer, the parent reads", pid);
	close(fds[0]);
	pid = must_fork();
	if (!pid) {
		close(copy);
		_exit(write(fds[1], data, 1) != 1);
	}
	say_end("writer, a copy is left", pid);
	close(copy);
	pid = must_fork();
	if (!pid)
		_exit(write(fds[1], data, 1) != 1);
	say_end("writer, no reader", pid);
	signal(SIGPIPE, count);
	say_result("write with a handler", write(fds[1], data, 1));
	say("signals", "%d", caught);
	say_result("long write", write(fds[1], data, 65536));
	say("signals", "%d", caught);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	say_result("non-blocking", write(fds[1], data, 65536));
	say("signals", "%d", caught);
	signal(SIGPIPE, SIG_IGN);
	say_result("ignored", write(fds[1], data, 1));
	close(fds[1]);
	signal(SIGPIPE, SIG_DFL);
}

/* A writer that is asleep when the reader closes has written a part. */
static void broken_asleep(void)
{
	int fds[2];
	pid_t pid;

	caught = 0;
	signal(SIGPIPE, count);
	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		long n;

		close(fds[0]);
		n = write(fds[1], data, 65536);
		n = write(fds[1], data, 100);
		say("sleeping writer, reader gone", "%s, signals %d",
		    n < 0 ? strerrorname_np(errno) : "written", caught);
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	close(fds[0]);
	say_end("child", pid);
	close(fds[1]);

	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		static char more[100000];
		long n;

		close(fds[0]);
		caught = 0;
		n = write(fds[1], more, sizeof(more));
		say("writer of 100000, reader gone", "%ld, signals %d", n, caught);
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	close(fds[0]);
	say_end("child", pid);
	close(fds[1]);
	signal(SIGPIPE, SIG_DFL);
}

static int reopen(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags);
}

static void reopened(void)
{
	static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR, O_RDONLY | O_NONBLOCK,
				     O_WRONLY | O_NONBLOCK, O_RDWR | O_NONBLOCK,
				     O_RDONLY | O_TRUNC, O_WRONLY | O_APPEND,
				     O_WRONLY | O_CREAT, O_RDONLY | O_DIRECTORY,
				     O_RDONLY | O_NOFOLLOW, O_PATH, O_WRONLY | O_DIRECT, 3 };
	int fds[2], fd, end;
	struct stat a, b;
	char name[80];
	size_t i;

	make_pipe(fds, O_NONBLOCK);
	fstat(fds[0], &a);
	for (end = 0; end < 2; end++) {
		for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
			snprintf(name, sizeof(name), "reopen end %d with %#o", end, modes[i]);
			fd = reopen(fds[end], modes[i]);
			say_result(name, fd < 0 ? -1 : 0);
			if (fd < 0)
				continue;
			fstat(fd, &b);
			say("same inode, F_GETFL", "%d %#o", a.st_ino == b.st_ino,
			    fcntl(fd, F_GETFL));
			fcntl(fd, F_SETFL, O_NONBLOCK);
			say_result("write 3", write(fd, "abc", 3));
			say_result("read 10", read(fd, data, 10));
			drain(fds[0]);
			close(fd);
		}
	}
	/* A reader made of the writing end keeps the pipe alive. */
	fd = reopen(fds[1], O_RDONLY | O_NONBLOCK);
	close(fds[0]);
	say_result("write, a reopened reader is left", write(fds[1], "abc", 3));
	say_result("read it there", read(fd, data, 10));
	close(fds[1]);
	say_result("end of file there", read(fd, data, 10));
	fds[1] = reopen(fd, O_WRONLY | O_NONBLOCK);
	say_result("reopen for writing, no writer", fds[1] < 0 ? -1 : 0);
	say_result("write", write(fds[1], "wxyz", 4));
	say_result("read", read(fd, data, 10));
	say_result("read again", read(fd, data, 10));
	close(fd);
	signal(SIGPIPE, SIG_IGN);
	say_result("write, no reader", write(fds[1], "x", 1));
	fd = reopen(fds[1], O_WRONLY | O_NONBLOCK);
	say_result("reopen for writing without reader", fd < 0 ? -1 : 0);
	fd = reopen(fds[1], O_RDWR);
	say_result("reopen for both without reader", fd < 0 ? -1 : 0);
	say_result("write now", write(fds[1], "x", 1));
	close(fds[1]);
	say_result("read now", read(fd, data, 10));
	say_result("write to itself", write(fd, "hello", 5));
	say_result("read from itself", read(fd, data, 10));
	close(fd);
	signal(SIGPIPE, SIG_DFL);
}

/* An end that O_PATH holds does not count as a reader; opening waits for one. */
static void waiting(void)
{
	int fds[2], path;
	pid_t pid;

	make_pipe(fds, 0);
	path = reopen(fds[0], O_PATH);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	say_result("write, O_PATH is left", write(fds[1], "x", 1));
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
	say_result("open O_WRONLY O_NONBLOCK without a reader",
		   reopen(path, O_WRONLY | O_NONBLOCK));
	pid = must_fork();
	if (!pid) {
		int fd = reopen(path, O_RDONLY);

		/*
		 * The exit status has the result, because the output of both
		 * comes in any order.
		 */
		_exit(fd < 0 ? 99 : read(fd, data, 10));
	}
	UNTIL(process_sleeps(pid));
	fds[1] = reopen(path, O_WRONLY);
	say_result("writer", fds[1] < 0 ? -1 : 0);
	say_result("writes", write(fds[1], "abc", 3));
	say_end("reader that waited for a writer", pid);
	close(fds[1]);
	close(path);
}

int main(void)
{
	end_of_file();
	end_by_kill();
	broken_pipe();
	broken_asleep();
	reopened();
	alarm(WAIT_SECONDS);
	waiting();
	return 0;
}
