// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe-mapped.c - pipes made by msync() of a mapping of their device
 */
#include "streams-test.h"

#include <signal.h>
#include <linux/aio_abi.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static struct strio_pipe *request;	/* has a page of its own */
static char *doorbell;
static long page;

/* The descriptor is closed in any case. */
static void *map_device(int how, void *at)
{
	int fd = open(STRIO_PIPE_DEVICE, O_RDWR);
	void *map = mmap(NULL, page, PROT_NONE, how, fd, (intptr_t)at);

	close(fd);
	return map;
}

static void begin(void)
{
	page = sysconf(_SC_PAGESIZE);
	request = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	doorbell = map_device(MAP_SHARED, request);
	TRUE(doorbell != MAP_FAILED);
}

static int make(int fds[2], unsigned int kind, unsigned int flags)
{
	*request = (struct strio_pipe){
		.fds = (uintptr_t)fds, .control = -1, .flags = flags, .kind = kind,
	};
	return msync(doorbell, 1, MS_SYNC);
}

static void both_kinds(void)
{
	int fds[2], next = dup(0), kind;
	char byte;

	close(next);
	begin();
	for (kind = STRIO_PIPE_FIFO; kind <= STRIO_PIPE_DUPLEX; kind++) {
		IS(make(fds, kind, O_CLOEXEC | O_NONBLOCK), 0);
		/* The lowest two */
		IS(fds[0], next);
		IS(fds[1], next + 1);
		IS(ioctl(fds[0], STRIO_ISASTREAM), 1);
		IS(fcntl(fds[1], F_GETFD), FD_CLOEXEC);
		TRUE(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
		IS(write(fds[1], "x", 1), 1);
		IS(read(fds[0], &byte, 1), 1);
		close(fds[0]);
		close(fds[1]);
	}
}

static void forked(void)
{
	int fds[2], status;
	pid_t pid;

	begin();
	pid = fork();
	if (!pid)
		_exit(make(fds, STRIO_PIPE_FIFO, 0) || fcntl(fds[1], F_GETFD));
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	IS(request->fds, 0);
}

/* A request makes one pipe, whether or not it succeeds. */
static void once(void)
{
	int fds[2];

	begin();
	IS(make(fds, STRIO_PIPE_FIFO, 0), 0);
	IS(request->control, 0);
	fds[0] = -7;
	IS(msync(doorbell, 1, MS_SYNC), 0);
	IS(fds[0], -7);
	FAILS(make(fds, 7, 0), EINVAL);
	request->kind = STRIO_PIPE_FIFO;
	IS(msync(doorbell, 1, MS_SYNC), 0);
	IS(fds[0], -7);
}

/* The result of an fsync() that a kernel thread makes. */
static int aio_fsync_result(int fd)
{
	struct iocb iocb = { .aio_lio_opcode = IOCB_CMD_FSYNC, .aio_fildes = fd };
	struct iocb *iocbs = &iocb;
	aio_context_t context = 0;
	struct io_event event;

	IS(syscall(SYS_io_setup, 1, &context), 0);
	IS(syscall(SYS_io_submit, context, 1, &iocbs), 1);
	IS(syscall(SYS_io_getevents, context, 1, 1, &event, NULL), 1);
	IS(syscall(SYS_io_destroy, context), 0);
	return event.res;
}

static void descriptors(void)
{
	int fd = open(STRIO_PIPE_DEVICE, O_RDWR);

	FAILS(fsync(fd), EINVAL);
	FAILS(fdatasync(fd), EINVAL);
	IS(aio_fsync_result(fd), -EINVAL);
}

static void errors(void)
{
	int fds[2] = { -7, -7 }, fd;

	begin();
	FAILS(make(NULL, STRIO_PIPE_FIFO, 0), EFAULT);
	FAILS(make(fds, STRIO_PIPE_FIFO, O_APPEND), EINVAL);
	FAILS(make(fds, 7, 0), EINVAL);
	request->control = 5;
	FAILS(msync(doorbell, 1, MS_SYNC), EBADF);
	IS(fds[0], -7);
	request->control = -1;
	IS(mprotect(request, page, PROT_READ), 0);
	FAILS(msync(doorbell, 1, MS_SYNC), EFAULT);
	IS(fds[0], -7);
	/* MS_ASYNC makes no pipe. */
	IS(msync(doorbell, 1, MS_ASYNC), 0);
	munmap(request, page);
	FAILS(msync(doorbell, 1, MS_SYNC), EFAULT);
	/* A private mapping would never tell the device. */
	TRUE(map_device(MAP_PRIVATE, NULL) == MAP_FAILED);
	TRUE(errno == EINVAL);
	fd = open(STRIO_PIPE_DEVICE, O_RDONLY);
	TRUE(mmap(NULL, page, PROT_NONE, MAP_SHARED, fd, 0) == MAP_FAILED);
	TRUE(errno == EINVAL);
}

/* The mapping has no memory. */
static void accesses(void)
{
	int status;
	pid_t pid;

	begin();
	TRUE(mremap(doorbell, page, 2 * page, MREMAP_MAYMOVE) == MAP_FAILED);
	TRUE(errno == EFAULT);
	IS(mprotect(doorbell, page, PROT_READ | PROT_WRITE), 0);
	pid = fork();
	if (!pid) {
		*(volatile char *)doorbell = 0;
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(WTERMSIG(status), SIGBUS);
}

static const struct test_case cases[] = {
	{ "both-kinds", both_kinds },
	{ "forked", forked },
	{ "once", once },
	{ "descriptors", descriptors },
	{ "errors", errors },
	{ "accesses", accesses },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
