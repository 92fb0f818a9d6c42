// SPDX-License-Identifier: GPL-2.0-only
/*
 * strsock-cgroup - put the sockets of a cgroup's programs on STREAMS
 *
 * strsock(1) executes it, after it has checked rules and modules:
 *
 *	strsock-cgroup run PATH COMMAND [ARGUMENT]...	in a cgroup of its own
 *	strsock-cgroup on PATH				a cgroup that there is
 *	strsock-cgroup off PATH
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/say.h"
#include "group.h"
#include "loader.h"
#include "policy.h"

#define EXIT_OURS	125

static void say_failed(const char *what, int error, const char *why)
{
	if (why)
		say("%s: %s", what, why);
	else if (error == -EPERM || error == -EACCES)
		say("%s: not permitted (root may, or CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN)",
		    what);
	else if (error == -E2BIG)
		say("%s: %d cgroups have policies, which is the most", what, REDIRECT_GROUPS);
	else
		say("%s: %s", what, strerror(-error));
}

/* Gives the cgroup the policy of the variables and rules. */
static int policy_on(const char *path, const char **why)
{
	struct redirect_group group;
	int lock, err;
	uint64_t id;

	*why = NULL;
	err = group_id(path, &id);
	if (err)
		return err;
	policy_read(&group);
	lock = loader_lock(true, why);
	if (lock < 0)
		return lock;
	loader_sweep(group_exists);
	err = loader_set(id, &group);
	loader_unlock(lock);
	return err;
}

static int policy_off(uint64_t id, const char **why)
{
	int lock = loader_lock(false, why), err;

	if (lock < 0)
		return lock;
	err = loader_remove(id);
	loader_unlock(lock);
	return err;
}

/* Waits until the last process of the cgroup has ended, takes its policy away and removes it. */
static void watch(const char *path, uint64_t id, int joined)
{
	int null = open("/dev/null", O_RDWR);
	const char *why;
	char c;

	setsid();
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	dup2(joined, 3);
	closefrom(4);
	/* Without a byte the command was not started in the cgroup. */
	if (!chdir("/") && read(3, &c, 1) == 1)
		group_wait_empty(path);
	policy_off(id, &why);
	rmdir(path);
	_exit(0);
}

/*
 * Starts a process that is not a child of the command, which keeps the number of this one.
 * Returns a pipe for the byte that says that the command is in the cgroup, or an error.
 */
static int start_watch(const char *path, uint64_t id)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		pid = fork();
		if (!pid)
			watch(path, id, ends[0]);
		_exit(0);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -EAGAIN;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return ends[1];
}

/* Moves this process into a new cgroup with the policy of the variables and rules. */
static int enter(const char **why)
{
	char path[PATH_MAX];
	int err, joined;
	uint64_t id;

	*why = NULL;
	err = group_own(path, sizeof(path) - 32);
	if (err) {
		if (err == -ENOENT)
			*why = "this process is in no cgroup of the second version";
		return err;
	}
	/* Processes of an earlier command may have left a cgroup with the number of this one. */
	strcat(path, "/strsock-XXXXXX");
	if (!mkdtemp(path))
		return -errno;
	chmod(path, 0755);
	err = group_id(path, &id);
	if (err) {
		rmdir(path);
		return err;
	}
	joined = start_watch(path, id);
	if (joined < 0) {
		rmdir(path);
		return joined;
	}
	err = policy_on(path, why) ?: group_join(path);
	if (!err && write(joined, "", 1) != 1)
		err = -errno;
	close(joined);
	return err;
}

/* Executes a command, of which the path comes first. */
static int run(const char *path, char **command)
{
	const char *require = getenv("STRSOCK_REQUIRE"), *why;
	bool required = require && *require == '1';
	char what[PATH_MAX + 128];
	int err = enter(&why);

	if (err) {
		snprintf(what, sizeof(what), "--all: %s",
			 required ? "not running the command" :
				    "sockets of programs without the library stay native");
		say_failed(what, err, why);
		if (required)
			return EXIT_OURS;
	}
	execv(path, command);
	err = errno;
	say("%s: %s", command[0], strerror(err));
	return err == ENOENT ? 127 : 126;
}

static int change(const char *path, bool on)
{
	const char *why = NULL;
	uint64_t id;
	int err;

	if (on) {
		err = policy_on(path, &why);
	} else {
		err = group_id(path, &id) ?: policy_off(id, &why);
		if ((err == -ENOENT || err == -ENODEV) && !why)
			why = "it has no policy";
	}
	if (!err)
		return 0;
	if (err == -ENOTDIR)
		why = "no cgroup of the second version (they are below /sys/fs/cgroup)";
	say_failed(path, err, why);
	return EXIT_OURS;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3);
	if (argc == 3 && (!strcmp(argv[1], "on") || !strcmp(argv[1], "off")))
		return change(argv[2], !strcmp(argv[1], "on"));
	say("strsock-cgroup is started by strsock --all and strsock --cgroup");
	return EXIT_OURS;
}
