// SPDX-License-Identifier: GPL-2.0-only
/*
 * exit.c - a process that ends with many streams open
 *
 * Most tests assert how often the process slept, not how long: a process that
 * waits for each of its streams sleeps as often as it has streams.
 */
#include <pwd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sys/loop.h>

#include "../../../kmod/test/testmux.h"
#include "streamio.h"
#include "streams-test.h"

#define STREAMS_MOST	1000

/* Shared with the process that ends. */
static struct {
	unsigned long slept;		/* voluntary switches before it ends */
	bool ready;
} *child;

/* The bytes that are written; their values do not matter. */
static char block[1024];

/* Output stays in the driver. */
static void open_held(void)
{
	int fd = probe(0);

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(write(fd, "stays", 5), 5);
}

/* ... in a module as well. */
static void open_pushed(void)
{
	int fd = probe(O_NONBLOCK);

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	while (write(fd, block, sizeof(block)) > 0)
		;
	test_nonblock(fd, false);
}

/* Two streams that wait for each other to read. */
static void open_loop(void)
{
	int a = device("loop"), b = device("loop"), number, i;
	struct strioctl get = { .ic_cmd = LOOP_GET };

	number = ioctl(a, I_STR, &get);
	TRUE(number > 0);
	IS(str(b, LOOP_SET, &number, sizeof(number)), 0);
	for (i = 0; i < 8; i++)
		IS(write(i & 1 ? a : b, block, sizeof(block)), sizeof(block));
}

static void open_linked(void)
{
	TRUE(ioctl(device("mux"), I_LINK, device("echo")) > 0);
}

/* The driver never acknowledges the end of the link. */
static void open_silent(void)
{
	int up = device("testmux"), n = 9;

	TRUE(ioctl(up, I_LINK, device("echo")) > 0);
	IS(str(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
}

static void open_pipe(void)
{
	int fds[2], i;

	IS(strpipe(fds), 0);
	for (i = 0; i < 4; i++)
		IS(ioctl(fds[i & 1], I_PUSH, i < 2 ? "nullmod" : "pipemod"), 0);
	IS(write(fds[0], "unread", 6), 6);
	IS(write(fds[1], "unread", 6), 6);
}

static void open_fifo(void)
{
	int fds[2];

	IS(test_fifo(fds, 0), 0);
	IS(write(fds[1], "unread", 6), 6);
}

static const struct kind {
	const char *name;
	void (*open)(void);
	int streams;			/* that one open makes */
} kinds[] = {
	{ "streams with output in the driver", open_held, 1 },
	{ "streams with output in a module", open_pushed, 1 },
	{ "streams of loop", open_loop, 2 },
	{ "streams linked below mux", open_linked, 2 },
	{ "streams linked below a driver that does not answer", open_silent, 2 },
	{ "pipes with modules", open_pipe, 2 },
	{ "FIFOs", open_fifo, 1 },
};

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Starts a process that opens n streams; it is there when it has them. */
static pid_t begin(void (*open)(void), int times, void (*then)(void))
{
	struct rlimit files = { 2 * STREAMS_MOST + 64, 2 * STREAMS_MOST + 64 };
	struct rusage use;
	pid_t pid;

	child = mmap(NULL, sizeof(*child), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	TRUE(child != MAP_FAILED);
	pid = fork();
	if (pid)
		return pid;
	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	while (times--)
		open();
	getrusage(RUSAGE_SELF, &use);
	child->slept = use.ru_nvcsw;
	__atomic_store_n(&child->ready, true, __ATOMIC_RELEASE);
	then();
	_exit(0);
}

static void await(pid_t pid)
{
	UNTIL(__atomic_load_n(&child->ready, __ATOMIC_ACQUIRE) || process_ended(pid));
	TRUE(child->ready);
}

static void stay(void)
{
	for (;;)
		pause();
}

static void killed(void)
{
	int n = test_scaled(STREAMS_MOST), i, status;
	struct rusage use;
	long took;
	pid_t pid;

	for (i = 0; i < (int)(sizeof(kinds) / sizeof(kinds[0])); i++) {
		pid = begin(kinds[i].open, (n + 1) / kinds[i].streams, stay);
		await(pid);
		took = now();
		kill(pid, SIGKILL);
		IS(wait4(pid, &status, 0, &use), pid);
		took = now() - took;
		printf("killed with %d %s: %ld ms, slept %ld times\n", n,
		       kinds[i].name, took, use.ru_nvcsw - child->slept);
		TRUE(WIFSIGNALED(status));
		TRUE(use.ru_nvcsw - (long)child->slept < n / 4 + 8);
	}
}

/* Each may wait 3 s for its output, and they do so at once. */
static void open_patient(void)
{
	int fd = probe(0), ms = 3000;

	IS(ioctl(fd, I_SETCLTIME, &ms), 0);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(write(fd, "stays", 5), 5);
}

static void nothing(void)
{
}

static void exits(void)
{
	pid_t pid = begin(open_patient, 20, nothing);
	long took = now();
	int status;

	IS(waitpid(pid, &status, 0), pid);
	took = now() - took;
	TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	printf("20 streams that wait 3 s each: %ld ms\n", took);
	TRUE(took >= 3000);
	TRUE(took < 30000);
}

/* Another user's stream, which the process has received. */
static void passed(void)
{
	const struct passwd *nobody = getpwnam("nobody");
	int socks[2], ms = INT32_MAX, fd, status;
	struct strrecvfd recv;
	long took;
	pid_t pid;

	TRUE(nobody);
	IS(strpipe(socks), 0);
	pid = fork();
	if (!pid) {
		IS(setuid(nobody->pw_uid), 0);
		fd = probe(0);
		IS(ioctl(fd, I_SETCLTIME, &ms), 0);
		IS(ioctl(fd, I_GETCLTIME, &ms), 0);
		/* No more than a minute. */
		IS(ms, 60000);
		IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
		IS(write(fd, "stays", 5), 5);
		IS(ioctl(socks[0], I_SENDFD, fd), 0);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	IS(ioctl(socks[1], I_RECVFD, &recv), 0);
	took = now();
	close(recv.fd);
	took = now() - took;
	printf("close() took %ld ms\n", took);
	TRUE(took < 15000);
}

static const struct test_case cases[] = {
	{ "killed", killed },
	{ "exits", exits },
	{ "passed", passed },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
