// SPDX-License-Identifier: GPL-2.0-only
/*
 * strsock-cgroup - put pipes and sockets of programs without the library on STREAMS
 *
 * strsock(1) executes it, after it has checked rules and modules:
 *
 *	strsock-cgroup run PATH COMMAND [ARGUMENT]...	with its own supervisor and cgroup
 *	strsock-cgroup on PATH				a cgroup that there is
 *	strsock-cgroup off PATH
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sys/strio.h>

#include "tools/say.h"
#include "apart.h"
#include "group.h"
#include "loader.h"
#include "policy.h"
#include "supervisor.h"
#include "variables.h"
#include "verdict.h"

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
	lock = loader_lock(true, why);
	if (lock < 0)
		return lock;
	policy_read(&group);
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

/* A cgroup of a command */
struct own_group {
	char path[PATH_MAX];
	uint64_t id;
};

/*
 * Waits until the last process of the cgroup has ended, takes its policy away and removes it.
 * A byte says that the command is in the cgroup.
 */
static void watch(const void *arg)
{
	const struct own_group *group = arg;
	const char *why;
	char c;

	if (read(APART_SOCKET, &c, 1) == 1)
		group_wait_empty(group->path);
	policy_off(group->id, &why);
	rmdir(group->path);
}

/* Moves this process into a new cgroup with the policy of the variables and rules. */
static int enter(const char **why)
{
	struct own_group own;
	int err, joined;

	*why = NULL;
	err = group_own(own.path, sizeof(own.path) - 32);
	if (err) {
		if (err == -ENOENT)
			*why = "this process is in no cgroup of the second version";
		return err;
	}
	/* Processes of an earlier command may have left a cgroup with the number of this one. */
	strcat(own.path, "/strsock-XXXXXX");
	if (!mkdtemp(own.path))
		return -errno;
	chmod(own.path, 0755);
	err = group_id(own.path, &own.id);
	joined = err ?: apart_start(watch, &own, false);
	if (joined < 0) {
		rmdir(own.path);
		return joined;
	}
	err = policy_on(own.path, why) ?: group_join(own.path);
	if (!err && write(joined, "", 1) != 1)
		err = -errno;
	close(joined);
	return err;
}

/* Returns why there can be no supervisor, or NULL where the error says all. */
static const char *reason(int error)
{
	switch (error) {
	case -EACCES:
		return "not permitted (root may, and others whose programs gain no rights: "
		       "setpriv --no-new-privs strsock)";
	case -EPERM:
		return "not permitted to reach the memory of programs (kernel.yama.ptrace_scope)";
	case -EBUSY:
		return "another supervisor answers system calls here already";
	case -ENOENT:
		return "/proc does not show this process";
	default:
		return NULL;
	}
}

/*
 * Has the sockets of this process and its children put on STREAMS by the BPF program. Returns
 * whether that is possible.
 */
static bool redirect_sockets(void)
{
	const char *why;
	int err = enter(&why);

	if (err && verdict_is_verbose())
		say_failed("--all: sockets by notification, not by BPF", err, why);
	return !err;
}

/*
 * Has the pipes and sockets of this process and its children put on STREAMS. Returns 0, or a
 * negative error; the kinds are those that stay native then.
 */
static int redirect(const char **kinds)
{
	bool pipes = variables_said("STRSOCK_PIPE") && !access(STRIO_PIPE_DEVICE, F_OK);
	bool sockets = variables_said("STRSOCK_UDP") || variables_said("STRSOCK_TCP");
	int supervisor = 0;

	verdict_begin();
	/* The supervisor is not in the cgroup of the command. */
	if (pipes)
		supervisor = supervisor_start();
	/* The BPF program pushes no modules. */
	if (sockets && !verdict_pushes_on_sockets())
		sockets = !redirect_sockets();
	if (!pipes && !sockets)
		return 0;
	if (!pipes)
		supervisor = supervisor_start();
	*kinds = !sockets ? "pipes" : pipes ? "pipes and sockets" : "sockets";
	return supervisor < 0 ? supervisor : supervisor_attach(supervisor, pipes, sockets);
}

/* Executes a command, of which the path comes first. */
static int run(const char *path, char **command)
{
	bool required = variables_said("STRSOCK_REQUIRE") > 0;
	const char *kinds;
	char what[128];
	int err = redirect(&kinds);

	if (err == -EPIPE) {
		say("--all: the supervisor was killed; not running the command");
		return EXIT_OURS;
	}
	if (err) {
		snprintf(what, sizeof(what), required ? "--all: not running the command" :
			 "--all: %s of programs without the library stay native", kinds);
		say_failed(what, err, reason(err));
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
