// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams-splice.c - splice(), tee() and vmsplice() on what only STREAMS pipes are:
 * messages, modules, two directions; and the driver's ioctls themselves
 *
 * pipe-splice*.c and pipe-tee.c compare with native pipes.
 */
#include "streams-test.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>

static char data[65536], got[65536];
static int fds[2], file;

static void begin(void)
{
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	IS(test_fifo(fds, O_NONBLOCK), 0);
	file = memfd_create("file", 0);
	TRUE(file >= 0);
}

static long splice_driver(int fd, struct strio_splice arg)
{
	return ioctl(fd, STRIO_SPLICE, &arg);
}

/* Calls the ioctl on any STREAMS pipe. */
static long splice_pipe(int in, int out, size_t len)
{
	return splice_driver(fds[0], (struct strio_splice){ .in = in, .out = out, .len = len });
}

/* Splices to or from the beginning of a file. */
static long splice_start(int in, int out, size_t len)
{
	uint64_t at = 0, off = (uintptr_t)&at;

	return splice_driver(fds[0], (struct strio_splice){
		.in = in, .out = out, .len = len,
		.off_in = in == file ? off : 0, .off_out = out == file ? off : 0,
	});
}

static long tee_driver(int fd, struct strio_splice arg)
{
	return ioctl(fd, STRIO_TEE, &arg);
}

static long vmsplice_driver(int fd, struct iovec *iov, uint64_t nr, unsigned int flags)
{
	struct strio_vmsplice arg = { .iov = (uintptr_t)iov, .nr = nr, .flags = flags };

	return ioctl(fd, STRIO_VMSPLICE, &arg);
}

/* Offsets and lengths that the ioctls refuse */
static void offsets(void)
{
	struct strio_splice arg = { .in = fds[0], .len = 10 };
	int other[2];
	loff_t at = 0;

	IS(test_fifo(other, O_NONBLOCK), 0);
	arg.out = other[1];
	arg.off_in = (uintptr_t)&at;
	FAILS(tee_driver(fds[0], arg), EINVAL);
	FAILS(splice_driver(fds[0], arg), ESPIPE);
	arg.off_in = 0;
	arg.off_out = (uintptr_t)&at;
	FAILS(splice_driver(fds[0], arg), ESPIPE);
	arg.out = file;
	arg.off_out = (uintptr_t)BAD_POINTER;
	FAILS(splice_driver(fds[0], arg), EFAULT);
	at = INT64_MIN;
	arg.off_out = (uintptr_t)&at;
	FAILS(splice_driver(fds[0], arg), EINVAL);
	at = INT64_MAX;
	FAILS(splice_driver(fds[0], arg), EINVAL);
	/* No file has this length. */
	at = 0;
	arg.len = UINT64_MAX;
	FAILS(splice_driver(fds[0], arg), EINVAL);
	close(other[0]);
	close(other[1]);
}

static void arguments(void)
{
	struct strio_splice arg = { .in = 0, .out = 0, .len = 10 };
	struct strio_vmsplice pad = { .pad = 1 };
	int native[2], null = open("/dev/null", O_RDWR);

	begin();
	IS(pipe2(native, O_NONBLOCK), 0);
	IS(write(fds[1], data, 100), 100);
	FAILS(ioctl(fds[0], STRIO_SPLICE, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[0], STRIO_TEE, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[0], STRIO_VMSPLICE, BAD_POINTER), EFAULT);
	arg.in = fds[0];
	arg.out = file;
	arg.pad = 1;
	FAILS(splice_driver(fds[0], arg), EINVAL);
	FAILS(tee_driver(fds[0], arg), EINVAL);
	FAILS(ioctl(fds[0], STRIO_VMSPLICE, &pad), EINVAL);
	arg.pad = 0;
	arg.flags = 0x10;
	FAILS(splice_driver(fds[0], arg), EINVAL);
	FAILS(vmsplice_driver(fds[0], NULL, 0, 0x10), EINVAL);
	offsets();
	/* Neither file is a STREAMS pipe, whatever the ioctl is called on. */
	FAILS(splice_pipe(null, file, 10), EINVAL);
	FAILS(splice_pipe(native[0], native[1], 10), EINVAL);
	FAILS(splice_pipe(-1, file, 10), EBADF);
	FAILS(splice_pipe(fds[0], 10000, 10), EBADF);
	/*
	 * The kernel's splice() handles this case, and takes its locks in its
	 * order.
	 */
	FAILS(splice_pipe(fds[0], native[1], 10), EINVAL);
	IS(write(native[1], data, 10), 10);
	IS(splice_pipe(native[0], fds[1], 10), 10);
	/*
	 * There are too many parts, also in a number that has more than 32
	 * bits.
	 */
	FAILS(vmsplice_driver(fds[0], NULL, 1UL << 32, 0), EINVAL);
	FAILS(vmsplice_driver(fds[0], BAD_POINTER, 1, 0), EFAULT);
	IS(vmsplice_driver(fds[0], NULL, 0, 0), 0);
	IS(read(fds[0], got, sizeof(got)), 110);
	/* Other streams and native pipes refuse the ioctls. */
	FAILS(ioctl(native[0], STRIO_SPLICE, &arg), ENOTTY);
	FAILS(ioctl(null, STRIO_TEE, &arg), ENOTTY);
}

