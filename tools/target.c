// SPDX-License-Identifier: LGPL-2.1-or-later
/* target.c - the stream that a tool works on: its standard input, or a process's */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

/* The C library has the calls only since 2.36. */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open	434
#define SYS_pidfd_getfd	438
#endif

static int number(const char *option, const char *text, int least)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (end != text && !*end && !errno && n >= least && n <= INT_MAX)
		return n;
	fprintf(stderr, "%s: %s: not a number from %d on: '%s'\n",
		program_invocation_short_name, option, least, text);
	return -1;
}

static int failed(const char *what, const char *pid, const char *fd)
{
	fprintf(stderr, "%s: cannot %s%s%s of process %s: %s%s\n",
		program_invocation_short_name, what, *fd ? " " : "", fd, pid, strerror(errno),
		errno == EPERM ? " (the rights of a debugger are needed, see ptrace(2))" : "");
	return 2;
}

/* Makes the descriptor of the process the standard input. Returns 0, or 2 after a message. */
static int take(const char *pid, const char *fd)
{
	int p = number("--pid", pid, 1), f = p < 0 ? -1 : number("--fd", fd, 0);
	int process, file;

	if (p < 0 || f < 0)
		return 2;
	process = syscall(SYS_pidfd_open, p, 0);
	if (process < 0)
		return failed("find the descriptors", pid, "");
	file = syscall(SYS_pidfd_getfd, process, f, 0);
	if (file < 0)
		return failed("take descriptor", pid, fd);
	close(process);
	if (file != STDIN_FILENO) {
		dup2(file, STDIN_FILENO);
		close(file);
	}
	return 0;
}

/**
 * target_open - make the stream to work on the standard input
 * @pid: the process that has it, or NULL: it is the standard input already
 * @fd: the descriptor there, or NULL with @pid
 *
 * Return: 0; 2 after a message if there is no such stream.
 */
int target_open(const char *pid, const char *fd)
{
	const char *tool = program_invocation_short_name;

	if (!pid != !fd) {
		fprintf(stderr, "%s: --pid and --fd are given together\n", tool);
		return 2;
	}
	if (pid && take(pid, fd))
		return 2;
	if (isastream(STDIN_FILENO) == 1)
		return 0;
	if (pid)
		fprintf(stderr, "%s: descriptor %s of process %s is not a stream\n", tool, fd, pid);
	else
		fprintf(stderr, "%s: the standard input is not a stream; use %s%s <STREAM\n", tool,
			tool, !strcmp(tool, "strchg") ? " ..." : "");
	return 2;
}
