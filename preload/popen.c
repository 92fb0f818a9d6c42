// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * popen.c - popen() and pclose(), on STREAMS
 *
 * The C library's popen() makes its pipe where no hook reaches, so it is done
 * again here. Where no STREAMS pipe is wanted or available the C library's own
 * is called.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hooks.h"
#include "pipe.h"
#include "pipe-make.h"
#include "policy.h"
#include "sys.h"

/* A command that runs, and the stream to it */
struct command {
	struct command *next;
	FILE *stream;
	pid_t pid;
	int fd;			/* of the stream, with its identity: a program */
	dev_t dev;		/* may fclose() the stream of popen(), and reuse */
	ino_t ino;		/* the number */
};

static struct command *commands;
static pthread_mutex_t commands_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The C library's functions are looked up by the few programs that call them,
 * not by each that starts.
 */
static FILE *native_popen(const char *command, const char *mode, int error)
{
	FILE *(*libc_popen)(const char *command, const char *mode);

	pipe_tell("popen", "native", NULL, error);
	libc_popen = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "popen");
	if (!libc_popen) {
		errno = ENOSYS;
		return NULL;
	}
	return libc_popen(command, mode);
}

/* A mode is 'r' or 'w', not both, and any number of 'e'. */
static bool parse(const char *mode, bool *reads, bool *cloexec)
{
	bool writes = false;

	*reads = false;
	*cloexec = false;
	for (; *mode; mode++) {
		switch (*mode) {
		case 'r':
			*reads = true;
			break;
		case 'w':
			writes = true;
			break;
		case 'e':
			*cloexec = true;
			break;
		default:
			return false;
		}
	}
	return *reads != writes;
}

static bool still_open(const struct command *c)
{
	struct stat st;

	return !fstat(c->fd, &st) && st.st_dev == c->dev && st.st_ino == c->ino;
}

/*
 * The child gets @end as its @target and none of the streams of earlier calls,
 * as POSIX demands. commands_lock is held. Returns 0 or an error number.
 */
static int prepare(posix_spawn_file_actions_t *actions, int end, int target)
{
	const struct command *c;
	int err;

	/* dup2() is called even if the two are the same: it clears close-on-exec. */
	err = posix_spawn_file_actions_adddup2(actions, end, target);
	for (c = commands; c && !err; c = c->next) {
		/* The duplicate has replaced the file that had the number of @target. */
		if (c->fd != target && still_open(c))
			err = posix_spawn_file_actions_addclose(actions, c->fd);
	}
	return err;
}

static int run(const char *command, int end, int target, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {
		"sh", "-c",
#if __GLIBC_PREREQ(2, 38)
		"--",		/* as the C library's own does from here on */
#endif
		(char *)command, NULL
	};
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	err = prepare(&actions, end, target);
	if (!err)
		err = posix_spawn(pid, _PATH_BSHELL, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

/* Takes the entry of a stream off the list. commands_lock is held. */
static struct command *take_command(const FILE *stream)
{
	struct command **link, *c;

	for (link = &commands; (c = *link); link = &c->next) {
		if (c->stream == stream) {
			*link = c->next;
			return c;
		}
	}
	return NULL;
}

/* Runs the command and lists it. Returns 0 or an error number. */
static int start(struct command *new, const char *command, int end, int target)
{
	struct stat st;
	int err;

	if (fstat(new->fd, &st))
		return errno;
	new->dev = st.st_dev;
	new->ino = st.st_ino;

	pthread_mutex_lock(&commands_lock);
	/*
	 * The stream at that address was closed with fclose(): its memory is in
	 * use again.
	 */
	free(take_command(new->stream));
	err = run(command, end, target, &new->pid);
	if (!err) {
		new->next = commands;
		commands = new;
	}
	pthread_mutex_unlock(&commands_lock);
	return err;
}

static FILE *fail_popen(int error)
{
	errno = error;
	return NULL;
}

/**
 * popen - run a shell command with a pipe to or from it
 * @command: for sh -c
 * @mode: "r" to read its output, "w" to write its input; with "e" the stream
 *	is closed on exec
 *
 * POSIX.1-2017 popen().
 *
 * Return: a stream for pclose(), or NULL with errno set: EINVAL for another
 * @mode, EMFILE, ENFILE, ENOMEM, EAGAIN; ENXIO if STREAMS is required and
 * absent.
 */
HOOK FILE *popen(const char *command, const char *mode)
{
	struct command *new;
	int fds[2], mine, end, err;
	bool reads, cloexec;

	if (!parse(mode, &reads, &cloexec))
		return fail_popen(EINVAL);
	if (!strsock_policy.pipe)
		return native_popen(command, mode, 0);
	err = -pipe_make(fds, O_RDONLY, O_CLOEXEC);
	if (err && pipe_error_is_final(err))
		return fail_popen(err);
	if (err && strsock_policy.require)
		return fail_popen(pipe_refuse("popen", err));
	if (err)
		return native_popen(command, mode, err);
	err = pipe_push("popen", fds);
	if (err)
		return fail_popen(err);

	mine = reads ? fds[0] : fds[1];
	end = reads ? fds[1] : fds[0];
	new = calloc(1, sizeof(*new));
	if (!new)
		goto no_entry;
	new->fd = mine;
	new->stream = fdopen(mine, reads ? "r" : "w");
	if (!new->stream)
		goto no_stream;

	err = start(new, command, end, reads ? STDOUT_FILENO : STDIN_FILENO);
	close(end);
	if (err) {
		fclose(new->stream);
		free(new);
		return fail_popen(err);
	}
	if (!cloexec)
		fcntl(mine, F_SETFD, 0);
	pipe_tell("popen", "streams", fds, 0);
	return new->stream;

no_stream:
	free(new);
no_entry:
	close(fds[0]);
	close(fds[1]);
	return fail_popen(ENOMEM);
}

/**
 * pclose - close a stream of popen() and wait for its command
 * @stream: the stream; one from elsewhere is passed to the C library
 *
 * POSIX.1-2017 pclose(). Waiting is neither interrupted by signals nor a
 * cancellation point, so that no command is left unwaited for.
 *
 * Return: the command's status as from waitpid(); or -1 with errno set, ECHILD
 * if the status is not available.
 */
HOOK int pclose(FILE *stream)
{
	int (*libc_pclose)(FILE *stream), closed, status;
	struct command *c;
	long ret;
	pid_t pid;

	pthread_mutex_lock(&commands_lock);
	c = take_command(stream);
	pthread_mutex_unlock(&commands_lock);
	if (!c) {
		libc_pclose = (int (*)(FILE *))dlsym(RTLD_NEXT, "pclose");
		if (libc_pclose)
			return libc_pclose(stream);
		errno = ECHILD;
		return -1;
	}
	pid = c->pid;
	free(c);

	closed = fclose(stream);
	do {
		ret = sys_call(SYS_wait4, pid, (long)&status, 0, 0);
	} while (ret == -EINTR);
	if (ret < 0) {
		errno = -ret;
		return -1;
	}
	/* Writing the last bytes may have failed although the command succeeded. */
	return status ? status : closed;
}