/*
 * The bytes of messages are moved like those of the ring, and the remaining
 * ones stay.
 */
static void of_messages(int in, int out)
{
	struct iovec iov = { data, 6000 };
	int pair[2];
	ssize_t n, came = 0;

	test_nonblock(in, true);
	test_nonblock(out, true);
	IS(write(out, data, 3000), 3000);
	IS(write(out, data + 3000, 7000), 7000);
	IS(splice_pipe(in, file, 2000), 2000);
	n = splice_pipe(in, file, 65536);
	TRUE(n > 0);
	for (came = 2000 + n; came < 10000; came += n) {
		n = splice_pipe(in, file, 65536);
		TRUE(n > 0);
	}
	IS(pread(file, got, sizeof(got), 0), 10000);
	IS(memcmp(got, data, 10000), 0);
	FAILS(splice_pipe(in, file, 10), EAGAIN);
	IS(lseek(file, 0, SEEK_SET), 0);
	for (came = 0; came < 10000; came += n) {
		n = splice_pipe(file, out, 10000 - came);
		TRUE(n > 0);
	}
	for (came = 0; came < 10000; came += n) {
		n = read(in, got + came, sizeof(got) - came);
		TRUE(n > 0);
	}
	IS(memcmp(got, data, 10000), 0);
	/* A socket that is full takes a part, or nothing. */
	IS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
	while (send(pair[0], data, 4096, 0) > 0)
		;
	IS(write(out, data, 5000), 5000);
	FAILS(splice_pipe(in, pair[0], 5000), EAGAIN);
	memset(got, 0, sizeof(got));
	IS(read(in, got, sizeof(got)), 5000);
	IS(memcmp(got, data, 5000), 0);
	close(pair[0]);
	close(pair[1]);
	/* The bytes come from memory, and are copied to memory. */
	IS(vmsplice_driver(out, &iov, 1, SPLICE_F_NONBLOCK), 6000);
	iov.iov_base = got;
	iov.iov_len = 6000;
	memset(got, 0, sizeof(got));
	for (came = 0; came < 6000; came += n) {
		iov.iov_base = got + came;
		/* vmsplice() writes to a pipe that is open for both. */
		n = (fcntl(in, F_GETFL) & O_ACCMODE) == O_RDONLY ?
			vmsplice_driver(in, &iov, 1, SPLICE_F_NONBLOCK) :
			read(in, iov.iov_base, iov.iov_len);
		TRUE(n > 0);
		iov.iov_len -= n;
	}
	IS(memcmp(got, data, 6000), 0);
	/* The pipe is full when its queue is. */
	while (splice_start(file, out, 4096) > 0)
		;
	FAILS(splice_start(file, out, 4096), EAGAIN);
	while (read(in, got, sizeof(got)) > 0)
		;
}

static void messages(void)
{
	begin();
	/* This option ends the ring. */
	IS(ioctl(fds[0], I_SRDOPT, RNORM), 0);
	of_messages(fds[0], fds[1]);
}

