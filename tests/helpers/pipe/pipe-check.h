/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that the pipe-*.c programs share
 *
 * Each makes pipes with pipe2() as any program does and prints what it sees, a
 * line "check: result" for each observation. They do not judge the results: the
 * output of a run on native pipes is compared with that of a run on STREAMS.
 */
#ifndef PIPE_CHECK_H
#define PIPE_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "waits.h"

#define UNUSED	__attribute__((unused))

/* The misuse below is deliberate. */
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"

/* Prints the result of a check in one write: processes may share the output. */
static void __attribute__((format(printf, 2, 3))) UNUSED
say(const char *check, const char *format, ...)
{
	char line[1024];
	va_list args;
	int len;

	len = snprintf(line, sizeof(line), "%s: ", check);
	va_start(args, format);
	len += vsnprintf(line + len, sizeof(line) - len - 1, format, args);
	va_end(args);
	line[len++] = '\n';
	if (write(STDOUT_FILENO, line, len) != len)
		_exit(3);
}

/* Ends the program when a step that a check itself needs has failed. */
static void __attribute__((noreturn)) UNUSED broken(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(2);
}

/* Prints the result of a system call: its value, or its error's name. */
static void UNUSED say_result(const char *check, long result)
{
	if (result < 0)
		say(check, "%s", strerrorname_np(errno));
	else
		say(check, "%ld", result);
}

static void UNUSED make_pipe(int fds[2], int flags)
{
	if (pipe2(fds, flags))
		broken("pipe2");
}

static void UNUSED close_pipe(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static pid_t UNUSED must_fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		broken("fork");
	return pid;
}

static void UNUSED sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

/* Writes until there is no more room. Returns the bytes written. */
static long UNUSED fill(int fd, size_t size)
{
	char *data = calloc(1, size);
	long total = 0;
	ssize_t n;

	while ((n = write(fd, data, size)) > 0)
		total += n;
	free(data);
	return total;
}

/* Reads until no data is left. Returns the bytes read. */
static long UNUSED drain(int fd)
{
	static char data[65536];
	long total = 0;
	ssize_t n;

	while ((n = read(fd, data, sizeof(data))) > 0)
		total += n;
	return total;
}

/* Returns the names of poll()'s events. */
static UNUSED const char *event_names(unsigned int events)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} names[] = {
		{ POLLIN, "IN" }, { POLLPRI, "PRI" }, { POLLOUT, "OUT" },
		{ POLLERR, "ERR" }, { POLLHUP, "HUP" }, { POLLNVAL, "NVAL" },
		{ POLLRDNORM, "RDNORM" }, { POLLRDBAND, "RDBAND" },
		{ POLLWRNORM, "WRNORM" }, { POLLWRBAND, "WRBAND" },
		{ POLLMSG, "MSG" }, { POLLRDHUP, "RDHUP" },
	};
	static char text[2][128];
	static unsigned int turn;
	char *p = text[++turn % 2];
	size_t i;

	strcpy(p, "-");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(events & names[i].bit))
			continue;
		strcat(p, " ");
		strcat(p, names[i].name);
	}
	return p;
}

/* Prints how a child ended. */
static void UNUSED say_end(const char *check, pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		broken("waitpid");
	if (WIFSIGNALED(status))
		say(check, "SIG%s", sigabbrev_np(WTERMSIG(status)));
	else
		say(check, "exit %d", WEXITSTATUS(status));
}

#endif /* PIPE_CHECK_H */
