// SPDX-License-Identifier: GPL-2.0-only
/* Reading and writing that never waits: sizes, parts, errors, bad buffers */
#include "pipe-check.h"

#include <limits.h>
#include <sys/mman.h>
#include <sys/uio.h>

/* The C library may be older than the kernel. */
#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL	0x00000100
#endif

static char data[200000], got[200000];

static int pending(int fd)
{
	int n = -7;

	ioctl(fd, FIONREAD, &n);
	return n;
}

static void wrong_ends(void)
{
	int fds[2];

	make_pipe(fds, 0);
	say_result("read the writing end", read(fds[1], got, 1));
	say_result("write the reading end", write(fds[0], data, 1));
	say_result("read 0 of the writing end", read(fds[1], got, 0));
	say_result("write 0 to the reading end", write(fds[0], data, 0));
	say_result("read 0", read(fds[0], got, 0));
	say_result("write 0", write(fds[1], data, 0));
	say_result("read 0 to NULL", read(fds[0], NULL, 0));
	say("pending after write 0", "%d", pending(fds[0]));
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	say_result("write 0 with no reader", write(fds[1], data, 0));
	say_result("write 1 with no reader", write(fds[1], data, 1));
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
}

static void room(void)
{
	/* Exact sizes fill native pages without holes. */
	static const size_t exact[] = { 1, 2, 64, 1024, 4096, 8192, 65536, 65537, 100000, 200000 };
	static const size_t more[] = { 3, 100, 3000, 4095, 4097, 5000 };
	char name[64];
	int fds[2];
	size_t i;
	long n;

	for (i = 0; i < sizeof(exact) / sizeof(exact[0]); i++) {
		make_pipe(fds, O_NONBLOCK);
		snprintf(name, sizeof(name), "fill by %zu", exact[i]);
		say(name, "%ld, pending %d", fill(fds[1], exact[i]), pending(fds[0]));
		say_result("and then", write(fds[1], data, exact[i]));
		say("drained", "%ld", drain(fds[0]));
		close_pipe(fds);
	}
	/*
	 * A native pipe does not spread these writes over pages, so it holds
	 * less.
	 */
	for (i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		make_pipe(fds, O_NONBLOCK);
		n = fill(fds[1], more[i]);
		snprintf(name, sizeof(name), "fill by %zu", more[i]);
		say(name, "%s", n >= 45000 && n <= 65536 ? "enough" : "wrong");
		say("as much as was written", "%d", n == pending(fds[0]) && n == drain(fds[0]));
		say_result("then empty", read(fds[0], got, 1));
		close_pipe(fds);
	}
}

static void refill(void)
{
	int fds[2], i;

	make_pipe(fds, O_NONBLOCK);
	say("full", "%ld", fill(fds[1], 4096));
	say_result("read 4095", read(fds[0], got, 4095));
	say_result("write 4096", write(fds[1], data, 4096));
	say_result("read 1", read(fds[0], got, 1));
	say_result("write 4097", write(fds[1], data, 4097));
	say_result("write 1", write(fds[1], data, 1));
	say_result("read 8192", read(fds[0], got, 8192));
	say_result("write 100000", write(fds[1], data, 100000));
	say("pending", "%d", pending(fds[0]));
	say_result("read 1", read(fds[0], got, 1));
	say_result("write 1 where 1 was read of a full pipe", write(fds[1], data, 1));
	drain(fds[0]);
	say_result("read again", read(fds[0], got, 1));
	say_result("write 65535", write(fds[1], data, 65535));
	say_result("write 4097 where 1 fits", write(fds[1], data, 4097));
	say_result("write 4097 where none fits", write(fds[1], data, 4097));
	drain(fds[0]);
	for (i = 0; i < (int)sizeof(data); i++)
		data[i] = i * 31 + (i >> 8);
	say_result("write 60000", write(fds[1], data, 60000));
	say_result("write 7", write(fds[1], data + 60000, 7));
	for (i = 0; i < 60007; i += 4099)
		read(fds[0], got + i, 4099);
	say("same bytes", "%d", !memcmp(data, got, 60007));
	say("pending", "%d", pending(fds[0]));
	close_pipe(fds);
}

/* One read() takes the data of several writes. */
static void joined(void)
{
	int fds[2], i;

	make_pipe(fds, O_NONBLOCK);
	for (i = 0; i < 10; i++)
		write(fds[1], data, 3);
	say_result("10 writes of 3, read 100", read(fds[0], got, 100));
	write(fds[1], data, 5000);
	write(fds[1], data, 10);
	say("pending", "%d", pending(fds[0]));
	say_result("read 5", read(fds[0], got, 5));
	say("pending", "%d", pending(fds[0]));
	say_result("read 10000", read(fds[0], got, 10000));
	say_result("read 1", read(fds[0], got, 1));
	close_pipe(fds);
}

