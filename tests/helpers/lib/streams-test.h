/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams-test.h - programs of test cases on streams and pipes
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

#include "check.h"
#include "waits.h"

/* An address that no process has mapped. */
#define BAD_POINTER	((void *)(uintptr_t)0x10)

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

#endif /* STREAMS_TEST_H */