static void modules(void)
{
	begin();
	IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	of_messages(fds[0], fds[1]);
	IS(ioctl(fds[0], I_POP, 0), 0);
}

static void duplex(void)
{
	begin();
	close(fds[0]);
	close(fds[1]);
	IS(strpipe(fds), 0);
	of_messages(fds[0], fds[1]);
	IS(ftruncate(file, 0), 0);
	IS(lseek(file, 0, SEEK_SET), 0);
	of_messages(fds[1], fds[0]);
	IS(write(fds[0], data, 10), 10);
	/* Both ends belong to one pipe. */
	FAILS(splice_pipe(fds[1], fds[0], 10), EINVAL);
}

/* tee() copies the first message, and leaves it there. */
static void tee_messages(void)
{
	struct strio_splice arg = { .len = 65536 };
	int other[2];

	begin();
	IS(test_fifo(other, O_NONBLOCK), 0);
	IS(ioctl(fds[0], I_SRDOPT, RNORM), 0);
	IS(write(fds[1], data, 3000), 3000);
	arg.in = fds[0];
	arg.out = other[1];
	IS(tee_driver(fds[0], arg), 3000);
	IS(read(other[0], got, sizeof(got)), 3000);
	IS(memcmp(got, data, 3000), 0);
	memset(got, 0, sizeof(got));
	IS(read(fds[0], got, sizeof(got)), 3000);
	IS(memcmp(got, data, 3000), 0);
	FAILS(tee_driver(fds[0], arg), EAGAIN);
	/* To messages */
	IS(write(other[1], data, 2000), 2000);
	arg.in = other[0];
	arg.out = fds[1];
	IS(tee_driver(fds[0], arg), 2000);
	IS(read(fds[0], got, sizeof(got)), 2000);
	IS(read(other[0], got, sizeof(got)), 2000);
}

/* A control part is not for splice(), as it is not for read(). */
static void control(void)
{
	struct strbuf ctl = { .len = 4, .buf = data }, part = { .len = 10, .buf = data };
	struct iovec iov = { got, 10 };

	begin();
	IS(ioctl(fds[0], I_SRDOPT, RNORM | RPROTNORM), 0);
	IS(putmsg(fds[1], &ctl, &part, 0), 0);
	FAILS(splice_pipe(fds[0], file, 10), EBADMSG);
	FAILS(vmsplice_driver(fds[0], &iov, 1, SPLICE_F_NONBLOCK), EBADMSG);
	IS(ioctl(fds[0], I_SRDOPT, RNORM | RPROTDIS), 0);
	IS(splice_pipe(fds[0], file, 10), 10);
}

/*
 * A socket does not take the bytes of a pipe. Other tasks can write to the pipe
 * meanwhile, and a reader that waits for the bytes can be killed.
 */
static void slow(void)
{
	int pair[2], status;
	pid_t slow, reader;

	begin();
	test_nonblock(fds[0], false);
	IS(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	test_nonblock(pair[0], true);
	while (send(pair[0], data, 4096, 0) > 0)
		;
	test_nonblock(pair[0], false);
	IS(write(fds[1], data, 5000), 5000);
	slow = fork();
	if (!slow)
		_exit(splice_pipe(fds[0], pair[0], 5000) != 5000);
	UNTIL(process_sleeps(slow));
	IS(write(fds[1], data + 5000, 1000), 1000);
	reader = fork();
	if (!reader)
		_exit(read(fds[0], got, sizeof(got)) < 0);
	UNTIL(task_state(reader, reader) == 'D');
	IS(kill(reader, SIGKILL), 0);
	IS(waitpid(reader, &status, 0), reader);
	TRUE(WIFSIGNALED(status));
	/* The bytes have room now; the reader has taken none. */
	while (recv(pair[1], got, sizeof(got), MSG_DONTWAIT) > 0)
		;
	IS(waitpid(slow, &status, 0), slow);
	IS(status, 0);
	IS(read(fds[0], got, sizeof(got)), 1000);
	IS(memcmp(got, data + 5000, 1000), 0);
}

/*
 * Two pipes are spliced to each other, teed, resized, flushed and made messages of, by
 * tasks that all need them.
 */
static int a[2], b[2];
static bool stop;

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_ACQUIRE);
}

