// SPDX-License-Identifier: GPL-2.0-only
/*
 * apart.c - processes that are not children of the command
 *
 * The command keeps the number of the process that has started them, and may wait for its
 * children.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apart.h"

/* Leaves the session, the folder and the files of the command. */
static void leave(int socket, bool errors)
{
	int null;

	/* The command may have been started without some of the first three. */
	socket = fcntl(socket, F_DUPFD, APART_SOCKET + 1);
	null = open("/dev/null", O_RDWR);
	setsid();
	if (chdir("/"))
		_exit(1);
	dup2(null, 0);
	dup2(null, 1);
	if (!errors)
		dup2(null, 2);
	dup2(socket, APART_SOCKET);
	closefrom(APART_SOCKET + 1);
}

/**
 * apart_start - start a process that is not a child of this one
 * @run: the process executes it, and ends
 * @arg: its argument
 * @errors: the process keeps the standard error of the command
 *
 * Return: a socket to the process, or a negative error.
 */
int apart_start(void (*run)(const void *arg), const void *arg, bool errors)
{
	int ends[2];
	pid_t pid;

	/* No pipe: the library may be loaded here, and would count one. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		if (!fork()) {
			leave(ends[1], errors);
			run(arg);
		}
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -EAGAIN;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return ends[0];
}
