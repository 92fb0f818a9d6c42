// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - the filter of seccomp(2) that announces calls of pipe(2), pipe2(2) and socket(2)
 *
 * All other calls are allowed by their number alone, for which the kernel does not run the
 * filter. A call that is announced is made by the kernel unless the supervisor answers it.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <sys/strio.h>

#include "preload/mark.h"
#include "filter.h"

#define NO_CALL	0xffffffffu

/* The numbers of the calls, which each architecture of a kernel has its own of */
struct numbers {
	unsigned int arch;
	unsigned int pipe;
	unsigned int pipe2;
	unsigned int socket;
};

static const struct numbers numbers[] = {
#if defined(__x86_64__) || defined(__i386__)
	{ AUDIT_ARCH_X86_64, 22, 293, 41 },
	{ AUDIT_ARCH_I386, 42, 331, 359 },
#elif defined(__aarch64__) || defined(__arm__)
	{ AUDIT_ARCH_AARCH64, NO_CALL, 59, 198 },
	{ AUDIT_ARCH_ARM, 42, 359, 281 },
#elif defined(__riscv)
	{ AUDIT_ARCH_RISCV64, NO_CALL, 59, 198 },
#endif
};

#define ARCHES	(sizeof(numbers) / sizeof(numbers[0]))

#define LOAD(field)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUAL(k, yes, no)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, yes, no)
#define RETURN(k)	BPF_STMT(BPF_RET | BPF_K, k)

/* The low half of a register's value, which is first on all of these architectures */
#define LOAD_ARG(n)	LOAD(args[n])

/* The part for one architecture; sockets other than those of IPv4 and IPv6 pass. */
#define PART	15

static void write_part(struct sock_filter *to, const struct numbers *n, bool pipes, bool sockets)
{
	const struct sock_filter part[PART] = {
		LOAD(nr),
		EQUAL(pipes ? n->pipe2 : NO_CALL, 7, 0),
		EQUAL(pipes ? n->pipe : NO_CALL, 6, 0),
		EQUAL(sockets ? n->socket : NO_CALL, 0, 10),
		LOAD_ARG(0),
		EQUAL(AF_INET, 1, 0),
		EQUAL(AF_INET6, 0, 7),
		LOAD_ARG(2),
		EQUAL(IPPROTO_STREAMS, 5, 0),
		LOAD_ARG(4),
		EQUAL(MARK_FIFTH, 0, 2),
		LOAD_ARG(5),
		EQUAL(MARK_SIXTH, 1, 0),
		RETURN(SECCOMP_RET_USER_NOTIF),
		RETURN(SECCOMP_RET_ALLOW),
	};
	unsigned int i;

	for (i = 0; i < PART; i++)
		to[i] = part[i];
}

/**
 * filter_install - have calls of this process, and of those it starts, announced
 * @pipes: those of pipe(2) and pipe2(2)
 * @sockets: those of socket(2) that may be for UDP or TCP
 *
 * Once a call is announced only signals that kill interrupt it.
 *
 * Return: the descriptor that announces them, or a negative error; -EACCES: this process may
 * not have a filter, as it may start programs that gain rights; -EBUSY: calls of this process
 * are announced to another supervisor.
 */
int filter_install(bool pipes, bool sockets)
{
	struct sock_filter code[1 + ARCHES * (1 + PART) + 1];
	struct sock_fprog program = { .filter = code };
	unsigned int i, len = 0;
	long fd;

	if (!ARCHES)
		return -EOPNOTSUPP;
	code[len++] = (struct sock_filter)LOAD(arch);
	for (i = 0; i < ARCHES; i++) {
		code[len++] = (struct sock_filter)EQUAL(numbers[i].arch, 0, PART);
		write_part(code + len, &numbers[i], pipes, sockets);
		len += PART;
	}
	code[len++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	program.len = len;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		     SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		     &program);
	return fd < 0 ? -errno : fd;
}

/**
 * filter_call - find which call was announced
 * @data: the call
 *
 * Return: the call.
 */
enum filter_call filter_call(const struct seccomp_data *data)
{
	unsigned int i, nr = data->nr;

	for (i = 0; i < ARCHES; i++) {
		if (data->arch != numbers[i].arch)
			continue;
		if (nr == numbers[i].pipe2)
			return FILTER_PIPE2;
		if (nr == numbers[i].pipe)
			return FILTER_PIPE;
		if (nr == numbers[i].socket)
			return FILTER_SOCKET;
	}
	return FILTER_OTHER;
}
