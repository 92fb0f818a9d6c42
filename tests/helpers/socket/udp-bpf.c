// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command with a BPF program on all cgroups: udp-bpf HOOK VERDICT CMD...
 *
 * HOOK: ingress, egress, sendmsg. VERDICT: pass or drop, of every packet.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CGROUP	"/tmp/udp-bpf-cgroup"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct hook {
	const char *name;
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
};

static const struct hook hooks[] = {
	{ "ingress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS },
	{ "egress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS },
	{ "sendmsg", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_UDP4_SENDMSG },
};

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static const struct hook *find_hook(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!strcmp(hooks[i].name, name))
			return &hooks[i];
	errx(2, "%s: no such hook; ingress, egress or sendmsg", name);
}

/* Loads the program: r0 = verdict; exit */
static int load(const struct hook *hook, int verdict)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = verdict },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = hook->type,
		.expected_attach_type = hook->attach,
		.insns = (uintptr_t)insns,
		.insn_cnt = ARRAY_SIZE(insns),
		.license = (uintptr_t)"GPL",
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		err(1, "BPF_PROG_LOAD");
	return fd;
}

static int cgroup_open(void)
{
	int fd;

	if (mkdir(CGROUP, 0700) && errno != EEXIST)
		err(1, CGROUP);
	/* An earlier run may have mounted it. */
	if (mount("none", CGROUP, "cgroup2", 0, NULL) && errno != EBUSY)
		err(1, "mounting cgroup2");
	fd = open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		err(1, "opening the cgroup");
	return fd;
}

static void attach(int cmd, const struct hook *hook, int cgroup, int prog)
{
	union bpf_attr attr = {
		.target_fd = cgroup,
		.attach_bpf_fd = prog,
		.attach_type = hook->attach,
	};

	if (bpf(cmd, &attr))
		err(1, "attaching or detaching the program");
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(*argv, argv);
		err(127, "%s", *argv);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(1, "%s", *argv);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	const struct hook *hook;
	int cgroup, prog, status;

	if (argc < 4)
		errx(2, "usage: udp-bpf HOOK pass|drop COMMAND...");
	hook = find_hook(argv[1]);
	prog = load(hook, !strcmp(argv[2], "pass"));
	cgroup = cgroup_open();
	attach(BPF_PROG_ATTACH, hook, cgroup, prog);
	status = run(argv + 3);
	attach(BPF_PROG_DETACH, hook, cgroup, prog);
	return status;
}
