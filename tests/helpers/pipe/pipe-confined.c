// SPDX-License-Identifier: GPL-2.0-only
/*
 * fs.pipe-max-size bounds the pipes of a task that a security module confines
 *
 * The module is a BPF program at the hook file_permission: it lets a user read no file. The
 * sysctl is lowered when the task has that user's rights, so that it was not read before.
 */
#include "pipe-check.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define CONFINED	65534
#define MAY_READ	4

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Returns the bytes that follow a type's entry. */
static size_t size_of_rest(const struct btf_type *type)
{
	size_t n = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return n * 8;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return n * 12;
	}
	return 0;
}

/* Returns the types of the kernel, which a read() returns by pages. */
static char *read_types(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	struct stat st;
	ssize_t n, got = 0;
	char *bytes;

	if (fd < 0 || fstat(fd, &st))
		broken("opening the types of the kernel");
	bytes = malloc(st.st_size);
	while (bytes && (n = read(fd, bytes + got, st.st_size - got)) > 0)
		got += n;
	if (!bytes || got != st.st_size)
		broken("reading the types of the kernel");
	close(fd);
	return bytes;
}

/* Returns the number by which the kernel knows the type of one of its functions. */
static uint32_t number_of_function(const char *name)
{
	char *bytes = read_types();
	const struct btf_header *head = (const void *)bytes;
	const struct btf_type *type;
	const char *names, *end;
	uint32_t number = 1;

	names = bytes + head->hdr_len + head->str_off;
	type = (const void *)(bytes + head->hdr_len + head->type_off);
	end = (const char *)type + head->type_len;
	for (; (const char *)type < end; number++) {
		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(names + type->name_off, name))
			break;
		type = (const void *)((const char *)(type + 1) + size_of_rest(type));
	}
	if ((const char *)type >= end)
		broken(name);
	free(bytes);
	return number;
}

/*
 * Loads the program: if the hook's second argument, the mask, has MAY_READ, and the
 * user is CONFINED, it returns -EACCES, else 0.
 */
static int load(uint32_t hook)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_1,
		  .off = 8 },
		{ .code = BPF_JMP | BPF_JSET | BPF_K, .dst_reg = BPF_REG_1, .off = 2,
		  .imm = MAY_READ },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_uid_gid },
		{ .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_1, .off = 1,
		  .imm = CONFINED },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = -EACCES },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_LSM,
		.expected_attach_type = BPF_LSM_MAC,
		.attach_btf_id = hook,
		.insns = (uintptr_t)insns,
		.insn_cnt = ARRAY_SIZE(insns),
		.license = (uintptr_t)"GPL",
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		broken("BPF_PROG_LOAD");
	return fd;
}

/* The program acts while its link is open. */
static int attach(int prog)
{
	union bpf_attr attr = { .raw_tracepoint.prog_fd = prog };
	int fd = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);

	if (fd < 0)
		broken("attaching the program");
	return fd;
}

static void lower(void)
{
	int fd = open("/proc/sys/fs/pipe-max-size", O_WRONLY);

	if (fd < 0 || write(fd, "4096\n", 5) != 5)
		broken("fs.pipe-max-size");
	close(fd);
}

/* The confined task says on its pipe that it is so, and then waits for the limit to act. */
static void confined(int ready)
{
	int fds[2], file = open("/dev/zero", O_RDONLY);
	char byte;

	alarm(WAIT_SECONDS);
	if (setgid(CONFINED) || setuid(CONFINED))
		broken("setuid");
	say_result("reads a file", read(file, &byte, 1));
	if (write(ready, "", 1) != 1)
		broken("write");
	do {
		make_pipe(fds, O_NONBLOCK);
		byte = fcntl(fds[0], F_GETPIPE_SZ) == 4096;
		if (byte)
			say_result("larger", fcntl(fds[0], F_SETPIPE_SZ, 32768));
		close_pipe(fds);
	} while (!byte);
	_exit(0);
}

int main(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	attach(load(number_of_function("bpf_lsm_file_permission")));
	make_pipe(ready, 0);
	pid = must_fork();
	if (!pid)
		confined(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		broken("read");
	lower();
	say_end("confined", pid);
	return 0;
}
