// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pipe.c - pipe(), __pipe() and pipe2(), on STREAMS
 *
 * Safe in signal handlers and vfork children: flags are read and system calls are
 * made. Only the address of a mapping is kept, which is set once.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/strio.h>

#include "hooks.h"
#include "log.h"
#include "pipe.h"
#include "policy.h"
#include "sys.h"

/* The flags of pipe2() that STREAMS pipes have; others mean a native pipe. */
#define PIPE_FLAGS	(O_NONBLOCK | O_CLOEXEC | O_DIRECT)

/*
 * Closes the control descriptor after an ioctl that may not have reached the
 * driver. If it did, the descriptor is gone, and its number may by now be that
 * of another thread's file: hence the look at what it is.
 */
static void close_control(int fd)
{
	struct stat opened, device;
	int saved = errno;

	if (!fstat(fd, &opened) && !stat(STRIO_PIPE_DEVICE, &device) &&
	    opened.st_mode == device.st_mode && opened.st_rdev == device.st_rdev)
		sys_call(SYS_close, fd, 0, 0, 0);
	errno = saved;
}

/*
 * A request that is made through a mapping of the device, see <sys/strio.h>. Each has a
 * page of its own. The pages of the mapping follow those of the requests, in the same
 * order.
 */
struct request {
	struct strio_pipe arg;
	atomic_flag busy;	/* used by a task, or by a signal handler */
};

#define REQUESTS	4	/* at a time; further callers open the device */

/*
 * REQUESTS of them, or NULL: in private memory, so that a forked child has its own at
 * the same address. A request that a thread used while another one forked stays busy
 * in the child.
 */
static char *_Atomic requests;

static size_t requests_size(void)
{
	return (size_t)REQUESTS * getpagesize();
}

/* Returns NULL if it fails. The mmap() that the program sees may take locks. */
static char *map(char *at, size_t size, int prot, int flags, int fd, char *offset)
{
#ifdef SYS_mmap2		/* 32 bits; takes the offset in units of 4 KiB */
	long nr = SYS_mmap2, from = (uintptr_t)offset >> 12;
#else
	long nr = SYS_mmap, from = (long)offset;
#endif
	unsigned long ret = sys_call6(nr, (long)at, size, prot, flags, fd, from);

	return ret > -4096UL ? NULL : (char *)ret;
}

static void unmap(char *base, size_t size)
{
	sys_call(SYS_munmap, (long)base, size, 0, 0);
}

/* Maps the device for later pipes. NULL: it is opened for each. */
static char *requests_map(int fd)
{
	size_t size = requests_size();
	char *base = map(NULL, 2 * size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, NULL);

	if (base && !map(base + size, size, PROT_NONE, MAP_SHARED | MAP_FIXED, fd, base)) {
		/* The second half may be unmapped by now, and another thread's. */
		unmap(base, size);
		return NULL;
	}
	return base;
}

/* False: no request is free, or it failed. */
static bool make_mapped(char *base, const struct strio_pipe *arg)
{
	struct request *request;
	char *doorbell;
	bool done;
	int i;

	for (i = 0; i < REQUESTS; i++) {
		request = (struct request *)(base + i * getpagesize());
		if (atomic_flag_test_and_set(&request->busy))
			continue;
		request->arg = *arg;
		doorbell = (char *)request + requests_size();
		/* The device sets control to 0; what the program mapped over it does not. */
		done = !sys_call(SYS_msync, (long)doorbell, 1, MS_SYNC, 0) &&
		       !request->arg.control;
		/* Another msync() of that page must make no pipe. */
		request->arg.control = 0;
		atomic_flag_clear(&request->busy);
		return done;
	}
	return false;
}

/*
 * Pipes made before the device is mapped: most programs make few, and a mapping costs
 * as much as it saves on three.
 */
#define OPENED_MOST	3

/* 0, or a negative error number. */
static int make_opened(struct strio_pipe *arg)
{
	static atomic_uint opened;
	char *base = NULL;
	long fd, err;

	fd = sys_call(SYS_openat, AT_FDCWD, (long)STRIO_PIPE_DEVICE,
		      O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	/* Where it cannot be mapped it is not tried again. */
	if (atomic_fetch_add(&opened, 1) == OPENED_MOST)
		base = requests_map(fd);

	arg->control = fd;
	err = sys_call(SYS_ioctl, fd, STRIO_PIPE, (long)arg, 0);
	/* Do not keep a mapping of another driver: msync() of it may do anything. */
	if (base && !err)
		requests = base;
	else if (base)
		unmap(base, 2 * requests_size());
	switch (err) {
	case -ENOTTY:	/* another driver */
	case -ENOSYS:	/* seccomp, or a security module */
	case -EPERM:
	case -EACCES:
		close_control(fd);
	}
	return err;
}

/**
 * pipe_make - create a STREAMS pipe with the semantics of pipe2(2)
 * @fds: receives the reading and the writing descriptor
 * @flags: O_NONBLOCK, O_CLOEXEC, O_DIRECT
 *
 * Return: 0, or a negative error number.
 */
int pipe_make(int fds[2], int flags)
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.control = -1,
		.flags = flags,
		.kind = STRIO_PIPE_FIFO,
	};
	char *base = requests;

	/* A request that fails is made again, by ioctl(), for its error. */
	return base && make_mapped(base, &arg) ? 0 : make_opened(&arg);
}

