// SPDX-License-Identifier: GPL-2.0-only
/* F_GETPIPE_SZ and F_SETPIPE_SZ: sizes, errors, and that no byte is lost */
#include "pipe-check.h"

#include <limits.h>
#include <sys/epoll.h>

static char data[1 << 20], got[1 << 20];

static void sizes(void)
{
	static const unsigned long ask[] = {
		0, 1, 4095, 4096, 4097, 8192, 12288, 65535, 65536, 65537, 131072, 1048576,
		1048577, 1UL << 29, 1UL << 30, (1UL << 31) - 1, 1UL << 31, (1UL << 31) + 1,
		UINT_MAX, (1UL << 32) + 4096, (1UL << 63) + 8192, ULONG_MAX,
	};
	char name[64];
	int fds[2], end;
	size_t i;

	make_pipe(fds, O_NONBLOCK);
	for (i = 0; i < sizeof(ask) / sizeof(ask[0]); i++) {
		end = i & 1;
		snprintf(name, sizeof(name), "set %lu", ask[i]);
		say_result(name, fcntl(fds[end], F_SETPIPE_SZ, ask[i]));
		say_result("get", fcntl(fds[!end], F_GETPIPE_SZ));
		if (ask[i] <= 1048576)
			say("takes", "%ld", fill(fds[1], 4096));
		drain(fds[0]);
	}
	close_pipe(fds);
}

/* Every byte is there, in order, however the pipe is resized. */
static void contents(void)
{
	static const int steps[] = { 65536, 131072, 32768, 1048576, 16384, 65536 };
	size_t wrote = 0, was_read = 0, i, same = 0;
	int fds[2];
	ssize_t n;

	make_pipe(fds, O_NONBLOCK);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		n = write(fds[1], data + wrote, 10000);
		wrote += n > 0 ? n : 0;
		say_result("resize what holds some", fcntl(fds[1], F_SETPIPE_SZ, steps[i]));
		n = read(fds[0], got + was_read, 7000);
		was_read += n > 0 ? n : 0;
	}
	while ((n = read(fds[0], got + was_read, 4096)) > 0)
		was_read += n;
	while (same < was_read && data[same] == got[same])
		same++;
	say("wrote, read, same", "%zu %zu %zu", wrote, was_read, same);
	close_pipe(fds);
}

static void busy(void)
{
	int fds[2];

	make_pipe(fds, O_NONBLOCK);
	write(fds[1], data, 8192);
	say_result("smaller than what is in it", fcntl(fds[0], F_SETPIPE_SZ, 4096));
	say_result("as large as what is in it", fcntl(fds[0], F_SETPIPE_SZ, 8192));
	say_result("get", fcntl(fds[0], F_GETPIPE_SZ));
	say_result("write to the full", write(fds[1], data, 1));
	say_result("larger", fcntl(fds[0], F_SETPIPE_SZ, 16384));
	say_result("write", write(fds[1], data, 16384));
	say("read", "%ld", drain(fds[0]));
	say_result("much larger", fcntl(fds[0], F_SETPIPE_SZ, 262144));
	say("takes", "%ld", fill(fds[1], 4096));
	say("read", "%ld", drain(fds[0]));
	say_result("much smaller", fcntl(fds[0], F_SETPIPE_SZ, 65536));
	say("takes", "%ld", fill(fds[1], 4096));
	say("read", "%ld", drain(fds[0]));
	close_pipe(fds);
}

/* A writer that sleeps, and one that polls, continue when the pipe becomes larger. */
static void wakes(void)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };
	int fds[2], epoll = epoll_create1(0);
	long size;
	pid_t pid;

	make_pipe(fds, 0);
	write(fds[1], data, 65536);
	epoll_ctl(epoll, EPOLL_CTL_ADD, fds[1], &event);
	say_result("full", epoll_wait(epoll, &event, 1, 0));
	pid = must_fork();
	if (!pid) {
		alarm(WAIT_SECONDS);
		say_result("write of more than fits", write(fds[1], data, 8192));
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	size = fcntl(fds[1], F_SETPIPE_SZ, 131072);
	/* The other process prints first. */
	say_end("writer", pid);
	say_result("larger", size);
	say_result("polled", epoll_wait(epoll, &event, 1, 0));
	close(epoll);
	close_pipe(fds);
}

/*
 * With room for one page data is still written and read in order, by tasks that
 * sleep.
 */
static void smallest(void)
{
	size_t total = 0, same = 0;
	int fds[2];
	pid_t pid;
	ssize_t n;

	make_pipe(fds, 0);
	say_result("a page", fcntl(fds[1], F_SETPIPE_SZ, 4096));
	pid = must_fork();
	if (!pid) {
		close(fds[0]);
		for (n = 0; n < 50; n++)
			write(fds[1], data + n * 3000, 3000);
		write(fds[1], data + 150000, 50000);
		_exit(0);
	}
	close(fds[1]);
	while ((n = read(fds[0], got + total, 5000)) > 0)
		total += n;
	while (same < total && data[same] == got[same])
		same++;
	say("read, same", "%zu %zu", total, same);
	waitpid(pid, NULL, 0);
	close(fds[0]);
}

static void become_nobody(void)
{
	if (!geteuid() && (setgid(65534) || setuid(65534)))
		broken("setuid");
}

/* The caller has set the sysctl to 4,096; STREAMS reads it ten times a second. */
static void lowered(void)
{
	int fds[2];

	make_pipe(fds, O_NONBLOCK);
	say_result("root's new", fcntl(fds[0], F_GETPIPE_SZ));
	say_result("root's", fcntl(fds[0], F_SETPIPE_SZ, 131072));
	become_nobody();
	say_result("smaller than root's", fcntl(fds[0], F_SETPIPE_SZ, 32768));
	say_result("and larger", fcntl(fds[0], F_SETPIPE_SZ, 65536));
	close_pipe(fds);
	make_pipe(fds, O_NONBLOCK);
	while (fcntl(fds[0], F_GETPIPE_SZ) != 4096) {
		close_pipe(fds);
		usleep(10000);
		make_pipe(fds, O_NONBLOCK);
	}
	say("takes", "%ld", fill(fds[1], 1));
	say_result("larger", fcntl(fds[0], F_SETPIPE_SZ, 32768));
	say_result("as large", fcntl(fds[0], F_SETPIPE_SZ, 4096));
	say_result("get", fcntl(fds[0], F_GETPIPE_SZ));
	close_pipe(fds);
}

int main(int argc, char **argv)
{
	int fds[2], file = open("/dev/null", O_RDWR);
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "lowered")) {
		alarm(WAIT_SECONDS);
		lowered();
		return 0;
	}
	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8) + (i >> 16);
	say_result("get of another file", fcntl(file, F_GETPIPE_SZ));
	say_result("set of another file", fcntl(file, F_SETPIPE_SZ, 4096));
	say_result("get of none", fcntl(-1, F_GETPIPE_SZ));
	sizes();
	contents();
	busy();
	wakes();
	smallest();
	make_pipe(fds, O_NONBLOCK);
	if (!geteuid())
		say_result("root's", fcntl(fds[0], F_SETPIPE_SZ, 2097152));
	become_nobody();
	say_result("smaller than root's", fcntl(fds[0], F_SETPIPE_SZ, 1048577));
	say_result("smaller", fcntl(fds[0], F_SETPIPE_SZ, 524289));
	close_pipe(fds);
	sizes();
	return 0;
}