static void vectors(void)
{
	struct iovec iov[4] = {
		{ "abc", 3 }, { "", 0 }, { NULL, 0 }, { "defgh", 5 },
	};
	struct iovec in[3] = { { got, 2 }, { got + 10, 0 }, { got + 20, 90 } };
	struct iovec bad[2] = { { "abc", 3 }, { (void *)8, 5 } };
	int fds[2];

	make_pipe(fds, O_NONBLOCK);
	memset(got, 0, sizeof(got));
	say_result("writev", writev(fds[1], iov, 4));
	say_result("readv", readv(fds[0], in, 3));
	say("data", "%s %s", got, got + 20);
	say_result("readv of nothing", readv(fds[0], in, 3));
	say_result("writev of 0 buffers", writev(fds[1], iov, 0));
	say_result("writev of -1 buffers", writev(fds[1], iov, -1));
	say_result("writev of too many", writev(fds[1], iov, IOV_MAX + 1));
	say_result("writev, bad second", writev(fds[1], bad, 2));
	say("pending", "%d", pending(fds[0]));
	say_result("read", read(fds[0], got, 100));
	close_pipe(fds);

	make_pipe(fds, 0);
	say_result("preadv2 RWF_NOWAIT of nothing", preadv2(fds[0], in, 3, -1, RWF_NOWAIT));
	say_result("pwritev2 RWF_NOWAIT", pwritev2(fds[1], iov, 4, -1, RWF_NOWAIT));
	say_result("preadv2 RWF_NOWAIT", preadv2(fds[0], in, 3, -1, RWF_NOWAIT));
	say_result("preadv2 at 0", preadv2(fds[0], in, 3, 0, 0));
	say_result("pwritev2 RWF_HIPRI", pwritev2(fds[1], iov, 4, -1, RWF_HIPRI));
	say_result("pwritev2 RWF_DSYNC", pwritev2(fds[1], iov, 4, -1, RWF_DSYNC));
	say_result("pwritev2 RWF_APPEND", pwritev2(fds[1], iov, 4, -1, RWF_APPEND));
	close_pipe(fds);
}

/* Flags of one call apply on pipes without O_NONBLOCK. */
static void call_flags(void)
{
	struct iovec iov = { data, 4096 };
	int fds[2], i;
	pid_t pid;

	make_pipe(fds, 0);
	for (i = 0; i < 16; i++)
		write(fds[1], data, 4096);
	say_result("pwritev2 RWF_NOWAIT to full", pwritev2(fds[1], &iov, 1, -1, RWF_NOWAIT));
	close(fds[0]);
	pid = must_fork();
	if (!pid) {
		say_result("pwritev2 RWF_NOSIGNAL without a reader",
			   pwritev2(fds[1], &iov, 1, -1, RWF_NOSIGNAL));
		say_result("pwritev2 without a reader", pwritev2(fds[1], &iov, 1, -1, 0));
		_exit(0);
	}
	say_end("write without a reader", pid);
	close(fds[1]);
}

static void bad_buffers(void)
{
	char *map = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fds[2];
	long n;

	munmap(map + 2 * 4096, 4096);
	make_pipe(fds, O_NONBLOCK);
	say_result("write from 8", write(fds[1], (void *)8, 10));
	say_result("write from kernel space", write(fds[1], (void *)-4096L, 10));
	say("pending", "%d", pending(fds[0]));
	say_result("write of 5 into the hole", write(fds[1], map + 2 * 4096 - 2, 5));
	say("pending", "%d", pending(fds[0]));
	drain(fds[0]);
	/*
	 * A native pipe writes some of the whole pages before the hole, and
	 * never all bytes.
	 */
	n = write(fds[1], map, 3 * 4096);
	say("write of 2 pages and a hole", "%s", n < 0 ? strerrorname_np(errno) :
	    n <= 8192 ? "part" : "too much");
	say("as much as was written", "%d", pending(fds[0]) == (n < 0 ? 0 : n));
	drain(fds[0]);

	write(fds[1], "0123456789", 10);
	say_result("read to 8", read(fds[0], (void *)8, 10));
	say("pending", "%d", pending(fds[0]));
	say_result("read to kernel space", read(fds[0], (void *)-4096L, 10));
	mprotect(map, 4096, PROT_READ);
	say_result("read to read-only", read(fds[0], map, 10));
	say("pending", "%d", pending(fds[0]));
	say_result("read of 10 into the hole", read(fds[0], map + 2 * 4096 - 4, 10));
	say("pending", "%d", pending(fds[0]));
	n = read(fds[0], got, 100);
	say("read what is left", "%.*s", (int)(n > 0 ? n : 0), got);
	say_result("read from NULL of nothing", read(fds[0], NULL, 10));
	say_result("read more than SSIZE_MAX", read(fds[0], got, (size_t)-1));
	say_result("write more than SSIZE_MAX", write(fds[1], data, (size_t)-1));
	close_pipe(fds);
	munmap(map, 8192);
	munmap(map + 3 * 4096, 4096);
}

static void one_end(void)
{
	int fds[2];

	make_pipe(fds, 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	say_result("read nothing, reading end O_NONBLOCK", read(fds[0], got, 1));
	say_result("write", write(fds[1], data, 65536));
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	fcntl(fds[0], F_SETFL, 0);
	say_result("write to full, writing end O_NONBLOCK", write(fds[1], data, 1));
	say_result("read", read(fds[0], got, sizeof(got)));
	say_result("write again", write(fds[1], data, 100));
	say_result("read again", read(fds[0], got, sizeof(got)));
	close_pipe(fds);
}

int main(void)
{
	wrong_ends();
	room();
	refill();
	joined();
	vectors();
	call_flags();
	bad_buffers();
	one_end();
	return 0;
}
