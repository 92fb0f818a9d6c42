// SPDX-License-Identifier: GPL-2.0-only
/*
 * fattach-raced.c - actions of other processes in the middle of a fattach()
 *
 * Run by root in an empty folder: traces the process that attaches, and acts
 * when it is about to mount.
 */
#include <grp.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "streams-test.h"

#define NAME	"name"
#define POLICY	"policy"
#define NOBODY	65534

static void make_file(const char *name, uid_t owner)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	TRUE(fd >= 0);
	IS(write(fd, name, strlen(name)), (long)strlen(name));
	IS(fchown(fd, owner, owner), 0);
	close(fd);
}

static bool is_policy(void)
{
	char data[8] = "";
	int fd = open(NAME, O_RDONLY | O_NONBLOCK);

	IS(read(fd, data, sizeof(data)), 6);
	close(fd);
	return !memcmp(data, POLICY, 6);
}

/* Forks a child that root traces, so that the child keeps its privileges. */
static pid_t traced(void)
{
	int go[2], status;
	pid_t pid;
	char c;

	IS(pipe(go), 0);
	pid = fork();
	if (!pid) {
		IS(read(go[0], &c, 1), 1);
		return 0;
	}
	IS(ptrace(PTRACE_ATTACH, pid, 0, 0), 0);
	IS(waitpid(pid, &status, 0), pid);
	TRUE(WIFSTOPPED(status));
	IS(ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD |
		  PTRACE_O_EXITKILL), 0);
	IS(write(go[1], "", 1), 1);
	close(go[0]);
	close(go[1]);
	return pid;
}

/* Lets the process run until it enters a system call. */
static void until(pid_t pid, unsigned long call)
{
	struct __ptrace_syscall_info info = { };
	int status;

	do {
		IS(ptrace(PTRACE_SYSCALL, pid, 0, 0), 0);
		IS(waitpid(pid, &status, 0), pid);
		TRUE(WIFSTOPPED(status));
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		TRUE(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0);
	} while (info.op != PTRACE_SYSCALL_INFO_ENTRY || info.entry.nr != call);
}

static int ended(pid_t pid)
{
	int status;

	IS(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
	IS(waitpid(pid, &status, 0), pid);
	TRUE(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/*
 * Root mounts something on the file meanwhile: the mount stays, and no name is
 * placed on it.
 */
static void covered(void)
{
	int fds[2];
	pid_t pid;

	IS(strpipe(fds), 0);
	make_file(NAME, 0);
	make_file(POLICY, 0);
	pid = traced();
	if (!pid)
		_exit(fattach(fds[1], NAME) ? errno : 0);
	until(pid, SYS_move_mount);
	IS(mount(POLICY, NAME, NULL, MS_BIND, NULL), 0);
	IS(ended(pid), EBUSY);
	TRUE(is_policy());
	IS(umount(NAME), 0);
	FAILS(fdetach(NAME), EINVAL);
}

/* Another name is placed there meanwhile: the two are not stacked. */
static void named(void)
{
	int fds[2];
	pid_t pid;

	IS(strpipe(fds), 0);
	make_file(NAME, 0);
	pid = traced();
	if (!pid)
		_exit(fattach(fds[1], NAME) ? errno : 0);
	until(pid, SYS_move_mount);
	IS(fattach(fds[0], NAME), 0);
	IS(ended(pid), EBUSY);
	IS(fdetach(NAME), 0);
	FAILS(fdetach(NAME), EINVAL);
}

static bool may_signal(pid_t pid, int sig)
{
	int status;
	pid_t other = fork();

	if (!other)
		_exit(setgid(NOBODY) || setuid(NOBODY) || !kill(pid, sig) ? 1 :
		      errno == EPERM ? 0 : 2);
	IS(waitpid(other, &status, 0), other);
	TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 2);
	return WEXITSTATUS(status);
}

static int tell[2];

/* Runs the helper as the user nobody, with descriptors. */
static pid_t run_helper(char *what, int path, int stream)
{
	char numbers[3][12], *at = getenv("STRNAME_HELPER");
	char *argv[] = { "strname-helper", what, numbers[0], numbers[1],
			 stream < 0 ? NULL : numbers[2], NULL };
	pid_t pid;

	TRUE(at);
	IS(pipe(tell), 0);
	snprintf(numbers[0], sizeof(numbers[0]), "%d", tell[1]);
	snprintf(numbers[1], sizeof(numbers[1]), "%d", path);
	snprintf(numbers[2], sizeof(numbers[2]), "%d", stream);
	pid = traced();
	if (!pid) {
		IS(setgroups(0, NULL), 0);
		IS(setgid(NOBODY), 0);
		IS(setuid(NOBODY), 0);
		execv(at, argv);
		_exit(2);
	}
	return pid;
}

/* Root mounts something while the helper works, which its caller cannot stop. */
static void cover_meanwhile(pid_t pid)
{
	int error;

	TRUE(!may_signal(pid, SIGSTOP));
	TRUE(!may_signal(pid, SIGKILL));
	IS(mount(POLICY, NAME, NULL, MS_BIND, NULL), 0);
	IS(ended(pid), 1);
	IS(read(tell[0], &error, sizeof(error)), sizeof(error));
	IS(error, EBUSY);
	TRUE(is_policy());
	IS(umount(NAME), 0);
}

static void helper_attaches(void)
{
	int fds[2];
	pid_t pid;

	make_file(NAME, NOBODY);
	make_file(POLICY, 0);
	IS(strpipe(fds), 0);
	pid = run_helper("attach", open(NAME, O_PATH), fds[1]);
	until(pid, SYS_fsopen);
	TRUE(may_signal(pid, 0));
	until(pid, SYS_move_mount);
	cover_meanwhile(pid);
	FAILS(fdetach(NAME), EINVAL);
}

static void helper_detaches(void)
{
	int fds[2];
	pid_t pid;

	make_file(NAME, NOBODY);
	make_file(POLICY, 0);
	IS(strpipe(fds), 0);
	IS(fattach(fds[1], NAME), 0);
	pid = run_helper("detach", open(NAME, O_PATH), -1);
	until(pid, SYS_ioctl);
	cover_meanwhile(pid);
	/* The name is still attached. */
	IS(fdetach(NAME), 0);
}

static const struct test_case cases[] = {
	{ "covered", covered },
	{ "named", named },
	{ "helper-attaches", helper_attaches },
	{ "helper-detaches", helper_detaches },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
