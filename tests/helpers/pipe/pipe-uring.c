// SPDX-License-Identifier: GPL-2.0-only
/* Reading, writing and polling pipes through io_uring, by its system calls */
#include "pipe-check.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static struct io_uring_params params;
static char *ring;
static struct io_uring_sqe *sqes;
static int ring_fd;
static char data[65536], got[65536];

#define RING(offset)	((unsigned int *)(ring + (offset)))

static void submit(int op, int fd, void *buf, unsigned int len, unsigned int poll_events,
		   unsigned int id)
{
	unsigned int tail = *RING(params.sq_off.tail), mask = *RING(params.sq_off.ring_mask);
	struct io_uring_sqe *sqe = &sqes[tail & mask];

	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = op;
	sqe->fd = fd;
	sqe->addr = (uintptr_t)buf;
	sqe->len = len;
	sqe->off = op == IORING_OP_POLL_ADD ? 0 : -1;
	sqe->poll32_events = poll_events;
	sqe->user_data = id;
	RING(params.sq_off.array)[tail & mask] = tail & mask;
	__atomic_store_n(RING(params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring_fd, 1, 0, 0, NULL, 0) != 1)
		broken("io_uring_enter");
}

/*
 * Prints the next completion; where none is expected the function only pauses.
 */
static void say_next(const char *check, bool wait)
{
	unsigned int tries = wait ? 100 * WAIT_SECONDS : 5;
	unsigned int head = *RING(params.cq_off.head), mask = *RING(params.cq_off.ring_mask);
	struct io_uring_cqe *cqe;

	do {
		syscall(SYS_io_uring_enter, ring_fd, 0, 0, IORING_ENTER_GETEVENTS, NULL, 0);
		if (__atomic_load_n(RING(params.cq_off.tail), __ATOMIC_ACQUIRE) != head)
			break;
		sleep_ms(10);
	} while (--tries);
	if (!tries) {
		say(check, "nothing");
		return;
	}
	cqe = (struct io_uring_cqe *)(ring + params.cq_off.cqes) + (head & mask);
	if (cqe->res < 0)
		say(check, "%llu: %s", cqe->user_data, strerrorname_np(-cqe->res));
	else
		say(check, "%llu: %d", cqe->user_data, cqe->res);
	__atomic_store_n(RING(params.cq_off.head), head + 1, __ATOMIC_RELEASE);
}

static void map_rings(void)
{
	size_t size;

	size = params.sq_off.array + params.sq_entries * sizeof(unsigned int);
	if (size < params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe))
		size = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring_fd,
		    IORING_OFF_SQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, ring_fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || sqes == MAP_FAILED)
		broken("mmap of the rings");
}

static void waiting(void)
{
	int fds[2];

	make_pipe(fds, 0);
	submit(IORING_OP_WRITE, fds[1], data, 100, 0, 1);
	say_next("write", true);
	submit(IORING_OP_READ, fds[0], got, 200, 0, 2);
	say_next("read", true);
	submit(IORING_OP_READ, fds[0], got, 200, 0, 3);
	say_next("read of nothing", false);
	write(fds[1], "abc", 3);
	say_next("read, after a write", true);
	submit(IORING_OP_WRITE, fds[1], data, 65536, 0, 4);
	say_next("fill", true);
	submit(IORING_OP_WRITE, fds[1], data, 100, 0, 5);
	say_next("write to full", false);
	read(fds[0], got, 65536);
	say_next("write, after a read", true);
	read(fds[0], got, 65536);
	submit(IORING_OP_POLL_ADD, fds[0], NULL, 0, POLLIN, 6);
	say_next("poll of nothing", false);
	write(fds[1], "abc", 3);
	say_next("poll, after a write", true);
	read(fds[0], got, 65536);
	submit(IORING_OP_READ, fds[0], got, 200, 0, 7);
	close(fds[1]);
	say_next("read, last writer closed", true);
	close(fds[0]);
}

static void nonblocking(void)
{
	int fds[2];

	make_pipe(fds, O_NONBLOCK);
	submit(IORING_OP_READ, fds[0], got, 200, 0, 8);
	say_next("read of nothing, O_NONBLOCK", false);
	write(fds[1], "abc", 3);
	say_next("read of nothing, O_NONBLOCK, after a write", false);
	submit(IORING_OP_READ, fds[1], got, 200, 0, 9);
	say_next("read of the writing end", true);
	submit(IORING_OP_WRITE, fds[1], (void *)8, 200, 0, 10);
	say_next("write from 8", true);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	submit(IORING_OP_WRITE, fds[1], data, 200, 0, 11);
	say_next("write, no reader", true);
	submit(IORING_OP_CLOSE, fds[1], NULL, 0, 0, 12);
	/* An operation with an offset of -1 is not a close. */
	say_next("close", true);
}

int main(void)
{
	alarm(WAIT_SECONDS);
	ring_fd = syscall(SYS_io_uring_setup, 8, &params);
	if (ring_fd < 0) {
		say_result("io_uring_setup", -1);
		return 0;
	}
	map_rings();
	waiting();
	nonblocking();
	return 0;
}
