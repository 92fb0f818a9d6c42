// SPDX-License-Identifier: GPL-2.0-only
/*
 * supervisor.c - the process that answers calls for programs without the library
 *
 * The supervisor is started before the command has a filter, and ends with the last process
 * that has it.
 * The kernel fails the calls of these with ENOSYS when no process has the descriptor that
 * announces them. So there are two: the one that answers, and another, which has the kernel
 * make the calls that the first one left unanswered when it was killed, and starts it again.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "apart.h"
#include "caller.h"
#include "filter.h"
#include "supervisor.h"
#include "verdict.h"
#include "workers.h"

/* A descriptor on its way between the processes */
union passed {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static bool send_descriptor(int to, int fd)
{
	union passed passed = { };
	struct iovec byte = { "", 1 };
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &passed,
		.msg_controllen = sizeof(passed),
	};

	passed.header.cmsg_level = SOL_SOCKET;
	passed.header.cmsg_type = SCM_RIGHTS;
	passed.header.cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(&passed.header), &fd, sizeof(fd));
	return sendmsg(to, &message, MSG_NOSIGNAL) == 1;
}

static int receive_descriptor(int from)
{
	union passed passed;
	char c;
	struct iovec byte = { &c, 1 };
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &passed,
		.msg_controllen = sizeof(passed),
	};
	int fd;

	if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
		return -1;
	memcpy(&fd, CMSG_DATA(&passed.header), sizeof(fd));
	return fd;
}

/* Outlives the signals and limits of the command. */
static void endure(void)
{
	struct rlimit files;
	sigset_t all;
	int oom;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* The command may ignore it, and then there would be no status of a child. */
	signal(SIGCHLD, SIG_DFL);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (oom >= 0 && write(oom, "-1000", 5) == 5)
		errno = 0;
	close(oom);
}

/* Looks whether calls can be answered, for a command that is the process of a number. */
static int prepare(pid_t command)
{
	int err = workers_check_sizes() ?: answer_begin();
	struct caller caller = { .pid = command };
	char byte;

	if (!err && !caller_peek(&caller, (uintptr_t)&byte, &byte, 1))
		err = -EPERM;
	return err;
}

/* Has the kernel make the calls that a killed process has left unanswered. */
static void answer_rest(int listener, const struct workers_slot *slots)
{
	unsigned int i;

	for (i = 0; i < WORKERS_MOST; i++)
		if (answer_is_awaited(listener, slots[i].call.id))
			answer_natively(listener, slots[i].call.id);
}

/*
 * Has the kernel make the next call, as there is no room for a process or thread that answers
 * it. Returns whether there may be more calls.
 */
static bool pass_one(int listener, struct workers_slot *slot)
{
	struct pollfd event = { .fd = listener, .events = POLLIN };

	if (poll(&event, 1, 100) < 1)
		return true;
	if (event.revents & POLLHUP)
		return false;
	memset(slot, 0, sizeof(*slot));
	if (!ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, slot))
		answer_natively(listener, slot->call.id);
	return true;
}

/* Answers calls until the last process that may make any has ended. */
static void serve(int listener)
{
	size_t size = WORKERS_MOST * sizeof(struct workers_slot);
	struct workers_slot *slots;
	int status;
	pid_t pid;

	slots = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (slots == MAP_FAILED)
		return;
	for (;;) {
		memset(slots, 0, size);
		pid = fork();
		if (!pid)
			_exit(!workers_run(listener, slots));
		while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
			return;
		answer_rest(listener, slots);
		if ((pid < 0 || WIFEXITED(status)) && !pass_one(listener, slots))
			return;
	}
}

static void supervise(const void *command)
{
	int err, listener;

	endure();
	err = prepare(*(const pid_t *)command);
	if (write(APART_SOCKET, &err, sizeof(err)) != sizeof(err) || err)
		return;
	listener = receive_descriptor(APART_SOCKET);
	close(APART_SOCKET);
	if (listener >= 0)
		serve(listener);
}

/**
 * supervisor_start - start a supervisor for the calling process, after verdict_begin()
 *
 * Return: a descriptor for supervisor_attach(), or a negative error.
 */
int supervisor_start(void)
{
	pid_t command = getpid();
	int supervisor = apart_start(supervise, &command, verdict_is_verbose()), err;

	if (supervisor < 0)
		return supervisor;
	if (read(supervisor, &err, sizeof(err)) != sizeof(err))
		err = -EAGAIN;
	if (!err)
		return supervisor;
	close(supervisor);
	return err;
}

/**
 * supervisor_attach - have the calls of this process, and its children, answered
 * @supervisor: the result of supervisor_start(), which is closed
 * @pipes: those that make pipes
 * @sockets: those that make sockets
 *
 * Return: 0, or a negative error; -EPIPE: the supervisor was killed, and these calls fail from
 * now on.
 */
int supervisor_attach(int supervisor, bool pipes, bool sockets)
{
	int listener = filter_install(pipes, sockets);
	bool sent = listener >= 0 && send_descriptor(supervisor, listener);

	close(supervisor);
	if (listener < 0)
		return listener;
	close(listener);
	return sent ? 0 : -EPIPE;
}
