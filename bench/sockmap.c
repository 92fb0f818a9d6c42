// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes of a TCP socket that BPF redirects to another one
 *
 * The program is that of most users of sockmap: a socket's bytes go to the queue of its peer, by
 * a map that has both. Firewalls and captures do not see them. Its few instructions are
 * written here, so that the measurement needs no compiler for BPF.
 */
#include <err.h>
#include <errno.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sockmap.h"

enum { TX, RX };		/* keys of the map */

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_SOCKMAP,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = 2,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

/* Loads the program: a message of the socket with this port is for RX, another one for TX. */
static int load_program(int map, unsigned int port)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 5, .src_reg = 1,
		  .off = offsetof(struct sk_msg_md, local_port) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = TX },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 5, .off = 1, .imm = (int)port },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = RX },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 2, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = map },
		{ },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 4, .imm = BPF_F_INGRESS },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_msg_redirect_map },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SK_MSG,
		.insns = (uintptr_t)code,
		.insn_cnt = sizeof(code) / sizeof(code[0]),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

static int attach(int map, int program)
{
	union bpf_attr attr = {
		.target_fd = map,
		.attach_bpf_fd = program,
		.attach_type = BPF_SK_MSG_VERDICT,
	};

	return bpf(BPF_PROG_ATTACH, &attr);
}

static int add(int map, uint32_t key, uint32_t fd)
{
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&fd,
	};

	return bpf(BPF_MAP_UPDATE_ELEM, &attr);
}

static unsigned int local_port(int fd)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);

	if (getsockname(fd, (struct sockaddr *)&at, &len))
		err(1, "getsockname");
	/* The ports of both families are at the same place. */
	return ntohs(((struct sockaddr_in *)&at)->sin_port);
}

int sockmap_join(int tx, int rx)
{
	int map = make_map(), program = -1;

	if (map >= 0)
		program = load_program(map, local_port(tx));
	if (program < 0 || attach(map, program))
		err(errno == EPERM || errno == EINVAL ? 3 : 1, "sockmap: BPF");
	close(program);
	if (add(map, TX, tx) || add(map, RX, rx))
		err(1, "sockmap: a socket");
	return map;
}
