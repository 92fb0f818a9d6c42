// SPDX-License-Identifier: GPL-2.0-only
/* Calls by io_uring; each thread has its own rings */
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#define ENTRIES	8

struct uring {
	int fd;				/* -1: this kernel has none, -2: not tried yet */
	char *ring;
	struct io_uring_sqe *sqes;
	struct io_uring_params params;
};

static __thread struct uring own = { .fd = -2 };

static void *map(int fd, size_t size, off_t offset)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
}

static void set_up(struct uring *u)
{
	size_t size;

	u->fd = syscall(SYS_io_uring_setup, ENTRIES, &u->params);
	if (u->fd < 0) {
		u->fd = -1;
		return;
	}
	size = u->params.cq_off.cqes + u->params.cq_entries * sizeof(struct io_uring_cqe);
	u->ring = map(u->fd, size, IORING_OFF_SQ_RING);
	u->sqes = map(u->fd, u->params.sq_entries * sizeof(*u->sqes), IORING_OFF_SQES);
	if (u->ring != MAP_FAILED && u->sqes != MAP_FAILED)
		return;
	close(u->fd);
	u->fd = -1;
}

static unsigned int *at(const struct uring *u, unsigned int offset)
{
	return (unsigned int *)(u->ring + offset);
}

/* Submits one request, and discards the completions so far. */
void act_uring(struct draw *d, struct player *p, int fd)
{
	static const int ops[] = {
		IORING_OP_READ, IORING_OP_WRITE, IORING_OP_READV, IORING_OP_WRITEV,
		IORING_OP_POLL_ADD, IORING_OP_FSYNC, IORING_OP_SPLICE, IORING_OP_TEE,
		IORING_OP_SENDMSG, IORING_OP_RECVMSG, IORING_OP_CLOSE, IORING_OP_ASYNC_CANCEL,
	};
	struct uring *u = &own;
	struct io_uring_sqe *sqe;
	unsigned int tail, mask;

	if (u->fd == -2)
		set_up(u);
	if (u->fd < 0)
		return;
	tail = *at(u, u->params.sq_off.tail);
	mask = *at(u, u->params.sq_off.ring_mask);
	sqe = &u->sqes[tail & mask];
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = ops[draw_below(d, sizeof(ops) / sizeof(*ops))];
	/* A close would free a number that other threads use. */
	sqe->fd = sqe->opcode == IORING_OP_CLOSE ? -1 : fd;
	sqe->len = 1 + draw_below(d, 4096);
	sqe->addr = (uintptr_t)memory_arg(d, sqe->len);
	sqe->off = -1;
	if (sqe->opcode == IORING_OP_SPLICE || sqe->opcode == IORING_OP_TEE) {
		sqe->splice_fd_in = any_fd(d, p);
		sqe->addr = -1;
	}
	if (!draw_below(d, 4))
		sqe->flags = IOSQE_ASYNC;
	*(at(u, u->params.sq_off.array) + (tail & mask)) = tail & mask;
	__atomic_store_n(at(u, u->params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	syscall(SYS_io_uring_enter, u->fd, 1, 0, IORING_ENTER_GETEVENTS, NULL, 0);
	__atomic_store_n(at(u, u->params.cq_off.head),
			 __atomic_load_n(at(u, u->params.cq_off.tail), __ATOMIC_ACQUIRE),
			 __ATOMIC_RELEASE);
}
