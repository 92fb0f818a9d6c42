// SPDX-License-Identifier: GPL-2.0-only
/* socket-uring.c - sending by io_uring on STREAMS sockets, by its system calls */
#include "socket-streams.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define COUNT_SENT	4
#define SIZE		1000	/* bytes of a datagram */

static struct io_uring_params params;
static struct io_uring_sqe *sqes;
static char *ring;
static int ring_fd;

#define RING(offset)	((unsigned int *)(ring + (offset)))

/* Returns false if this kernel has no io_uring, or permits none. */
static bool ring_made(void)
{
	size_t size;

	ring_fd = syscall(SYS_io_uring_setup, 8, &params);
	if (ring_fd < 0)
		return false;
	size = params.sq_off.array + params.sq_entries * sizeof(unsigned int);
	if (size < params.cq_off.cqes +
		   params.cq_entries * sizeof(struct io_uring_cqe))
		size = params.cq_off.cqes +
		       params.cq_entries * sizeof(struct io_uring_cqe);
	TRUE(params.features & IORING_FEAT_SINGLE_MMAP);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, ring_fd, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes),
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring_fd,
		    IORING_OFF_SQES);
	TRUE(ring != MAP_FAILED && sqes != MAP_FAILED);
	return true;
}

static void ring_sendmsg(int fd, const struct msghdr *msg)
{
	unsigned int tail = *RING(params.sq_off.tail);
	unsigned int at = tail & *RING(params.sq_off.ring_mask);

	sqes[at] = (struct io_uring_sqe){
		.opcode = IORING_OP_SENDMSG,
		.fd = fd,
		.addr = (uintptr_t)msg,
		.len = 1,
	};
	RING(params.sq_off.array)[at] = at;
	__atomic_store_n(RING(params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	IS(syscall(SYS_io_uring_enter, ring_fd, 1, 0, 0, NULL, 0), 1);
}

/* Returns the result of the operation that completes next. */
static int ring_result(void)
{
	unsigned int head = *RING(params.cq_off.head);
	const struct io_uring_cqe *cqe;
	int res;

	while (__atomic_load_n(RING(params.cq_off.tail),
			       __ATOMIC_ACQUIRE) == head)
		IS(syscall(SYS_io_uring_enter, ring_fd, 0, 1,
			   IORING_ENTER_GETEVENTS, NULL, 0), 0);
	cqe = (const struct io_uring_cqe *)(ring + params.cq_off.cqes) +
	      (head & *RING(params.cq_off.ring_mask));
	res = cqe->res;
	__atomic_store_n(RING(params.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return res;
}

/*
 * On a line of one datagram a second, a datagram that finds no send buffer is
 * sent later, unchanged, without a thread that waits.
 */
static void run_sendmsg(void)
{
	int native = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), fd, i, j;
	static char data[SIZE];
	struct sockaddr_in name, from, to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct iovec iov = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr msg = {
		.msg_name = &to, .msg_namelen = sizeof(to),
		.msg_iov = &iov, .msg_iovlen = 1,
	};

	if (!ring_made()) {
		puts("no io_uring");
		return;
	}
	IS(bind(native, (struct sockaddr *)&to, sizeof(to)), 0);
	to = name_of(native);
	fd = bound(&name);
	IS(switched(fd, SOL_SOCKET, SO_SNDBUF, 1), 0);
	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	for (i = 0; i < COUNT_SENT; i++) {
		memset(data, 'a' + i, sizeof(data));
		ring_sendmsg(fd, &msg);
		IS(ring_result(), SIZE);
	}
	for (i = 0; i < COUNT_SENT; i++) {
		IS(receive(native, 0, &from), SIZE);
		for (j = 0; j < SIZE; j++)
			TRUE(buf[j] == 'a' + i);
	}
	close(fd);
	close(native);
	close(ring_fd);
}

static const struct test_case cases[] = {
	{ "sendmsg", run_sendmsg },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