static void *moves(void *arg)
{
	int *from = arg ? a : b, *to = arg ? b : a;

	while (!stopped())
		splice_pipe(from[0], to[1], 3000);
	return NULL;
}

static void *copies(void *arg)
{
	int *from = arg ? a : b, *to = arg ? b : a;

	while (!stopped()) {
		tee_driver(from[0], (struct strio_splice){
			.in = from[0], .out = to[1], .len = 1000,
		});
		splice_start(to[0], file, 1000);
	}
	return NULL;
}

static void *changes(void *arg)
{
	int *pipe = arg ? a : b;
	unsigned int i;

	for (i = 0; !stopped(); i++) {
		ioctl(pipe[0], STRIO_SETPIPE_SZ, 8192 << i % 4);
		ioctl(pipe[0], I_FLUSH, FLUSHR);
		write(pipe[1], data, 2000);
	}
	return NULL;
}

static void crowd(void)
{
	void *(*const runs[])(void *) = { moves, copies, changes };
	pthread_t threads[6];
	unsigned int i, round;

	begin();
	for (round = 0; round < test_scaled(20); round++) {
		IS(test_fifo(a, O_NONBLOCK), 0);
		IS(test_fifo(b, O_NONBLOCK), 0);
		stop = false;
		for (i = 0; i < 6; i++)
			IS(pthread_create(&threads[i], NULL, runs[i / 2],
					  i & 1 ? data : NULL), 0);
		for (i = 0; i < 200; i++) {
			write(a[1], data, 1000);
			read(b[0], got, 1000);
		}
		/* The rings end while they are in use. */
		IS(ioctl(a[0], I_SRDOPT, RNORM), 0);
		IS(ioctl(b[0], I_SRDOPT, RNORM), 0);
		for (i = 0; i < 200; i++) {
			write(a[1], data, 1000);
			read(b[0], got, 1000);
		}
		__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
		for (i = 0; i < 6; i++)
			IS(pthread_join(threads[i], NULL), 0);
		close(a[0]);
		close(a[1]);
		close(b[0]);
		close(b[1]);
	}
}

/*
 * With SNDZERO an empty write() is a message, the end of the file for a reader.
 * An empty buffer of a native pipe, which a write() that failed can leave, is
 * not a message.
 */
static void empty_buffers(void)
{
	void *volatile bad = BAD_POINTER;
	int native[2];

	begin();
	IS(ioctl(fds[1], I_SWROPT, SNDZERO), 0);
	IS(pipe2(native, O_NONBLOCK), 0);
	IS(write(native[1], data, 4096), 4096);
	FAILS(write(native[1], bad, 4096), EFAULT);
	IS(write(native[1], data + 4096, 4096), 4096);
	IS(splice_pipe(native[0], fds[1], 4096), 4096);
	IS(splice_pipe(native[0], fds[1], 4096), 4096);
	IS(write(native[1], data, 4096), 4096);
	FAILS(write(native[1], bad, 4096), EFAULT);
	IS(splice_pipe(native[0], fds[1], 65536), 4096);
	IS(read(fds[0], got, sizeof(got)), 3 * 4096);
	FAILS(read(fds[0], got, sizeof(got)), EAGAIN);
}

/* A file's own ENODATA is reported: the file is not read twice. */
static void nodata(void)
{
	struct strio_splice arg = { .len = 65536 };
	int fds[2], file = open("/dev/strnodata", O_RDONLY);

	TRUE(file >= 0);
	IS(test_fifo(fds, 0), 0);
	arg.in = file;
	arg.out = fds[1];
	FAILS(splice_driver(fds[1], arg), ENODATA);
	IS(splice_driver(fds[1], arg), 65536);
	close(file);
	close(fds[0]);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "arguments", arguments },
	{ "messages", messages },
	{ "modules", modules },
	{ "duplex", duplex },
	{ "tee", tee_messages },
	{ "control", control },
	{ "empty", empty_buffers },
	{ "slow", slow },
	{ "crowd", crowd },
	{ "nodata", nodata },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