/**
 * pipe_error_is_final - is it an error that a native pipe would meet as well?
 * @error: positive error number from pipe_make()
 *
 * Return: true if the caller gets this error, false if a native pipe is to be
 * tried.
 */
bool pipe_error_is_final(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == EFAULT;
}

/**
 * pipe_is_fifo - may a descriptor be a STREAMS pipe, which looks like any?
 * @fd: the descriptor
 *
 * No ioctl of pipes is sent to a file of another kind.
 */
bool pipe_is_fifo(int fd)
{
	struct stat opened;
	int saved = errno;
	bool is;

	is = !fstat(fd, &opened) && S_ISFIFO(opened.st_mode);
	errno = saved;
	return is;
}

/**
 * pipe_refuse - fail because STREAMS is required but not available
 * @call: name of the hook
 * @error: why, a positive error number
 *
 * Reports it once in a process.
 *
 * Return: ENXIO, the error the program gets.
 */
int pipe_refuse(const char *call, int error)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct log_line line;

	if (atomic_flag_test_and_set(&told))
		return ENXIO;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, " refused: no STREAMS pipe (" STRIO_PIPE_DEVICE ": ");
	log_error(&line, error);
	log_text(&line, ") and STRSOCK_REQUIRE=1; run: modprobe strpipe");
	log_end(&line);
	return ENXIO;
}

/**
 * pipe_tell - log the result of a call, when asked to be verbose
 * @call: name of the hook
 * @provider: "streams" or "native"
 * @fds: the descriptors, or NULL if there are none
 * @error: why not STREAMS: a positive error number; 0 if it was not tried
 */
void pipe_tell(const char *call, const char *provider, const int fds[2], int error)
{
	struct log_line line;

	if (!strsock_policy.verbose)
		return;
	log_begin(&line);
	log_text(&line, call);
	log_text(&line, " -> ");
	log_text(&line, provider);
	if (fds) {
		log_text(&line, " ");
		log_number(&line, fds[0]);
		log_text(&line, ",");
		log_number(&line, fds[1]);
	}
	if (error) {
		log_text(&line, " (" STRIO_PIPE_DEVICE ": ");
		log_error(&line, error);
		log_text(&line, ")");
	}
	log_end(&line);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int native(const char *call, int fds[2], int flags, int error)
{
	long err = sys_call(SYS_pipe2, (long)fds, flags, 0, 0);

	pipe_tell(call, "native", err ? NULL : fds, error);
	return err ? fail(-err) : 0;
}

static int make(const char *call, int fds[2], int flags)
{
	int err;

	if (!strsock_policy.pipe || (flags & ~PIPE_FLAGS))
		return native(call, fds, flags, 0);

	err = -pipe_make(fds, flags);
	if (!err) {
		pipe_tell(call, "streams", fds, 0);
		return 0;
	}
	if (pipe_error_is_final(err))
		return fail(err);
	if (strsock_policy.require)
		return fail(pipe_refuse(call, err));
	return native(call, fds, flags, err);
}

/**
 * pipe - create a pipe
 * @fds: receives the reading and the writing descriptor
 *
 * POSIX.1-2017 pipe().
 *
 * Return: 0, or -1 with errno set as pipe(2) does; ENXIO if STREAMS is required
 * and absent.
 */
HOOK int pipe(int fds[2])
{
	return make("pipe", fds, 0);
}

/* An old name of pipe() that the C library exports too. */
HOOK int __pipe(int fds[2]);
HOOK int __pipe(int fds[2])
{
	return make("__pipe", fds, 0);
}

/**
 * pipe2 - create a pipe, with flags
 * @fds: receives the reading and the writing descriptor
 * @flags: O_NONBLOCK, O_CLOEXEC, O_DIRECT; any other makes a native pipe
 *
 * Return: 0, or -1 with errno set as pipe2(2) does; ENXIO if STREAMS is
 * required and absent.
 */
HOOK int pipe2(int fds[2], int flags)
{
	return make("pipe2", fds, flags);
}
