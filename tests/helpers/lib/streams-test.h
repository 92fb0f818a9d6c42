/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams-test.h - programs of test cases, for bats
 *
 * A program runs the case it is given by name and exits with 0, or with 1 after
 * it printed the expected and the actual value.
 */
#ifndef STREAMS_TEST_H
#define STREAMS_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <strsock.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "waits.h"

/* An address that no process has mapped. */
#define BAD_POINTER	((void *)(uintptr_t)0x10)

struct test_case {
	const char *name;
	void (*run)(void);
};

static unsigned int test_checks __attribute__((unused));

__attribute__((unused, noreturn, format(printf, 3, 4)))
static void test_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%s:%d: ", file, line);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
	_exit(1);
}

/* Checks that the expression has the value. */
#define IS(expr, value) do {						\
	long is_want = (long)(value);					\
	errno = 0;							\
	long is_got = (long)(expr);					\
	test_checks++;							\
	if (is_got != is_want)						\
		test_fail(__FILE__, __LINE__,				\
			  "%s is %ld (errno: %s), not %ld", #expr,	\
			  is_got, strerror(errno), is_want);		\
} while (0)

/* Checks that the call fails with an error number. */
#define FAILS(expr, error) do {						\
	errno = 0;							\
	long fails_got = (long)(expr);					\
	test_checks++;							\
	if (fails_got != -1 || errno != (error))			\
		test_fail(__FILE__, __LINE__,				\
			  "%s gives %ld (errno: %s), not -1 and %s",	\
			  #expr, fails_got, strerror(errno), #error);	\
} while (0)

#define TRUE(expr) do {							\
	test_checks++;							\
	if (!(expr))							\
		test_fail(__FILE__, __LINE__, "not so: %s (errno: %s)",	\
			  #expr, strerror(errno));			\
} while (0)

/* Makes a STREAMS pipe in the way that pipe2() makes one on Linux. */
__attribute__((unused))
static int test_fifo(int fds[2], unsigned int flags)
{
	struct strio_pipe arg = { .fds = (uintptr_t)fds, .flags = flags };
	int error;

	arg.first = open(STRIO_PIPE_DEVICE, O_RDONLY | (flags & ~O_DIRECT));
	if (arg.first < 0 || !ioctl(arg.first, STRIO_PIPE, &arg))
		return arg.first < 0 ? -1 : 0;
	error = errno;
	close(arg.first);
	errno = error;
	return -1;
}

__attribute__((unused))
static void test_nonblock(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

/* Runs a case with each form of pipe; fds[0] is read from, fds[1] written to. */
__attribute__((unused))
static void test_both_pipes(void (*run)(int fds[2]))
{
	int fds[2];

	IS(strpipe(fds), 0);
	run(fds);
	close(fds[0]);
	close(fds[1]);
	IS(test_fifo(fds, 0), 0);
	run(fds);
	close(fds[0]);
	close(fds[1]);
}

/* Scales a number for slow machines: STRSOCK_TEST_SCALE is a fraction of 1. */
__attribute__((unused))
static unsigned long test_scaled(unsigned long n)
{
	const char *scale = getenv("STRSOCK_TEST_SCALE");

	n = scale ? n * strtod(scale, NULL) : n;
	return n ?: 1;
}

__attribute__((unused))
static int test_main(int argc, char **argv, const struct test_case *cases)
{
	const struct test_case *c;

	for (c = cases; argc == 2 && c->name; c++) {
		if (strcmp(c->name, argv[1]))
			continue;
		c->run();
		printf("%s: %u checks\n", c->name, test_checks);
		return test_checks ? 0 : 1;
	}
	fprintf(stderr, "Usage: %s CASE, one of:", argv[0]);
	for (c = cases; c->name; c++)
		fprintf(stderr, " %s", c->name);
	fputc('\n', stderr);
	return 2;
}

#endif /* STREAMS_TEST_H */
