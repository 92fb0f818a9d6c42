// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pipe.c - pipe(), __pipe() and pipe2(), on STREAMS
 *
 * The functions are safe in signal handlers and vfork children: they only read flags and
 * make system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/strio.h>

#include "hooks.h"
#include "log.h"
#include "mark.h"
#include "pipe.h"
#include "pipe-make.h"
#include "policy.h"
#include "push.h"
#include "sys.h"

/**
 * pipe_is_fifo - may a descriptor be a STREAMS pipe, which looks like any?
 * @fd: the descriptor
 *
 * No ioctl of pipes is sent to a file of another kind.
 */
bool pipe_is_fifo(int fd)
{
	struct stat opened;
	int saved = errno;
	bool is;

	is = !fstat(fd, &opened) && S_ISFIFO(opened.st_mode);
	errno = saved;
	return is;
}

/**
 * pipe_refuse - fail because STREAMS is required but not available
 * @call: name of the hook
 * @error: why, a positive error number
 *
 * Reports it once in a process.
 *
 * Return: ENXIO, the error the program gets.
 */
int pipe_refuse(const char *call, int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct log_line line;

	if (atomic_flag_test_and_set(&told))
		return ENXIO;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, " refused: no STREAMS pipe (" STRIO_PIPE_DEVICE ": ");
	log_error(&line, error);
	log_text(&line, ") and STRSOCK_REQUIRE=1; run: modprobe strpipe");
	log_end(&line);
	return ENXIO;
}

/**
 * pipe_push - push the modules that each new pipe is to have
 * @call: name of the hook
 * @fds: the descriptors of the pipe, which are closed on failure
 *
 * They are pushed at the writer's end, above all that is written.
 *
 * Return: 0; or ENXIO, the error the program gets: a module could not be pushed, and
 * STREAMS is required.
 */
int pipe_push(const char *call, const int fds[2])
{
	int err = push_modules(call, fds[1], strsock_policy.push_pipe);

	if (err) {
		sys_call(SYS_close, fds[0], 0, 0, 0);
		sys_call(SYS_close, fds[1], 0, 0, 0);
	}
	return err;
}

/**
 * pipe_tell - log the result of a call, when asked to be verbose
 * @call: name of the hook
 * @provider: "streams" or "native"
 * @fds: the descriptors, or NULL if there are none
 * @error: why not STREAMS: a positive error number; 0 if it was not tried
 */
void pipe_tell(const char *call, const char *provider, const int fds[2], int error)
{
	struct log_line line;

	if (!strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, " -> ");
	log_text(&line, provider);
	if (fds) {
		log_text(&line, " ");
		log_number(&line, fds[0]);
		log_text(&line, ",");
		log_number(&line, fds[1]);
	}
	if (error) {
		log_text(&line, " (" STRIO_PIPE_DEVICE ": ");
		log_error(&line, error);
		log_text(&line, ")");
	}
	log_end(&line);
}

static int fail_pipe(int error)
{
	errno = error;
	return -1;
}

static int native_pipe(const char *call, int fds[2], int flags, int error)
{
	long err = sys_call6(SYS_pipe2, (long)fds, flags, 0, 0, MARK_FIFTH, MARK_SIXTH);

	pipe_tell(call, "native", err ? NULL : fds, error);
	return err ? fail_pipe(-err) : 0;
}

static int make(const char *call, int fds[2], int flags)
{
	/* A program that asks for packets expects Linux's pipes. */
	bool duplex = strsock_policy.duplex && !(flags & O_DIRECT);
	int err;

	if (!strsock_policy.pipe || (flags & ~PIPE_FLAGS))
		return native_pipe(call, fds, flags, 0);

	err = -pipe_make(fds, duplex ? O_RDWR : O_RDONLY, flags);
	if (!err) {
		pipe_tell(call, "streams", fds, 0);
		err = pipe_push(call, fds);
		return err ? fail_pipe(err) : 0;
	}
	if (pipe_error_is_final(err))
		return fail_pipe(err);
	if (strsock_policy.require)
		return fail_pipe(pipe_refuse(call, err));
	if (native_pipe(call, fds, flags, err))
		return -1;
	/* Reports that there is no stream for the modules. */
	push_modules(call, fds[1], strsock_policy.push_pipe);
	return 0;
}

/**
 * pipe - create a pipe
 * @fds: receives the reading and the writing descriptor
 *
 * POSIX.1-2017 pipe().
 *
 * Return: 0, or -1 with errno set as pipe(2) does; ENXIO if STREAMS is required
 * and absent.
 */
HOOK int pipe(int fds[2])
{
	return make("pipe", fds, 0);
}

/* The C library exports pipe() by this old name too. */
HOOK int __pipe(int fds[2]);
HOOK int __pipe(int fds[2])
{
	return make("__pipe", fds, 0);
}

/**
 * pipe2 - create a pipe, with flags
 * @fds: receives the reading and the writing descriptor
 * @flags: O_NONBLOCK, O_CLOEXEC, O_DIRECT; any other makes a native pipe
 *
 * Return: 0, or -1 with errno set as pipe2(2) does; ENXIO if STREAMS is
 * required and absent.
 */
HOOK int pipe2(int fds[2], int flags)
{
	return make("pipe2", fds, flags);
}
